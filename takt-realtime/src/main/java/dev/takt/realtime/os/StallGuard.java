package dev.takt.realtime.os;

import dev.takt.realtime.Sleeper;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Ends the wait of a real-time thread for one that it keeps from running.
 *
 * <p><b>Purpose.</b> Two real-time threads of different priority that are bound to one processor:
 * the lower one is preempted in the moment in which it replaces compiled code, and the higher one
 * goes round in circles inside the JVM until the lower one goes on, which is never (see {@link
 * Housekeeping}). The same happens with any exclusion by spinning that does not inherit priority.
 *
 * <p><b>Protocol.</b>
 *
 * <ol>
 *   <li>A thread that {@link OperatingSystem#schedule} grants a real-time policy is noted; not one
 *       that has it for a while only, from a ceiling ({@link OperatingSystem#setPolicy}).
 *   <li>Every {@value #TICK_NS} ns the guard reads how much processor time each of them has used.
 *       One that has used nearly all of {@value #SUSPICIOUS_TICKS} ticks in a row is suspected:
 *       perhaps it waits, perhaps it only works long; nobody can tell.
 *   <li>The threads of this process that are ready to run on the processor of a suspect may use all
 *       other processors of the process until the next tick. One that the suspect waits for goes on
 *       there at once, if it is a real-time thread, and else as soon as there is a turn for it. To
 *       a suspect that only works, nothing happens.
 * </ol>
 *
 * <p><b>Guarantee.</b> If the process has another processor, such a wait ends within some {@value
 * #SUSPICIOUS_TICKS} ticks and the time that the guard waits for its turn. <b>Assumption.</b> No
 * real-time thread uses the guard's own processors: it is a thread like any other, because with a
 * real-time policy it could itself wait as described.
 *
 * <p><b>Thread rule.</b> {@link #note} for any thread. <b>Cost.</b> One call of the kernel for each
 * real-time thread and tick; nothing is allocated unless a thread is suspected.
 */
final class StallGuard implements Runnable {
  static final long TICK_NS = 1_000_000;

  /**
   * Longer than most releases work without a pause: each suspicion lets threads leave the processor
   * that they were bound to, which is not to happen in every release.
   */
  static final int SUSPICIOUS_TICKS = 10;

  /** Threads beyond that are not guarded. */
  static final int CAPACITY = 256;

  private static final StallGuard OF_PROCESS = new StallGuard();

  private final int[] threads = new int[CAPACITY];
  private final long[] usedNs = new long[CAPACITY];
  private final int[] busyTicks = new int[CAPACITY];

  /** Of the last look. */
  private final int[] suspects = new int[CAPACITY];

  private int count;
  private @Nullable Thread thread;
  private volatile boolean running;
  private volatile @Nullable Sleeper sleeper;

  private StallGuard() {}

  /** Notes that a thread of this process was granted a real-time policy. */
  static void note(int threadId) {
    OF_PROCESS.add(threadId);
  }

  static void start() {
    OF_PROCESS.startThread();
  }

  static void stop() {
    OF_PROCESS.stopThread();
  }

  private synchronized void add(int threadId) {
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
        wakeUp(); // and not each time: what it looks at is to be a tick long
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

  private synchronized void startThread() {
    if (thread == null) {
      running = true;
      thread = Thread.ofPlatform().daemon().name("takt-stall-guard").start(this);
    }
  }

  private void stopThread() {
    Thread ended;
    synchronized (this) {
      ended = thread;
      thread = null;
      running = false;
    }
    wakeUp();
    boolean interrupted = false;
    while (ended != null && ended.isAlive()) {
      try {
        ended.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void run() {
    OperatingSystem system = OperatingSystem.current();
    system.schedule(
        Scheduling.OTHER.withSliceNs(LinuxScheduling.SHORTEST_SLICE_NS).withTimerSlackNs(1));
    Sleeper own = system.newSleeper();
    sleeper = own;
    Rescue rescue = new Rescue(system);
    long lastNs = System.nanoTime();
    while (running) {
      if (isIdle()) {
        own.sleep();
      } else {
        own.sleepUntil(lastNs + TICK_NS);
      }
      rescue.end();
      long nowNs = System.nanoTime();
      int suspected = look(nowNs - lastNs);
      lastNs = nowNs;
      // Only now: it takes so long that threads that are looked at later would seem to be idle.
      for (int i = 0; i < suspected; i++) {
        rescue.begin(suspects[i]);
      }
    }
    rescue.end();
  }

  /** Looks at all; returns how many are suspected. */
  private synchronized int look(long passedNs) {
    int suspected = 0;
    for (int i = count - 1; i >= 0; i--) {
      long nowUsedNs = Kernel.threadTimeNs(threads[i]);
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

  /** Nobody has done so while the guard was not needed. */
  private void removeEnded() {
    for (int i = count - 1; i >= 0; i--) {
      if (Kernel.threadTimeNs(threads[i]) < 0) {
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
