package dev.takt.realtime;

import dev.takt.realtime.os.Sleeper;
import dev.takt.realtime.os.portable.ParkSleeper;
import java.util.concurrent.locks.LockSupport;

/**
 * A monotonic clock, and the way to sleep by it.
 *
 * <p>It has one abstract method, so a lambda is a clock. A clock that does not follow the machine's
 * time also overrides {@link #parkNanos}, so that sleepers wake when its own time has come.
 *
 * <p><b>Thread rule:</b> any thread may call it.
 */
@FunctionalInterface
public interface NanoClock {
  /**
   * Returns the time in nanoseconds since a fixed but arbitrary moment, as {@link System#nanoTime}
   * does.
   */
  long nanoTime();

  /**
   * Puts the calling thread to sleep until {@code durationNs} of this clock have passed, it is
   * unparked or it is interrupted; like {@link LockSupport#parkNanos(long)} it may return early for
   * no reason, and it must honour {@link LockSupport#unpark}.
   *
   * @param durationNs how long to sleep at most; zero and less return at once
   */
  default void parkNanos(long durationNs) {
    LockSupport.parkNanos(durationNs);
  }

  /**
   * Called again and again by a thread that spins until a time; the processor may relax for a
   * moment. A clock that stands still between events puts the thread to sleep instead, until it
   * moves.
   *
   * @param timeNs what it spins for
   */
  default void onSpinWait(long timeNs) {
    Thread.onSpinWait();
  }

  /** Makes what a thread sleeps with by this clock. */
  default Sleeper newSleeper() {
    return new ParkSleeper(this::nanoTime, this::parkNanos);
  }

  /** Returns the machine's clock: {@link System#nanoTime}. */
  static NanoClock system() {
    return SystemNanoClock.INSTANCE;
  }
}
