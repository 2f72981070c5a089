package dev.takt.cli.doctor;

import dev.takt.realtime.internal.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * What tasks have beside them on a busy machine: on each processor an ordinary thread that never
 * rests, and one thread that makes garbage for the collector.
 */
final class BackgroundLoad implements AutoCloseable {
  /** Enough for several collections a second in a young generation of some megabytes. */
  private static final int CHUNK_BYTES = 4_096;

  private static final int CHUNKS_AT_ONCE = 50;
  private static final long PAUSE_NS = 1_000_000;
  private static final int KEPT = 1_024;

  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean done;

  /** Keeps the optimizer from removing the work. */
  private volatile long result;

  /**
   * Starts it.
   *
   * @param processors how many threads never rest
   */
  BackgroundLoad(int processors) {
    for (int i = 0; i < processors; i++) {
      threads.add(Threads.start("doctor-busy-" + i, this::compute));
    }
    threads.add(Threads.start("doctor-garbage", this::allocate));
  }

  private void compute() {
    long state = 1;
    while (!done) {
      for (int i = 0; i < 1_000; i++) {
        state = state * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
      }
      result = state;
    }
  }

  private void allocate() {
    byte[][] kept = new byte[KEPT][];
    int next = 0;
    while (!done) {
      for (int i = 0; i < CHUNKS_AT_ONCE; i++) {
        kept[next++ % KEPT] = new byte[CHUNK_BYTES];
      }
      LockSupport.parkNanos(PAUSE_NS);
    }
    result = kept.length;
  }

  @Override
  public void close() {
    done = true;
    threads.forEach(each -> Await.uninterruptibly(each::join));
  }
}
