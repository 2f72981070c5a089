package dev.takt.space;

import org.jspecify.annotations.Nullable;

/**
 * A thread that runs some code under conditions which are not meant for the code of others, such as
 * a task with its memory: it sets them aside while it notifies subscribers, in the middle of
 * whatever operation that may be.
 *
 * <p>A space calls both methods on the thread itself, around the subscribers and the conditions of
 * their templates. The conditions of the template that an operation was given are asked outside of
 * the two.
 */
public interface NotifyingThread {
  /**
   * Sets aside what is not for subscribers.
   *
   * @return what {@link #endNotifying} is given
   */
  @Nullable Object beginNotifying();

  /** Puts back what was set aside. */
  void endNotifying(@Nullable Object before);
}
