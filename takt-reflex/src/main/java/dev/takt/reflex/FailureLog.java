package dev.takt.reflex;

import dev.takt.space.Event;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Set;

/**
 * Tells what goes wrong with one task: the handler of the settings or, without one, the log {@value
 * #NAME}. There the first failure comes with its stack trace, then the number of failures at most
 * once in ten seconds, and a line when the task is stopped.
 *
 * <p><b>Thread rule:</b> for the thread that runs the task.
 */
final class FailureLog {
  static final String NAME = "dev.takt.reflex";

  private static final long INTERVAL_NS = 10_000_000_000L;

  /** Looked up when something is logged for the first time: that loads much. */
  private static final class Log {
    static final Logger LOG = System.getLogger(NAME);
  }

  private final TaskRunner task;
  private final RuntimeSettings settings;
  private long told;
  private long loggedNs;
  private boolean saidStopped;
  private final Set<String> saidUnmatched = new HashSet<>();

  FailureLog(TaskRunner task, RuntimeSettings settings) {
    this.task = task;
    this.settings = settings;
  }

  static void warn(String message) {
    Log.LOG.log(Level.WARNING, message);
  }

  /** Says that events are left, and why; any thread. */
  void left(int count, Event template, String why) {
    warn(
        "drain: events are left for task "
            + task.name()
            + ", "
            + why
            + ": "
            + count
            + (count == 1 ? " match of " : " matches of ")
            + template);
  }

  /** Says, once, that a subscription most likely asks for something else than was meant. */
  synchronized void unmatched(Event template, String why) {
    if (saidUnmatched.add(template.toString())) {
      warn("subscription " + template + " of " + task.name() + " never matched; " + why);
    }
  }

  void tell(Throwable failure) {
    told++;
    try {
      TaskFailureHandler handler = settings.failureHandler();
      if (handler == null) {
        log(failure);
      } else {
        handler.onFailure(task, failure);
      }
    } catch (Throwable e) {
      Log.LOG.log(Level.ERROR, "the failure handler failed for task " + task.name(), e);
    }
  }

  private void log(Throwable failure) {
    long nowNs = settings.clock().nanoTime();
    if (told == 1) {
      loggedNs = nowNs;
      Log.LOG.log(Level.WARNING, "task " + task.name() + ": a release failed", failure);
    } else if (nowNs - loggedNs >= INTERVAL_NS) {
      loggedNs = nowNs;
      Log.LOG.log(
          Level.WARNING,
          "task " + task.name() + ": " + told + " failures until now, the last: " + failure);
    }
    if (task.hasFailedTooOften() && !saidStopped) {
      saidStopped = true;
      Log.LOG.log(
          Level.ERROR,
          "task " + task.name() + " is stopped and never released again, " + whyStopped(failure));
    }
  }

  private String whyStopped(Throwable failure) {
    if (failure instanceof ReleaseStopped) {
      return "because its release did not end by itself: " + failure;
    }
    long failures = task.failures();
    return "after "
        + failures
        + (failures == 1 ? " failed release, the last: " : " failed releases, the last: ")
        + failure
        + "; mend the cause, or raise RuntimeSettings.withMaxFailures ("
        + settings.maxFailures()
        + " in a row)";
  }
}
