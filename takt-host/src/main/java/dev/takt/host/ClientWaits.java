package dev.takt.host;

import dev.takt.client.wire.Operation;
import dev.takt.space.ConflictDeferral;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The takes and reads of one client that wait for a match, in their order.
 *
 * <p>One with the empty template, which cannot be subscribed to, looks each time.
 */
final class ClientWaits implements AutoCloseable {
  /** Tries a wait again. */
  interface Attempt {
    /**
     * Returns whether there was a match; the request is then answered or refused.
     *
     * @throws ConflictDeferral.Deferred if it is to be tried again
     */
    boolean find(Operation operation, long request, Event template);

    /** Answers that there was none. */
    void giveUp(Operation operation, long request);
  }

  private static final class Wait {
    final Operation operation;
    final long request;
    final Event template;
    final int bytes;
    final long deadlineNs;
    final @Nullable ClientSubscription subscription;

    /** While what it has found is in conflict with a running transaction. */
    @Nullable ConflictDeferral deferral;

    Wait(ClientRequest asked, long deadlineNs, @Nullable ClientSubscription subscription) {
      operation = asked.operation;
      request = asked.request;
      template = asked.template;
      bytes = asked.bytes;
      this.deadlineNs = deadlineNs;
      this.subscription = subscription;
    }
  }

  /** How soon one with the empty template looks again. */
  private static final long LOOK_NS = 1_000_000;

  private final EventSpace space;
  private final int limit;
  private final HeldBytes held;
  private final Attempt attempt;
  private final Runnable due;
  private final List<Wait> waiting = new ArrayList<>();

  /** That of the next wait that is in conflict; null: its thread waits. */
  private @Nullable ConflictDeferral deferral;

  /** Whether one is in conflict, and is to look again. */
  private boolean isDeferred;

  /**
   * Makes a client's, of which there are none yet.
   *
   * @param limit how many it may have
   * @param held where their templates are counted
   */
  ClientWaits(EventSpace space, int limit, HeldBytes held, Attempt attempt, Runnable due) {
    this.held = held;
    this.due = due;
    this.space = space;
    this.limit = limit;
    this.attempt = attempt;
  }

  /** As {@link ClientSession#deferConflicts}. */
  void deferConflicts() {
    deferral = new ConflictDeferral(space);
  }

  /**
   * Answers at once if there is a match or no time, else later.
   *
   * @param asked the request; its number is for how long it waits, in nanoseconds
   * @return whether it waits, and keeps the template
   * @throws ConflictDeferral.Deferred if it has no time and is to be begun again
   */
  boolean begin(ClientRequest asked, long nowNs) {
    Event template = asked.template;
    long timeoutNs = asked.number;
    if (isAnsweredAtOnce(asked)) {
      return false;
    }
    if (waiting.size() == limit) {
      throw new IllegalStateException(
          ("too many takes and reads of one client wait: limit=%s, ClientLimits.maxWaits; let one"
                  + " end first, or have ./takt serve allow more (waits in the file of --tokens)")
              .formatted(limit));
    }
    held.require(asked.bytes);
    ClientSubscription subscription =
        template.size() == 0
            ? null
            : new ClientSubscription(space, template, asked.bytes, true, due);
    long deadlineNs = timeoutNs > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : nowNs + timeoutNs;
    Wait wait = new Wait(asked, deadlineNs, subscription);
    waiting.add(wait);
    held.add(wait.bytes);
    if (find(wait)) { // came before the subscription
      end(wait);
    }
    return true;
  }

  /** Answers a request that has a match or no time, and returns whether it was so. */
  private boolean isAnsweredAtOnce(ClientRequest asked) {
    try {
      if (attempt.find(asked.operation, asked.request, asked.template)) {
        return true;
      }
    } catch (ConflictDeferral.Deferred conflict) {
      if (asked.number <= 0) {
        throw conflict;
      }
      return false; // it waits for the end of the conflict as for a match: its time counts
    }
    if (asked.number <= 0) {
      attempt.giveUp(asked.operation, asked.request);
      return true;
    }
    return false;
  }

