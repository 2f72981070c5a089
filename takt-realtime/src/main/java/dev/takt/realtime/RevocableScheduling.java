package dev.takt.realtime;

import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.ThreadScheduling;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The scheduling of one thread that runs releases: asked for by the thread itself, changed by an
 * admission, taken away by a supervisor, and given back.
 *
 * <pre>
 *   has it --demote--&gt; demoted --restore--&gt; has it again
 *      |
 *      +--lower--&gt; has none until its release has ended --raise--&gt; has it again
 * </pre>
 *
 * <p><b>Guarantees.</b> (1) {@link #demote} and {@link #lower} take no lock: the holder of one may
 * not get the processor before they are done. (2) Whatever happens at the same time, a thread that
 * was demoted after it was restored last has no real-time policy when both calls have returned.
 *
 * <p><b>Assumption.</b> Who restores knows that nobody means its earlier demotion any more.
 *
 * <p><b>Thread rule:</b> {@link #enlist} and {@link #raise}: the thread itself; the rest: any. The
 * lock is of this object's own, because code that runs on the thread has the thread, and may hold
 * that for ever.
 */
public final class RevocableScheduling {
  private final OperatingSystem system;
  private final Object changing = new Object();
  private final Consumer<Grant> grants;
  private volatile ThreadScheduling asked;
  private volatile @Nullable Grant grant;
  private volatile boolean demoted;
  private volatile boolean lowered;

  /**
   * Makes one of a thread that has not begun.
   *
   * @param asked what it is to ask for
   */
  public RevocableScheduling(OperatingSystem system, ThreadScheduling asked) {
    this(system, asked, granted -> {});
  }

  /**
   * Makes one of a thread that has not begun.
   *
   * @param asked what it is to ask for
   * @param grants is told of each grant, with the lock
   */
  public RevocableScheduling(
      OperatingSystem system, ThreadScheduling asked, Consumer<Grant> grants) {
    this.system = system;
    this.asked = asked;
    this.grants = grants;
  }

  /**
   * Asks for it, once, when the thread begins. One that has no real-time policy any more by then
   * gets none.
   *
   * @param leavesUsual whether a thread that is to ask for {@link ThreadScheduling#OTHER} is left
   *     as it is
   */
  public void enlist(boolean leavesUsual) {
    synchronized (changing) {
      granted(
          leavesUsual && asked.equals(ThreadScheduling.OTHER)
              ? system.granted(system.threadId())
              : system.schedule(asked));
    }
  }

  /** Asks for another one, from now on or when the thread begins; not for what is demoted. */
  public void schedule(ThreadScheduling asked) {
    synchronized (changing) {
      if (!demoted && !asked.equals(this.asked)) {
        this.asked = asked;
        askAgain();
      }
    }
  }

  private void askAgain() {
    Grant present = grant;
    if (present != null && !lowered) { // else it is asked for when the thread begins, or is raised
      // The timer slack is the thread's own to set; it has it since it began.
      granted(system.schedule(present.threadId(), asked.withTimerSlackNs(0)));
    }
  }

  private void granted(Grant granted) {
    grant = granted;
    if (demoted) { // since it was asked whether it is
      removePolicy();
    }
    grants.accept(granted);
  }

  /** Removes its real-time policy, if it has one, until it is restored. */
  public void demote() {
    demoted = true;
    removePolicy();
  }

  /** Removes its real-time policy until it is {@linkplain #raise raised}. */
  public void lower() {
    if (!lowered) {
      removePolicy();
      lowered = true; // after it, or the thread could raise itself before it is removed
    }
  }

  private void removePolicy() {
    Grant present = grant;
    if (present != null && present.scheduling().policy().isRealtime()) {
      system.setPolicy(present.threadId(), Policy.OTHER, 0);
    }
  }

  /** Gives back what {@link #demote} has taken. */
  public void restore() {
    synchronized (changing) {
      demoted = false;
      askAgain();
    }
  }

  /** Gives back what {@link #lower} has taken; between two releases. */
  public void raise() {
    if (lowered) {
      synchronized (changing) {
        lowered = false;
        if (!demoted && asked.policy().isRealtime()) {
          granted(system.schedule(asked));
        }
      }
    }
  }

  /** Returns what the thread asks for, or will when it begins. */
  public ThreadScheduling asked() {
    return asked;
  }

  /** Returns whether it was demoted after it was restored last. */
  public boolean isDemoted() {
    return demoted;
  }

  /** Returns what it was granted last; null until it has asked. */
  public @Nullable Grant grant() {
    return grant;
  }
}
