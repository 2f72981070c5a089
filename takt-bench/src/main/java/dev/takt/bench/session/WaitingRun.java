package dev.takt.bench.session;

import dev.takt.bench.measure.ChildRun;
import dev.takt.session.Session;
import dev.takt.session.SessionSettings;
import dev.takt.session.Sessions;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Sessions that wait in an event space, each for an event of its own, which is then written.
 *
 * @param sessions how many
 */
public record WaitingRun(int sessions) implements ChildRun.Body<WaitingRun.Found> {
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final int EVENT_BYTES = 32;

  /**
   * What was found.
   *
   * @param startNs until all sessions had begun
   * @param deliverNs until all events were written, after that
   * @param endNs until all sessions had ended, after that
   * @param bytes what each took on the heap while it waited
   * @param delivered how many got their event
   * @param doubled how many events were delivered twice
   */
  public record Found(
      long startNs, long deliverNs, long endNs, double bytes, int delivered, int doubled) {}

  @Override
  public Found run() throws Exception {
    EventSpace space =
        EventSpace.create(
            SpaceSettings.DEFAULTS
                .withCapacity(sessions)
                .withMaxEventBytes(EVENT_BYTES)
                .withMaxReferences(0));
    AtomicInteger begun = new AtomicInteger();
    SessionSettings settings =
        SessionSettings.DEFAULTS.withMaxSessions(sessions).withCloseTimeout(LONG);
    try (Sessions open = Sessions.open(settings)) {
      List<Session<Long>> all = new ArrayList<>(sessions);
      long before = Heap.usedBytes();
      long beginNs = System.nanoTime();
      for (int i = 0; i < sessions; i++) {
        Event template = new Event("id", i);
        all.add(open.start("waiting", () -> await(space, template, begun)));
      }
      while (begun.get() < sessions) {
        LockSupport.parkNanos(1_000_000);
      }
      long startNs = System.nanoTime() - beginNs;
      double bytes = (Heap.usedBytes() - before) / (double) sessions;
      long deliverFromNs = System.nanoTime();
      for (int i = sessions - 1; i >= 0; i--) {
        space.write(new Event("id", i));
      }
      long writtenNs = System.nanoTime();
      BitSet seen = new BitSet(sessions);
      int doubled = 0;
      for (Session<Long> each : all) {
        long id = each.await().value();
        doubled += id >= 0 && seen.get((int) id) ? 1 : 0;
        if (id >= 0) {
          seen.set((int) id);
        }
      }
      long endNs = System.nanoTime() - writtenNs;
      return new Found(
          startNs, writtenNs - deliverFromNs, endNs, bytes, seen.cardinality(), doubled);
    }
  }

  /** Returns the event's number, or -1 if none came. */
  private static long await(EventSpace space, Event template, AtomicInteger begun)
      throws InterruptedException {
    begun.incrementAndGet();
    Event taken = space.take(template, LONG);
    return taken == null ? -1 : taken.getLong("id");
  }
}
