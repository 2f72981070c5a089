package dev.takt.realtime.os.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.takt.realtime.os.Sleeper;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sleeps in the kernel by a word, until an absolute time of {@link System#nanoTime}.
 *
 * <p><b>Purpose.</b> A parked Java thread sleeps for a duration, on a lock and a condition of the C
 * library. This one arms the same high-resolution timer as {@code clock_nanosleep} does with an
 * absolute time, and yet can be woken.
 *
 * <p><b>Protocol.</b> The word is {@link #EMPTY}, {@link #PERMIT}, {@link #SLEEPING} or {@link
 * #CALLED}; each step is a compare-and-set or a swap:
 *
 * <pre>
 *              sleep                     wake, then FUTEX_WAKE
 *      EMPTY ---------&gt; SLEEPING -----------------------------&gt; CALLED --+ wake: FUTEX_WAKE again
 *      | ^ ^               |                                    |    ^   |
 *      | | +-- its time ---+                                    |    +---+
 *      | +---- the sleeper, awake ------------------------------+
 *      | +---- the sleeper ------------+
 *      |                               |
 *      +---- wake -----------------&gt; PERMIT
 * </pre>
 *
 * <ol>
 *   <li>No wake-up is lost: the kernel looks at the word and queues the sleeper in one step, so a
 *       {@link #wake} comes before that step, and the sleeper does not sleep, or after it, and
 *       finds the sleeper queued.
 *   <li>A wake-up may be spurious: the sleeper's time may come between a waker's swap and its
 *       FUTEX_WAKE, which then ends the sleeper's next sleep. A signal to the thread ends one, too.
 *   <li>A wake without a sleeper costs no call to the kernel.
 *   <li>No wake relies on another one: a waker may have been preempted before its FUTEX_WAKE. So
 *       until the sleeper is awake, each further wake calls the kernel as well.
 * </ol>
 *
 * <p><b>Interrupts.</b> {@link Thread#interrupt} cannot wake a thread here. A thread that is
 * interrupted already does not begin to sleep, as with {@link LockSupport#park}; code that
 * interrupts a sleeping one also calls {@link #wake}, after the interrupt.
 *
 * <p><b>Safepoints.</b> A sleeping thread is in native code: the JVM need not wait for it. It stops
 * on its way back while a safepoint is in progress. Thread dumps show it as running.
 *
 * <p><b>Virtual threads</b> park, because they must not hold their carrier.
 *
 * <p><b>Guarantees.</b> {@link #wake} is lock-free but for the kernel's call.
 *
 * <p><b>Thread rule.</b> One thread sleeps; any thread wakes.
 *
 * <p><b>Memory.</b> 128 bytes of native memory, freed some time after the object is unreachable.
 * Neither sleeping nor waking allocates.
 */
final class FutexSleeper implements Sleeper {
  private static final int EMPTY = 0;
  private static final int PERMIT = 1;
  private static final int SLEEPING = 2;

  /** A permit for a sleeper that need not be awake yet. */
  private static final int CALLED = 3;

  private static final VarHandle WORD = JAVA_INT.varHandle();

  /** Two cache lines, because neighbours are fetched in pairs: nothing else shares the word's. */
  private static final long SIZE_BYTES = 128;

  private static final long TIME = 64;

  private final MemorySegment memory = Arena.ofAuto().allocate(SIZE_BYTES, SIZE_BYTES);
  private final long wordAddress = memory.address();
  private final long timeAddress = wordAddress + TIME;

  /** The virtual thread that sleeps here; null: none, or it is a platform thread. */
  private volatile @Nullable Thread parked;

  @Override
  public void sleepUntil(long timeNs) {
    if (beginSleep(timeNs - System.nanoTime() <= 0)) {
      // Overflow: no limit.
      block(timeNs < 0 ? Long.MAX_VALUE : timeNs, true);
      endSleep();
    }
  }

  @Override
  public void sleep() {
    if (beginSleep(false)) {
      block(0, false);
      endSleep();
    }
  }

  /** Takes a permit if there is one; true if the thread is to sleep. */
  private boolean beginSleep(boolean isPast) {
    if ((int) WORD.getVolatile(memory, 0L) == PERMIT) {
      endSleep();
      return false;
    }
    if (isPast || Thread.currentThread().isInterrupted()) {
      return false;
    }
    if (Thread.currentThread().isVirtual()) {
      parked = Thread.currentThread();
    }
    if (!WORD.compareAndSet(memory, 0L, EMPTY, SLEEPING)) {
      endSleep(); // woken just now
      return false;
    }
    return true;
  }

  private void block(long timeNs, boolean timed) {
    if (parked != null) {
      if (timed) {
        LockSupport.parkNanos(this, timeNs - System.nanoTime());
      } else {
        LockSupport.park(this);
      }
      return;
    }
    if (timed) {
      Structs.setTime(memory, TIME, timeNs);
    }
    Kernel.callQuietly(
        Syscall.FUTEX,
        wordAddress,
        Futex.WAIT_BITSET,
        SLEEPING,
        timed ? timeAddress : 0,
        0,
        Futex.MATCH_ANY);
    Reference.reachabilityFence(memory);
  }

  /**
   * Takes a permit that has come; by a swap, so that what its giver did before is seen after this.
   */
  private void endSleep() {
    int taken = (int) WORD.getAndSet(memory, 0L, EMPTY);
    if (parked != null) {
      parked = null;
    }
  }

  /**
   * The word is not SLEEPING, so the kernel looks at it and lets the thread go on; and nobody is
   * there to be woken. An expired time in its place would put the thread to sleep and wake it by
   * the timer's interrupt, which takes as long as any sleep.
   */
  @Override
  public void warmCaches() {
    if (!Thread.currentThread().isVirtual()) {
      block(System.nanoTime(), true);
      wakeInKernel();
    }
  }

  @Override
  public void wake() {
    if (call()) {
      Thread thread = parked;
      if (thread != null) {
        LockSupport.unpark(thread);
      } else {
        wakeInKernel();
      }
    }
  }

  /**
   * Leaves a permit. By a compare-and-set also where nothing changes, so that the sleeper sees what
   * was done before.
   *
   * @return whether the sleeper may be asleep, and is to be woken
   */
  boolean call() {
    while (true) {
      int seen = (int) WORD.getVolatile(memory, 0L);
      int next = seen == SLEEPING || seen == CALLED ? CALLED : PERMIT;
      if (WORD.compareAndSet(memory, 0L, seen, next)) {
        return next == CALLED;
      }
    }
  }

  private void wakeInKernel() {
    Kernel.callQuietly(Syscall.FUTEX, wordAddress, Futex.WAKE, 1, 0, 0, 0);
    Reference.reachabilityFence(memory);
  }
}
