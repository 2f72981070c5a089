package dev.takt.host;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Handle;
import dev.takt.space.Subscriber;

/** A template of a client, and whether there may be a match that it was not told of. */
final class ClientSubscription implements Subscriber {
  final Event template;
  final Handle handle;
  private final boolean isNotified;
  private volatile boolean isMatched;

  ClientSubscription(EventSpace space, Event template, boolean isNotified) {
    this.template = template;
    this.isNotified = isNotified;
    handle = space.subscribe(template, this);
  }

  @Override
  public boolean wantsNotice() {
    return isNotified;
  }

  @Override
  public void onMatch(Handle handle) {
    isMatched = true;
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
