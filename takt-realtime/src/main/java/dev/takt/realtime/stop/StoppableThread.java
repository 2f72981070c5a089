package dev.takt.realtime.stop;

import org.jspecify.annotations.Nullable;

/**
 * A thread whose work can be ended from outside, where its code has stop sites.
 *
 * <p><b>Thread rule:</b> {@link #isToStop} is called by the thread itself.
 */
public abstract class StoppableThread extends Thread {
  /** Made beforehand: a work that runs away may have used up the heap. */
  final RunAborted aborted;

  /** Makes a thread, which inherits no thread locals. */
  protected StoppableThread(@Nullable Runnable body, String name) {
    super(null, body, name, 0, false);
    aborted = new RunAborted(name);
  }

  /** Returns whether what it runs now is to end; called where it passes a flipped site. */
  protected abstract boolean isToStop();
}
