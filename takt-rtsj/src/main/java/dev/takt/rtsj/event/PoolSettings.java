package dev.takt.rtsj.event;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.internal.Ranges;
import dev.takt.realtime.os.ThreadScheduling;
import java.util.Objects;

/**
 * What a pool of handlers is made with.
 *
 * @param name what it is called; its threads are called so with a number
 * @param threads how many threads it has, 1 to {@value #MAX_THREADS}; as many handlers run at once
 * @param scheduling how its threads are scheduled, whatever handler they run
 * @param maxHandlers how many handlers it can have, 1 to {@value #MAX_HANDLERS}; a thread that
 *     looks for work looks at each, so that it costs time rather than memory
 * @param clock the clock to wait by
 */
public record PoolSettings(
    String name, int threads, ThreadScheduling scheduling, int maxHandlers, NanoClock clock) {
  /** The largest number of threads: a fire may look at each. */
  public static final int MAX_THREADS = 64;

  /** The largest number of handlers. */
  public static final int MAX_HANDLERS = 1_024;

  /** The default number of handlers. */
  public static final int DEFAULT_MAX_HANDLERS = 64;

  /** Checks each value. */
  public PoolSettings {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(scheduling, "scheduling");
    Objects.requireNonNull(clock, "clock");
    Ranges.check("threads", threads, 1, MAX_THREADS);
    Ranges.check("maxHandlers", maxHandlers, 1, MAX_HANDLERS, "; use several pools for more");
  }

  /** Settings with the default number of handlers and the system's clock. */
  public static PoolSettings of(String name, int threads, ThreadScheduling scheduling) {
    return new PoolSettings(name, threads, scheduling, DEFAULT_MAX_HANDLERS, NanoClock.system());
  }

  /** Returns this, with a number of handlers. */
  public PoolSettings withMaxHandlers(int maxHandlers) {
    return new PoolSettings(name, threads, scheduling, maxHandlers, clock);
  }

  /** Returns this, with a clock. */
  public PoolSettings withClock(NanoClock clock) {
    return new PoolSettings(name, threads, scheduling, maxHandlers, clock);
  }
}
