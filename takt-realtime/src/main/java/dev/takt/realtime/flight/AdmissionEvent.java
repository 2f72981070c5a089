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

/** A CPU manager has decided about a task. */
@Name("dev.takt.Admission")
@Label("Admission")
@Category("Takt")
@Description("A CPU manager has decided about a task.")
@Enabled(false)
@StackTrace(false)
final class AdmissionEvent extends Event {
  /** Is asked whether such events are wanted now. */
  static final AdmissionEvent PROBE = new AdmissionEvent();

  @Label("Task")
  @Nullable String task;

  @Label("Authentication Class")
  @Nullable String authenticationClass;

  @Label("Decision")
  @Description("admitted, trial or rejected.")
  @Nullable String decision;

  @Label("Cost")
  @Description("The processor time of a release that was asked for.")
  @Timespan(Timespan.NANOSECONDS)
  long costNs;

  @Label("Period")
  @Timespan(Timespan.NANOSECONDS)
  long periodNs;

  @Label("Reason")
  @Nullable String reason;
}
