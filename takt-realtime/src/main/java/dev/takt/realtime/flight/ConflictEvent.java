package dev.takt.realtime.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** An attempt of a release has lost against another transaction. */
@Name("dev.takt.Conflict")
@Label("Conflict")
@Category("Takt")
@Description("An attempt of a release has lost against another transaction.")
@Enabled(false)
@StackTrace(false)
final class ConflictEvent extends Event {
  /** Is asked whether such events are wanted now. */
  static final ConflictEvent PROBE = new ConflictEvent();

  @Label("Task")
  @Nullable String task;

  @Label("Retries")
  @Description("How many attempts of this release have lost before.")
  int retries;
}
