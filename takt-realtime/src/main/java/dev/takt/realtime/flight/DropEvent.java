package dev.takt.realtime.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A task that has exceeded its cost is released no more. */
@Name("dev.takt.Drop")
@Label("Drop")
@Category("Takt")
@Description("A task that has exceeded its cost is released no more.")
@Enabled(false)
@StackTrace(false)
final class DropEvent extends Event {
  /** Is asked whether such events are wanted now. */
  static final DropEvent PROBE = new DropEvent();

  @Label("Task")
  @Nullable String task;

  @Label("Stopped")
  @Description("Whether its last release has ended.")
  boolean stopped;

  @Label("Reason")
  @Nullable String reason;
}
