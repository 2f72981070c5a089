package dev.takt.rtsj.timer;

import dev.takt.realtime.LeadBounds;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.internal.Ranges;
import dev.takt.realtime.os.ThreadScheduling;
import java.util.Objects;

/**
 * What a timer service is made with.
 *
 * @param name what it and its thread are called
 * @param scheduling how its thread is scheduled; its priority should be above those of the handlers
 *     that the timers release
 * @param maxTimers how many timers there can be at once, 1 to {@value #MAX_TIMERS}; each costs
 *     about 150 bytes
 * @param clockCheckNs how often, while a timer by a clock that can be set waits, that clock is
 *     looked at, 100,000 ns to one second: after it was set, its timers are late by that much at
 *     most
 * @param lead how much the thread may spin to hit the time, as a real-time thread does before its
 *     releases; {@link LeadBounds#NO_SPIN}: timers are as late as the system wakes the thread
 * @param clock the clock to sleep by
 */
public record TimerSettings(
    String name,
    ThreadScheduling scheduling,
    int maxTimers,
    long clockCheckNs,
    LeadBounds lead,
    NanoClock clock) {
  /** The largest number of timers. */
  public static final int MAX_TIMERS = 1 << 16;

  /** The default number of timers. */
  public static final int DEFAULT_MAX_TIMERS = 256;

  /** The default of how often clocks that can be set are looked at: every 10 ms. */
  public static final long DEFAULT_CLOCK_CHECK_NS = 10_000_000;

  private static final long MIN_CLOCK_CHECK_NS = 100_000;
  private static final long MAX_CLOCK_CHECK_NS = 1_000_000_000;

  /** Checks each value. */
  public TimerSettings {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(scheduling, "scheduling");
    Objects.requireNonNull(lead, "lead");
    Objects.requireNonNull(clock, "clock");
    Ranges.check("maxTimers", maxTimers, 1, MAX_TIMERS);
    Ranges.check("clockCheckNs", clockCheckNs, MIN_CLOCK_CHECK_NS, MAX_CLOCK_CHECK_NS);
  }

  /** Settings with the defaults and the system's clock. */
  public static TimerSettings of(String name, ThreadScheduling scheduling) {
    return new TimerSettings(
        name,
        scheduling,
        DEFAULT_MAX_TIMERS,
        DEFAULT_CLOCK_CHECK_NS,
        LeadBounds.DEFAULTS,
        NanoClock.system());
  }

  /** Returns this, with a number of timers. */
  public TimerSettings withMaxTimers(int maxTimers) {
    return new TimerSettings(name, scheduling, maxTimers, clockCheckNs, lead, clock);
  }

  /** Returns this, looking at clocks that can be set so often. */
  public TimerSettings withClockCheckNs(long clockCheckNs) {
    return new TimerSettings(name, scheduling, maxTimers, clockCheckNs, lead, clock);
  }

  /** Returns this, with bounds of the spin. */
  public TimerSettings withLead(LeadBounds lead) {
    return new TimerSettings(name, scheduling, maxTimers, clockCheckNs, lead, clock);
  }

  /** Returns this, with a clock. */
  public TimerSettings withClock(NanoClock clock) {
    return new TimerSettings(name, scheduling, maxTimers, clockCheckNs, lead, clock);
  }
}
