package dev.takt.rtsj.timer;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.KernelClock;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Shortfall;
import java.util.Locale;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A clock that timers go by.
 *
 * <p><b>Thread rule:</b> any thread. Reading one of the operating system's allocates nothing where
 * there is native access.
 *
 * @param name what it is called
 * @param reading the time in nanoseconds since the clock's own beginning
 * @param resolutionNs the clock's step, in nanoseconds, as the system states it; 0: unknown
 * @param steady whether it runs like {@link NanoClock#system} and is never set; one that is not can
 *     be set, forward or back, or goes on while the machine is suspended
 * @param shortfall why it is not what was asked for but the best there is here; null: it is
 */
public record TimerClock(
    String name,
    LongSupplier reading,
    long resolutionNs,
    boolean steady,
    @Nullable Shortfall shortfall) {
  /** The clock that is never set, and stands still while the machine is suspended. */
  public static final TimerClock MONOTONIC = of(OperatingSystems.current(), KernelClock.MONOTONIC);

  /** The time of day: nanoseconds since 1970-01-01T00:00Z. It can be set. */
  public static final TimerClock WALL = of(OperatingSystems.current(), KernelClock.REALTIME);

  /** The clock that is never set, and goes on while the machine is suspended. */
  public static final TimerClock BOOT_TIME = of(OperatingSystems.current(), KernelClock.BOOTTIME);

  /**
   * Atomic time: nanoseconds since 1970-01-01T00:00:10 TAI, without leap seconds. It is as right as
   * the service that sets the machine's time has made it: a kernel that does not know the number of
   * leap seconds shows the time of day.
   */
  public static final TimerClock TAI = of(OperatingSystems.current(), KernelClock.TAI);

  /** Checks the values. */
  public TimerClock {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(reading, "reading");
    if (resolutionNs < 0) {
      throw new IllegalArgumentException(
          "resolutionNs=" + resolutionNs + " (expected: at least 1, or 0: unknown)");
    }
  }

  /** Returns the time in nanoseconds. */
  public long nowNs() {
    return reading.getAsLong();
  }

  /**
   * Makes a steady clock of one that other things wait by: {@link NanoClock#system}, or one that a
   * test moves.
   */
  public static TimerClock of(NanoClock clock) {
    return new TimerClock("monotonic", clock::nanoTime, 1, true, null);
  }

  /**
   * Makes one of the operating system's clocks.
   *
   * <p>Where it is not there, the best that there is takes its place, with a {@link #shortfall}:
   * the monotonic clock for the boot time, the time of day for atomic time.
   */
  public static TimerClock of(OperatingSystem system, KernelClock kind) {
    Shortfall missing = null;
    if (!system.hasClock(kind)) {
      missing =
          new Shortfall(
              "clock",
              kind.toString(),
              system.isNative() ? "the kernel does not know it" : system.whyNotNative(),
              "run on Linux, with --enable-native-access=dev.takt.realtime (or ALL-UNNAMED)");
    }
    return new TimerClock(
        kind.name().toLowerCase(Locale.ROOT),
        () -> system.clockNs(kind),
        system.clockResolutionNs(kind),
        kind == KernelClock.MONOTONIC,
        missing);
  }
}
