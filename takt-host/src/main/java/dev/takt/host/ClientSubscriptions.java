package dev.takt.host;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * The subscriptions of one client, by the numbers that it gives them.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
final class ClientSubscriptions implements AutoCloseable {
  private final EventSpace space;
  private final int max;
  private final HeldBytes held;
  private final Runnable due;
  private final Map<Long, ClientSubscription> all = new LinkedHashMap<>();

  /**
   * Makes a client's, of which there are none yet.
   *
   * @param max how many it may have
   * @param held where their templates are counted
   * @param due is called by the thread of each commit that has a match
   */
  ClientSubscriptions(EventSpace space, int max, HeldBytes held, Runnable due) {
    this.space = space;
    this.max = max;
    this.held = held;
    this.due = due;
  }

  /**
   * Subscribes.
   *
   * @param number of the client; negative for one that is not told of matches
   * @param bytes as how much the template is counted
   * @throws IllegalArgumentException if it is in use
   * @throws IllegalStateException if the client has as many, or as much, as it may
   */
  void begin(long number, Event template, int bytes) {
    long id = Math.abs(number);
    if (id < 1 || all.containsKey(id)) {
      throw new IllegalArgumentException(
          "subscription=" + number + " (expected: a number that is not in use, from 1 on)");
    }
    if (all.size() == max) {
      throw new IllegalStateException(
          ("too many subscriptions of one client: limit=%s, ClientLimits.maxSubscriptions; end one,"
                  + " or have ./takt serve allow more (subscriptions in the file of --tokens)")
              .formatted(max));
    }
    held.require(bytes);
    all.put(id, new ClientSubscription(space, template.copy(), bytes, number > 0, due));
    held.add(bytes);
  }

  /**
   * Returns one.
   *
   * @throws IllegalStateException if there is none with the number
   */
  ClientSubscription get(long number) {
    ClientSubscription subscription = all.get(number);
    if (subscription == null) {
      throw new IllegalStateException(
          "no subscription " + number + "; it has ended, or was never begun");
    }
    return subscription;
  }

  boolean areAny() {
    return !all.isEmpty();
  }

  /** Ends one. */
  void end(long number) {
    ClientSubscription subscription = get(number);
    all.remove(number); // first: a fault of the space is not met again
    held.release(subscription.bytes);
    space.unsubscribe(subscription.handle);
  }

  /** Ends all; the second call does nothing. */
  @Override
  public void close() {
    List.copyOf(all.keySet()).forEach(this::end);
  }

  /**
   * Gives the number of each one that has a match of which the client was not told, while there is
   * room; returns whether there was for all.
   */
  boolean tellMatches(Outbox outbox, LongConsumer told) {
    for (Map.Entry<Long, ClientSubscription> each : all.entrySet()) {
      if (!outbox.hasRoom()) {
        return false;
      }
      if (each.getValue().claimMatch()) {
        told.accept(each.getKey());
      }
    }
    return true;
  }
}
