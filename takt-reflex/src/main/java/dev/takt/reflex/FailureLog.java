package dev.takt.reflex;

import dev.takt.realtime.ReleaseOutcome;
import dev.takt.reflex.limit.ReleaseStopped;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reports the failures of one task to the handler of the settings or, without one, the log {@value
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
  private volatile @Nullable Throwable first;

  /** What has gone wrong in the running release and was not reported yet. */
  private @Nullable Throwable unreported;

  private int failuresInRow;

  /** The reasons of aborts that were not seen yet, and so are to have a stack trace. */
  final Set<Abort.Reason> traced =
      EnumSet.of(Abort.Reason.REQUESTED, Abort.Reason.SPACE_FULL, Abort.Reason.TOO_MANY_OPERATIONS);

  /** The first aborts, with their stack traces, by the numbers of their reasons. */
  private final @Nullable Abort[] firstAborts = new Abort[Abort.Reason.values().length];

  private long told;
  private long loggedNs;
  private boolean saidStopped;
  private final Set<String> saidUnmatched = new HashSet<>();

  FailureLog(TaskRunner task, RuntimeSettings settings) {
    this.task = task;
    this.settings = settings;
  }

  /** Returns the first failure of the task, or null; any thread. */
  @Nullable Throwable first() {
    return first;
  }

  /** Remembers a failure, and that it is to be reported. */
  void report(Throwable thrown) {
    if (first == null) {
      first = thrown;
    }
    unreported = thrown;
  }

  /** Reports a failure; returns whether it was one too many. */
  boolean fail(Throwable thrown) {
    report(thrown);
    return ++failuresInRow >= settings.maxFailures();
  }

  /** A release has ended. */
  void released(ReleaseOutcome outcome) {
    if (outcome == ReleaseOutcome.COMPLETED && failuresInRow != 0) {
      failuresInRow = 0;
    }
    Throwable failure = unreported;
    if (failure != null) {
      unreported = null;
      tell(failure);
    }
  }

  /** The task is initialized: what went wrong then is thrown, and an abort is no failure now. */
  void initialized() {
    unreported = null;
    traced.remove(Abort.Reason.REQUESTED);
  }

  /** Returns the first abort for the same reason, whose stack trace shows where that was. */
  Abort first(Abort abort) {
    int reason = abort.reason().ordinal();
    Abort earlier = firstAborts[reason];
    if (earlier == null) {
      traced.remove(abort.reason());
      firstAborts[reason] = abort;
      return abort;
    }
    return earlier;
  }

  @Nullable Abort firstAbort(Abort.Reason reason) {
    return firstAborts[reason.ordinal()];
  }

  static void warn(String message) {
    Log.LOG.log(Level.WARNING, message);
  }

  /** Logs that events are left, and why; any thread. */
  void left(int count, Event template, String why) {
    warn(
        "drain: events are left for task %s, %s: %s %s of %s"
            .formatted(task.name(), why, count, count == 1 ? "match" : "matches", template));
  }

  /** Logs, once, that a subscription most likely asks for something else than was meant. */
  synchronized void unmatched(Event template, String why) {
    if (saidUnmatched.add(template.toString())) {
      warn("subscription " + template + " of " + task.name() + " never matched; " + why);
    }
  }

  private void tell(Throwable failure) {
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
    long failures = task.failed();
    return "after %s failed %s, the last: %s; mend the cause, or raise RuntimeSettings.withMaxFailures, in a host --max-failures (%s in a row)"
        .formatted(
            failures, failures == 1 ? "release" : "releases", failure, settings.maxFailures());
  }
}
