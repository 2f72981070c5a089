package dev.takt.bench.rtj;

import dev.takt.rtsj.RealtimeThread;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.LockSupport;

/** Of RTJPerf: two threads of one priority on one processor yield to each other, many times. */
final class YieldCase implements Case {
  private static final int YIELDS = 1_000;

  /** Only as a measure: a frame begins when the one before has ended, and a pause. */
  private static final long WARM_UP_PERIOD_NS = 3_000_000;

  private static final int WARM_UP_FRAMES = 500;

  /** As little as lets the system's other threads have their turn. */
  private static final long PAUSE_NS = 1_000_000;

  @Override
  public void measure(CaseRunner runner) throws Exception {
    runner.warmUp(WARM_UP_PERIOD_NS, WARM_UP_FRAMES, YieldCase::yields);
    runner.measure(new CaseRunner.Variant("", "yield", YieldCase::yields));
  }

  private static void yields(CaseRunner runner, Frames frames, Samples into)
      throws InterruptedException {
    CyclicBarrier both = new CyclicBarrier(2);
    long[] tookNs = new long[frames.count()];
    RealtimeThread one = yielding(runner, both, tookNs);
    RealtimeThread other = yielding(runner, both, new long[frames.count()]);
    one.join();
    other.join();
    into.add("yield", tookNs);
  }

  private static RealtimeThread yielding(CaseRunner runner, CyclicBarrier both, long[] tookNs) {
    RealtimeThread thread =
        RealtimeThread.start(
            "yielding",
            runner.scheduling(CaseRunner.PRIORITY),
            self -> {
              for (int i = 0; i < tookNs.length; i++) {
                await(both);
                long fromNs = System.nanoTime();
                for (int j = 0; j < YIELDS; j++) {
                  Thread.yield();
                }
                // Each yield lets the other one run once, too.
                tookNs[i] = (System.nanoTime() - fromNs) / (2 * YIELDS);
                await(both);
                LockSupport.parkNanos(PAUSE_NS);
              }
            });
    runner.granted(thread.grant());
    return thread;
  }

  private static void await(CyclicBarrier both) throws InterruptedException {
    try {
      both.await();
    } catch (BrokenBarrierException e) {
      throw new IllegalStateException("the other thread has failed", e);
    }
  }
}
