package dev.takt.reflex;

import dev.takt.realtime.RunningRelease;
import dev.takt.realtime.stop.StopSwitch;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * Ends releases that do not end by themselves: the loops of their woven classes are made to ask
 * whether they are to stop.
 *
 * <p><b>Thread rule:</b> any thread.
 */
final class ForcedStop {
  /** The time between two looks whether all have ended. */
  private static final long LOOK_NS = 10_000_000;

  /** The time between two looks whether one release has ended. */
  private static final long ABORT_LOOK_NS = 20_000;

  private ForcedStop() {}

  /**
   * Asks the running releases of some tasks to end.
   *
   * @param flipped the classes that ask already; those that ask from now on are added. They are to
   *     be {@linkplain StopSwitch#rearm rearmed} later
   * @return whether there is a task; its release may only be about to begin, so come again
   */
  static boolean end(Collection<? extends TaskRunner> runners, Set<Class<?>> flipped) {
    Set<Class<?>> classes = new LinkedHashSet<>();
    for (TaskRunner runner : runners) {
      TaskState state = runner.state;
      state.memory().requestStop();
      if (state.memory().isEntered()) {
        classes.addAll(state.classes());
      }
    }
    classes.removeAll(flipped);
    StopSwitch.flip(classes);
    flipped.addAll(classes);
    return !runners.isEmpty();
  }

  /**
   * Ends the releases of all tasks, which are not released again, and waits for that.
   *
   * @param deadlineNs until when; see {@link Waits#deadlineNs}
   * @param awaitEnd waits until a time for the end of all; returns whether that has come
   * @return false if it does not help in time
   */
  static boolean endAll(
      Collection<? extends TaskRunner> runners, long deadlineNs, LongPredicate awaitEnd) {
    Set<Class<?>> flipped = new HashSet<>();
    boolean ended = false;
    try {
      while (!ended && !Waits.isOver(deadlineNs) && end(runners, flipped)) {
        ended = awaitEnd.test(Waits.deadlineNs(LOOK_NS, deadlineNs));
      }
      return ended;
    } finally {
      StopSwitch.rearm(flipped);
    }
  }

  /**
   * Aborts the release that a task runs now, and waits for its end; later releases are not meant.
   *
   * @param deadlineNs until when; see {@link Waits#deadlineNs}; an interrupt ends the wait, too
   * @return whether it has ended; false, too, if none runs, or the calling thread runs it
   */
  static boolean abort(TaskRunner runner, long deadlineNs) {
    RunningRelease release = runner.running();
    TaskState state = runner.state;
    if (release == null || release.thread() == Thread.currentThread()) {
      return false;
    }
    StopSwitch.flip(state.classes());
    try {
      // Again and again, because a release that loses a conflict begins another attempt.
      while (state.memory().requestAbort(() -> runner.releases.runs(release.number()))) {
        if (Waits.isOver(deadlineNs) || Thread.currentThread().isInterrupted()) {
          return false;
        }
        Waits.pause(ABORT_LOOK_NS);
      }
      return true;
    } finally {
      StopSwitch.rearm(state.classes());
    }
  }
}
