package dev.takt.host;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Handle;
import dev.takt.space.Subscriber;

/** A template of a client, and whether there may be a match that it was not told of. */
final class ClientSubscription implements Subscriber {
  final Event template;
  final Handle handle;

  /** As how much the template is counted. */
  final int bytes;

  private final boolean isNotified;
  private final Runnable due;
  private volatile boolean isMatched;

  /**
   * Subscribes.
   *
   * @param bytes as how much the template is counted
   * @param due is called by the thread of each commit that has a match, after it is kept
   */
  ClientSubscription(
      EventSpace space, Event template, int bytes, boolean isNotified, Runnable due) {
    this.template = template;
    this.bytes = bytes;
    this.due = due;
    this.isNotified = isNotified;
    handle = space.subscribe(template, this);
  }

  @Override
  public boolean wantsNotice() {
    return isNotified;
  }

  @Override
  public void onMatch(Handle handle) {
    if (!isMatched) {
      isMatched = true;
      due.run();
    }
  }

  /** Returns whether a match has come since it was asked last. */
  boolean claimMatch() {
    boolean wasMatched = isMatched;
    if (wasMatched) {
      isMatched = false;
    }
    return wasMatched;
  }
}
