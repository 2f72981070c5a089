package dev.takt.rtsj.event;

import dev.takt.realtime.internal.Ranges;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.Shortfall;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.rtsj.RealtimeThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Watches channels on one real-time thread, by a selector, and fires an event when one is ready.
 * Works on any system.
 *
 * <p><b>Failure.</b> Should its thread end by an exception, all happenings are unbound and say why,
 * and {@link #bind} refuses more.
 *
 * <p><b>Thread rule.</b> Any thread. <b>Memory.</b> Binding allocates; so may the selector, of
 * which the Java platform promises nothing.
 *
 * {@snippet :
 * try (ChannelWatch watch = ChannelWatch.start("network", ThreadScheduling.fifo(40), 16)) {
 *   ReadyHappening readable = watch.bind(channel, SelectionKey.OP_READ, event);
 *   // the handler of the event reads all there is, then calls readable.rearm()
 * }
 * }
 */
public final class ChannelWatch implements AutoCloseable {
  /** The largest number of channels. */
  public static final int MAX_CHANNELS = 1 << 16;

  /** How long a bind waits at most until a happening that was closed has let go of the channel. */
  private static final long LET_GO_LIMIT_NS = 1_000_000_000;

  private static final long LET_GO_CHECK_NS = 20_000;

  private final String name;
  private final int maxChannels;
  private final Selector selector;
  private final RealtimeThread thread;
  private volatile boolean closed;

  /** What has ended the thread before the watch was closed; guarded by this watch's monitor. */
  private @Nullable Throwable failure;

  ChannelWatch(String name, ThreadScheduling scheduling, int maxChannels, Selector selector)
      throws IOException {
    this.name = name;
    this.maxChannels = maxChannels;
    this.selector = selector;
    try {
      thread = RealtimeThread.start(name, scheduling, self -> serve());
    } catch (Throwable e) {
      selector.close();
      throw e;
    }
  }

  /**
   * Opens a selector and starts its thread.
   *
   * @param name what the thread is called
   * @param scheduling how it is scheduled
   * @param maxChannels how many channels can be bound at once, 1 to {@value #MAX_CHANNELS}
   * @throws UncheckedIOException if the system has no selector to give
   */
  public static ChannelWatch start(String name, ThreadScheduling scheduling, int maxChannels) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(scheduling, "scheduling");
    Ranges.check("maxChannels", maxChannels, 1, MAX_CHANNELS);
    try {
      return new ChannelWatch(name, scheduling, maxChannels, Selector.open());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Binds an event to a channel. Until the happening is closed the channel belongs to this watch's
   * selector.
   *
   * @param channel a channel that does not block, bound here once at most
   * @param operations the operations of {@link SelectionKey} to be ready for
   * @return the happening; see {@link Happening#shortfall} for why it is not bound
   * @throws IllegalArgumentException if the channel cannot do the operations
   * @throws IllegalStateException if there are {@code maxChannels} already, or the watch is closed
   *     or its thread has failed, or the channel blocks or is bound here; or if it was bound here
   *     just now and the watch's thread does not come to let go of it for a second, for which this
   *     waits
   */
  public synchronized ReadyHappening bind(
      SelectableChannel channel, int operations, AsyncEvent event) {
    Objects.requireNonNull(event, "event");
    if (failure != null) {
      throw new IllegalStateException(
          "the watch " + name + " has ended, because its thread failed: " + failure, failure);
    }
    if (closed) {
      throw new IllegalStateException("the watch " + name + " is closed");
    }
    if (channel.isBlocking()) {
      throw new IllegalStateException(
          channel + " blocks (remedy: configureBlocking(false) before it is bound)");
    }
    awaitLetGo(channel);
    int bound = boundCount();
    if (bound >= maxChannels) {
      throw new IllegalStateException(
          ("channels=%s (limit: maxChannels=%s; close happenings, raise maxChannels or use "
                  + "another watch)")
              .formatted(bound + 1, maxChannels));
    }
    Watched happening = new Watched(channel, operations, event);
    try {
      happening.key = channel.register(selector, operations, happening);
      selector.wakeup();
    } catch (ClosedChannelException _) {
      happening.fallShort(
          new Shortfall("channel", channel.toString(), "it is closed", "bind it before"));
    }
    return happening;
  }

  /** A happening that was closed holds its channel until the thread has come to it: soon. */
  private void awaitLetGo(SelectableChannel channel) {
    long beginNs = System.nanoTime();
    for (SelectionKey key = channel.keyFor(selector); key != null; key = channel.keyFor(selector)) {
      if (key.isValid()) {
        throw new IllegalStateException(channel + " is bound here; close that happening first");
      }
      if (System.nanoTime() - beginNs > LET_GO_LIMIT_NS) {
        throw new IllegalStateException(
            ("the watch %s has not let go of %s for %s ns after its happening was closed "
                    + "(remedy: a higher priority for the watch)")
                .formatted(name, channel, LET_GO_LIMIT_NS));
      }
      selector.wakeup();
      LockSupport.parkNanos(LET_GO_CHECK_NS);
    }
  }

  /** Without those that were closed, of which the selector may not have let go. */
  private int boundCount() {
    int bound = 0;
    for (SelectionKey key : selector.keys()) {
      if (key.isValid()) {
        bound++;
      }
    }
    return bound;
  }

  /** Returns how its thread is scheduled. */
  public Grant grant() {
    return thread.grant();
  }

  private void serve() throws IOException {
    try (selector) { // closed here, not by close(), which may be interrupted before
      while (!closed) {
        Thread.interrupted(); // a set interrupt status would end each sleep at once
        select();
      }
    }
  }

  private void select() throws IOException {
    try {
      selector.select(ChannelWatch::ready);
    } catch (Throwable e) {
      fail(e);
      throw e; // the thread reports it
    }
  }

  /** Lets nothing more be bound, and has what is bound say why it is no longer. */
  private synchronized void fail(Throwable cause) {
    closed = true;
    failure = cause;
    for (SelectionKey key : selector.isOpen() ? selector.keys() : Set.<SelectionKey>of()) {
      if (key.isValid() && key.attachment() instanceof Watched happening) {
        happening.fallShort(
            new Shortfall(
                "channel",
                happening.name(),
                "the thread of the watch " + name + " failed: " + cause,
                "bind it to another watch"));
      }
    }
  }

  static void ready(SelectionKey key) {
    try {
      key.interestOps(0); // before it fires: the handler may arm it again at once
    } catch (CancelledKeyException _) {
      return;
    }
    if (key.attachment() instanceof Watched happening) {
      happening.key = key; // the binding thread may not have set it yet, and the handler arms it
      happening.happen();
    }
  }

  /**
   * Ends its thread, and waits for that, or until the caller is interrupted (its interrupt status
   * stays set); all happenings are unbound, the channels stay open.
   */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    selector.wakeup();
    thread.close();
  }

  /** One channel. */
  static final class Watched extends ReadyHappening {
    private final int operations;
    private volatile @Nullable SelectionKey key;

    Watched(SelectableChannel channel, int operations, AsyncEvent event) {
      super(channel.toString(), event);
      this.operations = operations;
    }

    @Override
    public boolean isBound() {
      SelectionKey known = key;
      return known != null && known.isValid();
    }

    @Override
    public void rearm() {
      SelectionKey known = key;
      if (known == null) {
        return;
      }
      try {
        known.interestOps(operations);
        known.selector().wakeup();
      } catch (CancelledKeyException _) {
        // it was closed
      }
    }

    @Override
    public void close() {
      SelectionKey known = key;
      if (known != null) {
        known.cancel();
        known.selector().wakeup(); // which lets go of the channel
      }
    }
  }
}
