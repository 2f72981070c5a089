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

/** A release of a task, from its begin to its end. */
@Name("dev.takt.Release")
@Label("Release")
@Category("Takt")
@Description("A release of a task, from its begin to its end.")
@Enabled(false)
@StackTrace(false)
final class ReleaseEvent extends Event {
  /** Is asked whether such events are wanted now. */
  static final ReleaseEvent PROBE = new ReleaseEvent();

  @Label("Task")
  @Nullable String task;

  @Label("Outcome")
  @Nullable String outcome;

  @Label("Lateness")
  @Description("How long after it was due it has begun; none where no times are taken.")
  @Timespan(Timespan.NANOSECONDS)
  long latenessNs;

  @Label("Number")
  @Description("Which release of the task it is.")
  long number;
}
