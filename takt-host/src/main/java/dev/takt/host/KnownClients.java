package dev.takt.host;

import dev.takt.space.WaitClock;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The clients of one account that have named themselves: those that have a link, which ends when
 * they come on another one, and for some time those that have left. A client that comes again gets
 * its outcomes, and learns what has become of its requests.
 *
 * <p><b>Guarantees:</b> a client has one session at a time that does what it asks for. Whose
 * outcomes were dropped gets others, with another number, so that it is not taken for new.
 *
 * <p><b>Thread rule:</b> any thread.
 *
 * <p><b>Memory:</b> {@link ClientOutcomes} for each client that has a link and for the last {@value
 * #MAX_GONE} that have none.
 */
final class KnownClients {
  static final int MAX_GONE = 256;
  private static final long KEEP_NS = 60_000_000_000L;

  private record Present(ClientOutcomes outcomes, Outbox link) {}

  private record Gone(ClientOutcomes outcomes, long leftNs) {}

  private final LongSupplier numbers;
  private final WaitClock clock;
  private final Map<UUID, Present> present = new HashMap<>();

  /** In the order in which they have left. */
  private final Map<UUID, Gone> gone = new LinkedHashMap<>();

  /**
   * Makes one without clients.
   *
   * @param numbers gives random numbers, none of which is 0
   */
  KnownClients(LongSupplier numbers, WaitClock clock) {
    this.numbers = numbers;
    this.clock = clock;
  }

  /**
   * Gives a client its outcomes, until {@link #leave}.
   *
   * @param link on which it has come
   * @param isForced whether the link on which it was before is to be cut off
   * @return null if the session of the link before has not left: to be called again
   */
  @Nullable ClientOutcomes enter(UUID client, Outbox link, boolean isForced) {
    Outbox before;
    synchronized (this) {
      Present old = present.get(client);
      if (old == null) {
        Gone known = gone.remove(client);
        dropOld();
        ClientOutcomes outcomes =
            known == null ? new ClientOutcomes(numbers.getAsLong()) : known.outcomes;
        present.put(client, new Present(outcomes, link));
        return outcomes;
      }
      before = old.link;
    }
    if (isForced) {
      before.cutOff();
    }
    return null;
  }

  /**
   * Returns whether the client has a link.
   *
   * @param isForced whether that is to be cut off
   */
  boolean isPresent(UUID client, boolean isForced) {
    Present found;
    synchronized (this) {
      found = present.get(client);
    }
    if (found != null && isForced) {
      found.link.cutOff();
    }
    return found != null;
  }

  /**
   * Lets the client come again.
   *
   * @param isAllBack whether nothing of it is left; otherwise its outcomes are dropped, since what
   *     it has taken is neither with it nor in the space
   */
  synchronized void leave(UUID client, boolean isAllBack) {
    Present left = present.remove(client);
    if (left != null && isAllBack) {
      gone.put(client, new Gone(left.outcomes, clock.nanoTime()));
      dropOld();
    }
  }

  private void dropOld() {
    long nowNs = clock.nanoTime();
    Iterator<Gone> oldest = gone.values().iterator();
    while (oldest.hasNext()) {
      boolean isOld = nowNs - oldest.next().leftNs > KEEP_NS;
      if (!isOld && gone.size() <= MAX_GONE) {
        return;
      }
      oldest.remove();
    }
  }
}
