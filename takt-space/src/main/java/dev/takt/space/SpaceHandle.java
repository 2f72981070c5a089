package dev.takt.space;

import org.jspecify.annotations.Nullable;

/**
 * One subscription of a {@link Space}: a template, and its matches.
 *
 * <p>A handle does not queue events. {@link #next()} takes the oldest match out of the space;
 * several subscribers with matching templates compete for an event, and the first take gets it.
 * That is why a notified subscriber may find nothing, and why {@link #hasNextNow()} is a look, not
 * a promise.
 *
 * <p><b>Thread rule:</b> {@link #next()} and {@link #next(Event)} from the subscriber's thread, the
 * rest from any thread.
 *
 * <p>Source: Reflexes 3.2, Fig. 4.
 */
public interface SpaceHandle {
  /**
   * Takes the oldest match.
   *
   * @return a copy of the event, or null if there is none now
   * @throws IllegalStateException after {@code unsubscribe}
   */
  default @Nullable Event next() {
    Event into = new Event();
    return next(into) ? into : null;
  }

  /** As {@link #next()}, into an event of the caller's, which is unchanged if there is none. */
  boolean next(Event into);

  /**
   * Returns whether there is a committed match now that no running transaction has claimed; false
   * after {@code unsubscribe}.
   */
  boolean hasNextNow();

  /** Returns a copy of the template. */
  Event template();

  /** Returns whether the subscription is in force. */
  boolean isSubscribed();
}
