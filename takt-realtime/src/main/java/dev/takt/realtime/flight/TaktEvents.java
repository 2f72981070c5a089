package dev.takt.realtime.flight;

import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
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

  /** Whether the Flight Recorder has begun to work, and so an event may be on. */
  private static volatile boolean recording;

  static {
    // On a module path it is always there; an image for programs on a class path may lack it.
    if (ModuleLayer.boot().findModule("jdk.jfr").isPresent()) {
      Begin.await();
    }
  }

  private TaktEvents() {}

  /**
   * Is told when the Flight Recorder begins to work, before anything is recorded. Registering
   * events before that would make it work: this takes hundreds of milliseconds, which the first
   * release of a program had to wait for.
   */
  private static final class Begin implements FlightRecorderListener {
    /** Here, since this class alone may name those of a module that can be missing. */
    static void await() {
      FlightRecorder.addListener(new Begin());
    }

    @Override
    public void recorderInitialized(FlightRecorder recorder) {
      boolean _ =
          ReleaseEvent.PROBE.isEnabled()
              | MissEvent.PROBE.isEnabled()
              | OverrunEvent.PROBE.isEnabled()
              | ConflictEvent.PROBE.isEnabled()
              | AdmissionEvent.PROBE.isEnabled()
              | DemotionEvent.PROBE.isEnabled()
              | DropEvent.PROBE.isEnabled();
      recording = true;
    }
  }

  /**
   * Makes sure that events are there when a recording begins, so that the first one takes no longer
   * than the others.
   */
  public static void load() {
    // the class is initialized
  }

  /** Begins the event of a release; null: it is off. */
  public static @Nullable Object beginRelease() {
    return recording && ReleaseEvent.PROBE.isEnabled() ? begun() : null;
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
    return recording && MissEvent.PROBE.isEnabled();
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
    return recording && OverrunEvent.PROBE.isEnabled();
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
    if (recording && ConflictEvent.PROBE.isEnabled()) {
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
    if (recording && AdmissionEvent.PROBE.isEnabled()) {
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
    if (recording && DemotionEvent.PROBE.isEnabled()) {
      DemotionEvent event = new DemotionEvent();
      event.task = task;
      event.kind = kind;
      event.reason = reason;
      event.commit();
    }
  }

  /** Emits that a task was dropped. */
  public static void drop(String task, boolean stopped, String reason) {
    if (recording && DropEvent.PROBE.isEnabled()) {
      DropEvent event = new DropEvent();
      event.task = task;
      event.stopped = stopped;
      event.reason = reason;
      event.commit();
    }
  }
}
