package dev.takt.realtime.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A task runs on without priority: it has exceeded its cost, or was displaced. */
@Name("dev.takt.Demotion")
@Label("Demotion")
@Category("Takt")
@Description("A task runs on without priority: it has exceeded its cost, or was displaced.")
@Enabled(false)
@StackTrace(false)
final class DemotionEvent extends Event {
  /** Is asked whether such events are wanted now. */
  static final DemotionEvent PROBE = new DemotionEvent();

  @Label("Task")
  @Nullable String task;

  @Label("Kind")
  @Description("demoted or displaced.")
  @Nullable String kind;

  @Label("Reason")
  @Nullable String reason;
}
