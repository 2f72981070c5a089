package dev.takt.realtime.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** A release took more processor time than its budget or cost. */
@Name("dev.takt.Overrun")
@Label("Overrun")
@Category("Takt")
@Description("A release took more processor time than its budget or cost.")
@Enabled(false)
@StackTrace(false)
final class OverrunEvent extends Event {
  /** Is asked whether such events are wanted now. */
  static final OverrunEvent PROBE = new OverrunEvent();

  @Label("Task")
  @Nullable String task;

  @Label("Limit")
  @Description("The budget, or the cost that the task was admitted with.")
  @Timespan(Timespan.NANOSECONDS)
  long limitNs;

  @Label("Used")
  @Description("The processor time used so far.")
  @Timespan(Timespan.NANOSECONDS)
  long usedNs;
}
