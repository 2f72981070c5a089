package dev.takt.client;

import dev.takt.client.wire.Operation;
import dev.takt.space.Event;
import dev.takt.space.SpaceHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/** A subscription in the host. */
final class RemoteHandle implements SpaceHandle {
  final RemoteSpace space;
  private final Runnable onMatch;
  private final Event template;
  private final AtomicBoolean isSubscribed = new AtomicBoolean(true);

  /** Its number on the link. */
  final long number;

  /** Whether there may be a match that the subscriber was not told of. */
  volatile boolean isMatched;

  RemoteHandle(RemoteSpace space, Event template, Runnable onMatch, long number) {
    this.number = number;
    this.space = space;
    this.template = template.copy();
    this.onMatch = onMatch;
  }

  @Override
  public boolean next(Event into) {
    Objects.requireNonNull(into, "into");
    if (!isSubscribed.get()) {
      throw new IllegalStateException(
          "handle used after unsubscribe (template=%s); subscribe again to get a new handle"
              .formatted(template));
    }
    return space.exchange.ask(Operation.NEXT, 0, number, null, into) == 1;
  }

  @Override
  public boolean hasNextNow() {
    return isSubscribed.get() && space.exchange.ask(Operation.HAS_NEXT, 0, number, null, null) == 1;
  }

  @Override
  public Event template() {
    return template.copy();
  }

  @Override
  public boolean isSubscribed() {
    return isSubscribed.get();
  }

  void runIfMatched() {
    if (isMatched) {
      isMatched = false;
      try {
        onMatch.run();
      } catch (RuntimeException | Error thrown) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
      }
    }
  }

  /** Ends the subscription here. */
  void end() {
    if (!isSubscribed.compareAndSet(true, false)) {
      throw new IllegalStateException("unsubscribed twice (template=" + template + ")");
    }
  }
}
