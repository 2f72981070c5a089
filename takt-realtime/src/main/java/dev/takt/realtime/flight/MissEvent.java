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

/** A release has ended past its deadline. */
@Name("dev.takt.Miss")
@Label("Miss")
@Category("Takt")
@Description("A release has ended past its deadline.")
@Enabled(false)
@StackTrace(false)
final class MissEvent extends Event {
  /** Is asked whether such events are wanted now. */
  static final MissEvent PROBE = new MissEvent();

  @Label("Task")
  @Nullable String task;

  @Label("Deadline")
  @Timespan(Timespan.NANOSECONDS)
  long deadlineNs;

  @Label("Tardiness")
  @Description("How long after its deadline it has ended.")
  @Timespan(Timespan.NANOSECONDS)
  long tardinessNs;
}
