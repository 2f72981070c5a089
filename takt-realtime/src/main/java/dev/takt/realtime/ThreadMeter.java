package dev.takt.realtime;

import dev.takt.realtime.os.Shortfall;
import org.jspecify.annotations.Nullable;

/**
 * Measures what the calling thread has used so far.
 *
 * <p><b>Thread rule:</b> each thread measures itself. Measuring allocates nothing.
 */
public interface ThreadMeter {
  /** In place of a value: this JVM does not measure it. */
  long UNKNOWN = -1;

  /**
   * Returns the processor time of the calling thread, in nanoseconds from a fixed but arbitrary
   * moment; {@link #UNKNOWN} if it is not measured.
   */
  long usedNs();

  /**
   * Returns how many bytes of the heap the calling thread has allocated since it began; {@link
   * #UNKNOWN} if it is not measured.
   */
  long allocatedBytes();

  /**
   * Returns why releases cannot be judged by their budget; null: they can.
   *
   * @param subject the name of the thread or handler that has a budget
   */
  default @Nullable Shortfall budgetShortfall(String subject) {
    return usedNs() != UNKNOWN
        ? null
        : new Shortfall(
            "budget",
            subject,
            "this JVM does not measure the processor time of threads, so overruns are not counted",
            "run on a HotSpot JVM, and let ThreadMXBean's thread CPU time be enabled");
  }

  /**
   * Returns the processor time that any thread of this JVM has used since it began, in nanoseconds;
   * {@link #UNKNOWN} if it has ended, or is not measured.
   *
   * @param threadId a value of {@link Thread#threadId}; 0 is no thread
   */
  static long usedNs(long threadId) {
    return SystemThreadMeter.INSTANCE.usedNs(threadId);
  }

  /**
   * Returns the JVM's own: processor time (about 400 ns a call) and allocated bytes (about 16 ns).
   */
  static ThreadMeter system() {
    return SystemThreadMeter.INSTANCE;
  }

  /**
   * Returns the meter for threads that live by a clock: the {@linkplain #system JVM's own} for the
   * machine's clock; by any other all time that passes is processor time.
   */
  static ThreadMeter of(NanoClock clock) {
    return clock == NanoClock.system()
        ? system()
        : new ThreadMeter() {
          @Override
          public long usedNs() {
            return clock.nanoTime();
          }

          @Override
          public long allocatedBytes() {
            return system().allocatedBytes();
          }
        };
  }
}
