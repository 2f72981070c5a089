package dev.takt.bench.session;

import dev.takt.bench.measure.ChildRun;
import dev.takt.session.Session;
import dev.takt.session.SessionSettings;
import dev.takt.session.Sessions;
import dev.takt.session.Suspension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The memory of suspended sessions, beside that of bare virtual threads which do the same.
 *
 * @param sessions how many
 */
public record SuspendedRun(int sessions) implements ChildRun.Body<SuspendedRun.Found> {
  private static final Duration LONG = Duration.ofMinutes(1);

  /**
   * What was found, for one session.
   *
   * @param bytes all on the heap
   * @param stackBytes the part of it that is its stack
   * @param bareBytes all of a bare virtual thread
   * @param bareStackBytes the part of it that is its stack
   */
  public record Found(double bytes, double stackBytes, double bareBytes, double bareStackBytes) {}

  @Override
  public Found run() throws Exception {
    double[] bare = bare();
    double[] own = own();
    return new Found(own[0], own[1], bare[0], bare[1]);
  }

  private double[] own() throws Exception {
    AtomicInteger begun = new AtomicInteger();
    List<Session<Void>> all = new ArrayList<>(sessions);
    long before = Heap.usedBytes();
    long stacksBefore = Heap.stackBytes();
    SessionSettings settings = SessionSettings.DEFAULTS.withMaxSessions(sessions);
    try (Sessions open = Sessions.open(settings.withCloseTimeout(LONG))) {
      for (int i = 0; i < sessions; i++) {
        all.add(
            open.start(
                "suspended",
                () -> {
                  begun.incrementAndGet();
                  while (true) {
                    Suspension.current().await(Suspension.FOR_EVER_NS);
                  }
                }));
      }
      await(begun);
      return each(before, stacksBefore);
    }
  }

  private double[] bare() throws Exception {
    AtomicInteger begun = new AtomicInteger();
    List<Thread> all = new ArrayList<>(sessions);
    long before = Heap.usedBytes();
    long stacksBefore = Heap.stackBytes();
    for (int i = 0; i < sessions; i++) {
      all.add(
          Thread.startVirtualThread(
              () -> {
                begun.incrementAndGet();
                while (!Thread.currentThread().isInterrupted()) {
                  LockSupport.park();
                }
              }));
    }
    await(begun);
    double[] found = each(before, stacksBefore);
    all.forEach(Thread::interrupt);
    for (Thread each : all) {
      each.join();
    }
    return found;
  }

  private void await(AtomicInteger begun) {
    while (begun.get() < sessions) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private double[] each(long before, long stacksBefore) throws Exception {
    return new double[] {
      (Heap.usedBytes() - before) / (double) sessions,
      (Heap.stackBytes() - stacksBefore) / (double) sessions
    };
  }
}
