package dev.takt.client;

import dev.takt.client.wire.Operation;
import dev.takt.space.Event;
import dev.takt.space.SpaceHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A subscription in the host. */
final class RemoteHandle implements SpaceHandle {
  final RemoteSpace space;
  private final Runnable onMatch;
  final Event template;
  private final AtomicBoolean isSubscribed = new AtomicBoolean(true);

  /** Its number on each link. */
  final long number;

  /** Whether the host tells of matches. */
  final boolean isNotified;

  /** Whether the host has it, and has to be given it again on another link. */
  volatile boolean isHeld;

  /** Why the host has not subscribed again on the link that there is, or null. */
  volatile @Nullable RuntimeException refusal;

  /** Whether there may be a match that the subscriber was not told of. */
  volatile boolean isMatched;

  RemoteHandle(
      RemoteSpace space, Event template, Runnable onMatch, long number, boolean isNotified) {
    this.number = number;
    this.isNotified = isNotified;
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
    return ask(Operation.NEXT, into) == 1;
  }

  @Override
  public boolean hasNextNow() {
    return isSubscribed.get() && ask(Operation.HAS_NEXT, null) == 1;
  }

  private long ask(Operation operation, @Nullable Event into) {
    try {
      return space.link.ask(operation, number, null, into);
    } catch (LinkEndedException ended) {
      throw ended;
    } catch (IllegalStateException unknown) {
      requireRenewed(); // after the request: a link that it has renewed may have it again
      throw unknown;
    }
  }

  private void requireRenewed() {
    RuntimeException refused = refusal;
    if (refused != null) {
      throw new IllegalStateException(
          "the host does not subscribe again (template=%s): %s; unsubscribe, and try anew later"
              .formatted(template, refused.getMessage()),
          refused);
    }
  }

  @Override
  public Event template() {
    return template.copy();
  }

  @Override
  public boolean isSubscribed() {
    return isSubscribed.get() && refusal == null;
  }

  /** Returns its number as the host is asked for it. */
  long asked() {
    return isNotified ? number : -number;
  }

  void runIfMatched() {
    if (isMatched) {
      isMatched = false;
      try {
        requireRenewed();
        onMatch.run();
      } catch (RuntimeException | Error thrown) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
      } finally {
        Thread.interrupted(); // what a subscriber leaves is not for the next one
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
