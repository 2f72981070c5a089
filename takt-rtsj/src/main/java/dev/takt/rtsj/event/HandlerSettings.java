package dev.takt.rtsj.event;

import dev.takt.realtime.LeadBounds;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.ReleaseParameters;
import dev.takt.realtime.os.ThreadScheduling;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a handler is made with.
 *
 * @param name what it, and the thread of a bound one, is called
 * @param scheduling how the thread of a bound handler is scheduled; of a pooled one only the
 *     priority counts, by which the pool chooses among those that are pending
 * @param spinNs how long a bound handler that has nothing to do looks for the next fire before it
 *     sleeps, 0 (it sleeps at once) to {@value #MAX_SPIN_NS} ns: that spares a fire that comes soon
 *     the waking of a thread. Over time it spins for {@link LeadBounds#DEFAULT_MAX_SPIN_SHARE} of
 *     the time at most, because the kernel stops real-time threads that never sleep; when that is
 *     spent, it sleeps at once
 * @param release which fires become releases, and when: sporadic or aperiodic; null: each, at once
 * @param clock the clock to wait by
 * @param failureHandler called when the logic throws
 */
public record HandlerSettings(
    String name,
    ThreadScheduling scheduling,
    long spinNs,
    @Nullable ReleaseParameters release,
    NanoClock clock,
    EventFailureHandler failureHandler) {
  /**
   * The longest spin: a real-time thread that spins for longer keeps others from running, and is
   * stopped by the kernel in the end.
   */
  public static final long MAX_SPIN_NS = 1_000_000;

  /** Checks each value. */
  public HandlerSettings {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(scheduling, "scheduling");
    Objects.requireNonNull(clock, "clock");
    Objects.requireNonNull(failureHandler, "failureHandler");
    if (spinNs < 0 || spinNs > MAX_SPIN_NS) {
      throw new IllegalArgumentException(
          "spinNs=" + spinNs + " (expected: 0, which is off, to " + MAX_SPIN_NS + ")");
    }
  }

  /** Settings without spin, by the system's clock, without a failure handler. */
  public static HandlerSettings of(String name, ThreadScheduling scheduling) {
    return new HandlerSettings(
        name, scheduling, 0, null, NanoClock.system(), EventFailureHandler.NONE);
  }

  /** Returns this, with a spin before a bound handler sleeps. */
  public HandlerSettings withSpinNs(long spinNs) {
    return new HandlerSettings(name, scheduling, spinNs, release, clock, failureHandler);
  }

  /** Returns this, with release parameters: sporadic or aperiodic; null: none. */
  public HandlerSettings withRelease(@Nullable ReleaseParameters release) {
    return new HandlerSettings(name, scheduling, spinNs, release, clock, failureHandler);
  }

  /** Returns this, with a clock. */
  public HandlerSettings withClock(NanoClock clock) {
    return new HandlerSettings(name, scheduling, spinNs, release, clock, failureHandler);
  }

  /** Returns this, with a failure handler. */
  public HandlerSettings withFailureHandler(EventFailureHandler failureHandler) {
    return new HandlerSettings(name, scheduling, spinNs, release, clock, failureHandler);
  }
}
