package dev.takt.realtime.os.linux;

import dev.takt.realtime.internal.Await;
import dev.takt.realtime.os.CpuConfinement;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Sleeper;
import dev.takt.realtime.os.ThreadScheduling;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Ends the wait of a real-time thread for one that it keeps from running: a watchdog against
 * starvation.
 *
 * <p><b>Purpose.</b> Two real-time threads of different priority that are bound to one processor:
 * the lower one is preempted in the moment in which it replaces compiled code, and the higher one
 * spins in the JVM until the lower one runs, which never happens (see {@link CpuConfinement}). The
 * same happens with any exclusion by spinning that does not inherit priority.
 *
 * <p><b>Protocol.</b>
 *
 * <ol>
 *   <li>A thread that {@link OperatingSystem#schedule} grants a real-time policy is watched; not
 *       one that has it only for a while, from a ceiling ({@link OperatingSystem#setPolicy}).
 *   <li>Every {@value #TICK_NS} ns the monitor reads how much processor time each of them has used.
 *       One that has used nearly all of {@value #SUSPICIOUS_TICKS} ticks in a row is suspected: it
 *       may wait, or only run long; the two cannot be told apart.
 *   <li>The threads of this process that are ready to run on the processor of a suspect may use all
 *       other processors of the process until the next tick. One that the suspect waits for runs
 *       there at once, if it is a real-time thread, and otherwise at its next turn. A suspect that
 *       only runs long is not affected.
 * </ol>
 *
 * <p><b>Guarantee.</b> If the process has another processor, such a wait ends within some {@value
 * #SUSPICIOUS_TICKS} ticks and the time that the monitor waits for its turn. <b>Assumption.</b> No
 * real-time thread uses the processors of the monitor's own thread, which has no real-time policy,
 * because with one it could itself wait as described.
 *
 * <p><b>Thread rule.</b> {@link #watch}, {@link #start} and {@link #stop} for any thread.
 * <b>Cost.</b> One call of the kernel for each real-time thread and tick; nothing is allocated
 * unless a thread is suspected.
 */
final class StarvationMonitor {
  static final long TICK_NS = 1_000_000;

  /**
   * Longer than most releases work without a pause: each suspicion lets threads leave the processor
   * that they were bound to, which is not to happen in every release.
   */
  static final int SUSPICIOUS_TICKS = 10;

  /** Threads beyond that are not watched. */
  static final int CAPACITY = 256;

  private final OperatingSystem system;
  private final int[] threads = new int[CAPACITY];
  private final long[] usedNs = new long[CAPACITY];
  private final int[] busyTicks = new int[CAPACITY];

  /** Of the last tick. */
  private final int[] suspects = new int[CAPACITY];

  private int count;
  private @Nullable Thread thread;
  private volatile boolean running;
  private volatile @Nullable Sleeper sleeper;

  StarvationMonitor(OperatingSystem system) {
    this.system = system;
  }

  /** Watches a thread that was granted a real-time policy, from the next {@link #start} on. */
  synchronized void watch(int threadId) {
    for (int i = 0; i < count; i++) {
      if (threads[i] == threadId) {
        return;
      }
    }
    if (count == CAPACITY) {
      removeEnded();
    }
    if (count < CAPACITY) {
      threads[count] = threadId;
      usedNs[count] = Long.MAX_VALUE;
      busyTicks[count] = 0;
      if (count++ == 0) {
        wakeUp(); // only for the first: otherwise ticks would become shorter
      }
    }
  }

  private void wakeUp() {
    Sleeper asleep = sleeper;
    if (asleep != null) {
      asleep.wake();
    }
  }

  private synchronized boolean isIdle() {
    return count == 0;
  }

  /**
   * Starts the monitor's thread, unless it runs.
   *
   * @param processCpus the processors that threads may be moved to
   */
  synchronized void start(CpuSet processCpus) {
    if (thread == null) {
      running = true;
      thread =
          Thread.ofPlatform()
              .daemon()
              .name("takt-starvation-monitor")
              .start(() -> run(processCpus));
    }
  }

  /** Stops the monitor's thread, after it has restored the processors of all threads. */
  void stop() {
    Thread ended;
    synchronized (this) {
      ended = thread;
      thread = null;
      running = false;
    }
    wakeUp();
    if (ended != null) {
      Await.uninterruptibly(ended::join);
    }
  }

  private void run(CpuSet processCpus) {
    system.schedule(
        ThreadScheduling.OTHER.withSliceNs(ThreadScheduling.MIN_SLICE_NS).withTimerSlackNs(1));
    Sleeper own = system.newSleeper();
    sleeper = own;
    TemporaryMigration migration = new TemporaryMigration(system, processCpus);
    long lastNs = System.nanoTime();
    while (running) {
      if (isIdle()) {
        own.sleep();
      } else {
        own.sleepUntil(lastNs + TICK_NS);
      }
      migration.end();
      long nowNs = System.nanoTime();
      int suspected = findSuspects(nowNs - lastNs);
      lastNs = nowNs;
      // After all times were read: it takes so long that later threads would seem idle.
      for (int i = 0; i < suspected; i++) {
        migration.begin(suspects[i]);
      }
    }
    migration.end();
  }

  /** Fills {@link #suspects}; returns how many there are. */
  private synchronized int findSuspects(long passedNs) {
    int suspected = 0;
    for (int i = count - 1; i >= 0; i--) {
      long nowUsedNs = system.threadTimeNs(threads[i]);
      if (nowUsedNs < 0) {
        remove(i);
        continue;
      }
      boolean busy = nowUsedNs - usedNs[i] > passedNs - passedNs / 8;
      usedNs[i] = nowUsedNs;
      busyTicks[i] = busy ? busyTicks[i] + 1 : 0;
      if (busyTicks[i] >= SUSPICIOUS_TICKS) {
        busyTicks[i] = 0;
        suspects[suspected++] = threads[i];
      }
    }
    return suspected;
  }

  /** Ended threads are otherwise removed by the ticks, which only a started monitor has. */
  private void removeEnded() {
    for (int i = count - 1; i >= 0; i--) {
      if (system.threadTimeNs(threads[i]) < 0) {
        remove(i);
      }
    }
  }

  private void remove(int index) {
    int moved = count - index - 1;
    System.arraycopy(threads, index + 1, threads, index, moved);
    System.arraycopy(usedNs, index + 1, usedNs, index, moved);
    System.arraycopy(busyTicks, index + 1, busyTicks, index, moved);
    count--;
    Arrays.fill(threads, count, count + 1, 0);
  }
}
