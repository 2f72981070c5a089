package dev.takt.realtime;

import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.ThreadScheduling;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a supervisor can do to something with releases. Mechanism only: when to do it is a policy,
 * and belongs to the caller.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public interface Supervised extends Schedulable {
  /**
   * Aborts the release that runs now, and waits for its end; it is undone. It can be aborted at the
   * next backward branch or recursive call of its code. Other releases are not meant, but code that
   * is shared with them runs slowly for a moment.
   *
   * @param timeout how long to wait; an interrupt of the caller ends the wait, and is kept
   * @return whether it has ended; false, too, if none runs, or the calling thread runs it
   */
  boolean abortRelease(Duration timeout);

  /**
   * Takes its priority away: it has the lowest from now on, and a thread of its own has no
   * real-time policy any more, until it is {@linkplain #restore restored}; one that it shares with
   * others has none until its present release has ended.
   */
  void demote();

  /**
   * As {@link #running}, for who looks often and must not wait for memory: what times its releases
   * allocates nothing here.
   *
   * @param into is set to the release that runs now; what it is otherwise means nothing
   * @return false: none runs, or it ended during this call
   */
  default boolean view(ReleaseView into) {
    RunningRelease running = running();
    if (running == null) {
      return false;
    }
    into.set(running.number(), running.dueNs(), running.beginNs(), running.thread());
    return true;
  }

  /** What {@link #nextDueNs} returns where nobody knows. */
  long UNKNOWN_NS = Long.MIN_VALUE;

  /**
   * Returns when its next release is due, for who must not look before; what it means while a
   * release runs is not said. A time that has passed: at any moment. Allocates nothing.
   *
   * @return {@link #UNKNOWN_NS}: it is not released by time
   */
  default long nextDueNs() {
    return UNKNOWN_NS;
  }

  /**
   * Takes the real-time policy from a thread that others share with this, until the release that
   * runs has ended. Does nothing to a thread of its own. Takes no lock and allocates nothing, as
   * {@link #demote}.
   */
  default void lower() {}

  /**
   * Gives back what {@link #demote} took.
   *
   * @return false: what is demoted here is so for good
   */
  default boolean restore() {
    return false;
  }

  /**
   * Gives the thread that runs it another scheduling, from now on or when it begins; nothing
   * happens to what was demoted, or has no thread of its own.
   *
   * @param asked what the thread asks the operating system for; without processors: those that it
   *     would have anyway
   */
  default void schedule(ThreadScheduling asked) {}

  /**
   * Returns what the thread that runs it was granted of the scheduling that it asked for last;
   * null: it has not asked yet, or has no thread of its own.
   */
  default @Nullable Grant grant() {
    return null;
  }

  /**
   * Begins no release until it is called again with false; a running one is not disturbed.
   *
   * @param quarantined whether to begin or to end the quarantine
   */
  void quarantine(boolean quarantined);

  /** Returns whether it is in quarantine. */
  boolean isQuarantined();

  /**
   * Begins no release any more, for good; a running one is not disturbed.
   *
   * @param reason why, for people
   */
  void stop(String reason);
}
