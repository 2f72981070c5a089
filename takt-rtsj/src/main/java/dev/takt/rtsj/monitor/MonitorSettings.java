package dev.takt.rtsj.monitor;

import dev.takt.realtime.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * How a monitor is to be; immutable.
 *
 * @param name what diagnostics call it
 * @param clock what time-outs and measured waits go by; with another one than {@link
 *     NanoClock#system} the kernel cannot do the waiting, so there is no inheritance
 * @param recordsSince whether {@link MonitorOwner#sinceNs} is known, which costs a look at the
 *     clock for each enter
 * @param listener called after inversions; null: none
 */
public record MonitorSettings(
    String name, NanoClock clock, boolean recordsSince, @Nullable InversionListener listener) {
  /** Returns the defaults: the machine's clock, no record of since when, no listener. */
  public static MonitorSettings named(String name) {
    return new MonitorSettings(name, NanoClock.system(), false, null);
  }

  /** Returns this, by another clock. */
  public MonitorSettings withClock(NanoClock clock) {
    return new MonitorSettings(name, clock, recordsSince, listener);
  }

  /** Returns this, with or without the record of since when a thread is inside. */
  public MonitorSettings withRecordsSince(boolean recordsSince) {
    return new MonitorSettings(name, clock, recordsSince, listener);
  }

  /** Returns this, with a listener that is called after inversions. */
  public MonitorSettings withListener(@Nullable InversionListener listener) {
    return new MonitorSettings(name, clock, recordsSince, listener);
  }
}
