package dev.takt.rtsj.event;

import dev.takt.realtime.os.Shortfall;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Something outside the JVM that fires an {@link AsyncEvent} when it happens: a signal, a channel
 * or a descriptor that has become ready. (What happens by time is a {@link
 * dev.takt.rtsj.timer.Timer}.)
 *
 * <p>The operating system may not have it, or not give it: then the happening is there all the
 * same, is not {@linkplain #isBound bound}, never fires, and says {@linkplain #shortfall why}.
 *
 * <p><b>Thread rule.</b> Any thread.
 */
public abstract sealed class Happening implements AutoCloseable
    permits SignalHappening, ReadyHappening {
  private final String name;
  private final AsyncEvent event;
  private final AtomicLong count = new AtomicLong();
  private volatile @Nullable Shortfall shortfall;

  Happening(String name, AsyncEvent event) {
    this.name = name;
    this.event = event;
  }

  final void happen() {
    count.getAndIncrement();
    event.tryFire();
  }

  final void fallShort(Shortfall shortfall) {
    this.shortfall = shortfall;
  }

  /** Returns what happens: the signal, the channel, the descriptor. */
  public final String name() {
    return name;
  }

  /** Returns the event that it fires. */
  public final AsyncEvent event() {
    return event;
  }

  /** Returns how often it has happened. */
  public final long count() {
    return count.get();
  }

  /** Returns why it is not, or no longer, bound; null if nothing is wrong. */
  public final @Nullable Shortfall shortfall() {
    return shortfall;
  }

  /** Returns whether it fires its event when it happens. */
  public abstract boolean isBound();

  /** Unbinds it: what happens from now on fires no event. */
  @Override
  public abstract void close();

  @Override
  public final String toString() {
    Shortfall missing = shortfall;
    return name + " -> " + event.name() + (missing == null ? "" : " (" + missing + ")");
  }
}