  private boolean find(Wait wait) {
    ConflictDeferral own = wait.deferral == null ? deferral : wait.deferral;
    if (own == null) {
      return attempt.find(wait.operation, wait.request, wait.template);
    }
    ConflictDeferral before = ConflictDeferral.suspend();
    own.begin();
    try {
      boolean isFound = attempt.find(wait.operation, wait.request, wait.template);
      own.clear();
      wait.deferral = null;
      return isFound;
    } catch (ConflictDeferral.Deferred conflict) {
      if (wait.deferral == null) {
        wait.deferral = own;
        deferral = new ConflictDeferral(space);
      }
      isDeferred = true;
      return false;
    } finally {
      own.end();
      if (before != null) {
        before.begin();
      }
    }
  }

  /** Returns whether {@link #advance} is to be called until a conflict is over. */
  boolean areDeferred() {
    return isDeferred;
  }

  boolean areAny() {
    return !waiting.isEmpty();
  }

  /** Returns whether one ends by time, or looks again and again. */
  boolean areTimed() {
    for (int i = 0; i < waiting.size(); i++) { // an iterator would be garbage
      Wait wait = waiting.get(i);
      boolean isLooking = wait.subscription == null || wait.deferral != null;
      if (isLooking || wait.deadlineNs != Long.MAX_VALUE) {
        return true;
      }
    }
    return false;
  }

  /** Returns when the next one ends or is to be looked at, or {@code Long.MAX_VALUE}. */
  long nextNs(long nowNs) {
    long next = Long.MAX_VALUE;
    for (Wait wait : waiting) {
      boolean isLooking = wait.subscription == null || wait.deferral != null;
      long at = isLooking ? nowNs + LOOK_NS : wait.deadlineNs;
      if (at != Long.MAX_VALUE && (next == Long.MAX_VALUE || at - next < 0)) {
        next = at;
      }
    }
    return next;
  }

  /**
   * Answers those that have a match or whose time is over, while there is room for answers.
   *
   * @return whether there was room for all
   */
  boolean advance(long nowNs, Outbox outbox) {
    isDeferred = false;
    for (int i = 0; i < waiting.size(); ) {
      Wait wait = waiting.get(i);
      isDeferred |= wait.deferral != null;
      if (!outbox.hasRoom()) {
        return false;
      }
      boolean isOver = isOver(wait, nowNs);
      if ((isOver || mayFind(wait, nowNs)) && find(wait)) {
        end(wait);
      } else if (isOver) {
        end(wait);
        attempt.giveUp(wait.operation, wait.request);
      } else {
        i++;
      }
    }
    return true;
  }

  private static boolean mayFind(Wait wait, long nowNs) {
    ConflictDeferral conflict = wait.deferral;
    if (conflict != null) {
      return conflict.mayGoOn(nowNs);
    }
    return wait.subscription == null || wait.subscription.claimMatch();
  }

  private static boolean isOver(Wait wait, long nowNs) {
    return wait.deadlineNs != Long.MAX_VALUE && nowNs - wait.deadlineNs >= 0;
  }

  /** Ends the wait of a request as if its time were over; false if it has ended. */
  boolean cancel(long request) {
    for (Wait wait : waiting) {
      if (wait.request == request) {
        end(wait);
        attempt.giveUp(wait.operation, wait.request);
        return true;
      }
    }
    return false;
  }

  /** Ends all without an answer. */
  @Override
  public void close() {
    List.copyOf(waiting).forEach(this::end);
  }

  private void end(Wait wait) {
    waiting.remove(wait);
    held.release(wait.bytes);
    if (wait.subscription != null) {
      space.unsubscribe(wait.subscription.handle);
    }
  }
}
