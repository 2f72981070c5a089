package dev.takt.realtime.flight;

import org.jspecify.annotations.Nullable;

/**
 * Emits the events of the package. A caller that makes a text for one asks first whether it is on.
 *
 * <p><b>Thread rule:</b> any thread; a release begins and ends on one.
 *
 * <p><b>Cost:</b> off: a call without effect, no allocation. On: an object for each event, and what
 * the Flight Recorder takes, less than a microsecond.
 */
public final class TaktEvents {
  /** A time that is not known. */
  public static final long NO_TIME = Long.MIN_VALUE;

  /** On a module path it is always there; an image for programs on a class path may lack it. */
  private static final boolean AVAILABLE = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private TaktEvents() {}

  /** Loads what emits events, so that the first one takes no longer than the others. */
  public static void load() {
    if (AVAILABLE) {
      boolean _ =
          ReleaseEvent.PROBE.isEnabled()
              | MissEvent.PROBE.isEnabled()
              | OverrunEvent.PROBE.isEnabled()
              | ConflictEvent.PROBE.isEnabled()
              | AdmissionEvent.PROBE.isEnabled()
              | DemotionEvent.PROBE.isEnabled()
              | DropEvent.PROBE.isEnabled();
    }
  }

  /** Begins the event of a release; null: it is off. */
  public static @Nullable Object beginRelease() {
    return AVAILABLE && ReleaseEvent.PROBE.isEnabled() ? begun() : null;
  }

  private static Object begun() {
    ReleaseEvent event = new ReleaseEvent();
    event.begin();
    return event;
  }

  /**
   * Emits a release.
   *
   * @param begun what {@link #beginRelease} has returned
   * @param latenessNs how long after it was due it has begun; {@link #NO_TIME}: unknown
   */
  public static void endRelease(
      Object begun, String task, String outcome, long number, long latenessNs) {
    ReleaseEvent event = (ReleaseEvent) begun;
    event.task = task;
    event.outcome = outcome;
    event.number = number;
    event.latenessNs = latenessNs;
    event.commit();
  }

  /** Returns whether misses are wanted. */
  public static boolean wantsMisses() {
    return AVAILABLE && MissEvent.PROBE.isEnabled();
  }

  /** Emits a miss. */
  public static void miss(String task, long deadlineNs, long tardinessNs) {
    if (wantsMisses()) {
      MissEvent event = new MissEvent();
      event.task = task;
      event.deadlineNs = deadlineNs;
      event.tardinessNs = tardinessNs;
      event.commit();
    }
  }

  /** Returns whether overruns are wanted. */
  public static boolean wantsOverruns() {
    return AVAILABLE && OverrunEvent.PROBE.isEnabled();
  }

  /** Emits an overrun. */
  public static void overrun(String task, long limitNs, long usedNs) {
    if (wantsOverruns()) {
      OverrunEvent event = new OverrunEvent();
      event.task = task;
      event.limitNs = limitNs;
      event.usedNs = usedNs;
      event.commit();
    }
  }

  /** Emits a lost conflict. */
  public static void conflict(String task, int retries) {
    if (AVAILABLE && ConflictEvent.PROBE.isEnabled()) {
      ConflictEvent event = new ConflictEvent();
      event.task = task;
      event.retries = retries;
      event.commit();
    }
  }

  /** Emits a decision about a task. */
  public static void admission(
      String task,
      String authenticationClass,
      String decision,
      long costNs,
      long periodNs,
      String reason) {
    if (AVAILABLE && AdmissionEvent.PROBE.isEnabled()) {
      AdmissionEvent event = new AdmissionEvent();
      event.task = task;
      event.authenticationClass = authenticationClass;
      event.decision = decision;
      event.costNs = costNs;
      event.periodNs = periodNs;
      event.reason = reason;
      event.commit();
    }
  }

  /** Emits that a task has lost its priority. */
  public static void demotion(String task, String kind, String reason) {
    if (AVAILABLE && DemotionEvent.PROBE.isEnabled()) {
      DemotionEvent event = new DemotionEvent();
      event.task = task;
      event.kind = kind;
      event.reason = reason;
      event.commit();
    }
  }

  /** Emits that a task was dropped. */
  public static void drop(String task, boolean stopped, String reason) {
    if (AVAILABLE && DropEvent.PROBE.isEnabled()) {
      DropEvent event = new DropEvent();
      event.task = task;
      event.stopped = stopped;
      event.reason = reason;
      event.commit();
    }
  }
}
