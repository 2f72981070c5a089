package dev.takt.rtsj.event;

import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.internal.Ranges;
import dev.takt.realtime.os.Descriptors;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Poller;
import dev.takt.realtime.os.Shortfall;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.rtsj.RealtimeThread;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Watches file descriptors of the operating system on one real-time thread, and fires an event when
 * one is ready: pipes, sockets, devices, what native code has opened, event and timer descriptors.
 *
 * <p>Where the operating system's descriptors are not to be had, it has no thread, and what it
 * binds is not bound and has a shortfall. Channels of {@code java.nio} go to a {@link
 * ChannelWatch}.
 *
 * <p><b>Assumption.</b> A descriptor is closed after its happening. One that is closed before is
 * noticed, and its happening is not bound any more, unless its number is in use again by then.
 *
 * <p><b>Failure.</b> Should its thread end by an exception, all happenings are unbound and say why,
 * and {@link #bind} refuses more.
 *
 * <p><b>Thread rule.</b> Any thread. <b>Memory.</b> Binding allocates; watching, firing and arming
 * do not. A wake-up costs the thread a look at each of its happenings.
 *
 * {@snippet :
 * try (DescriptorWatch watch = DescriptorWatch.start("devices", ThreadScheduling.fifo(45), 8)) {
 *   ReadyHappening readable = watch.bind(fd, Poller.READABLE, event);
 *   // the handler of the event reads all there is, then calls readable.rearm()
 * }
 * }
 */
public final class DescriptorWatch implements AutoCloseable {
  /** The largest number of descriptors: each wake-up looks at all of them. */
  public static final int MAX_DESCRIPTORS = 1_024;

  private final String name;
  private final int maxDescriptors;

  /** The happenings, also those that are closed, until the thread has noticed. */
  private final AtomicReferenceArray<@Nullable Watched> places;

  private final @Nullable Poller poller;
  private final @Nullable RealtimeThread thread;
  private final @Nullable Shortfall shortfall;
  private volatile boolean closed;

  /** What has ended the thread before the watch was closed; guarded by this watch's monitor. */
  private @Nullable Throwable failure;

  private DescriptorWatch(
      String name, ThreadScheduling scheduling, int maxDescriptors, OperatingSystem system) {
    this.name = name;
    this.maxDescriptors = maxDescriptors;
    places = new AtomicReferenceArray<>(2 * maxDescriptors);
    Poller opened = null;
    Shortfall missing = null;
    Optional<Descriptors> descriptors = system.descriptors();
    if (descriptors.isPresent()) {
      try {
        // For each place, not for each that can be bound: one that was closed is polled for until
        // the thread has noticed, and another may be bound meanwhile.
        opened = descriptors.get().newPoller(places.length());
      } catch (IOException e) {
        missing =
            new Shortfall(
                "descriptors",
                name,
                String.valueOf(e.getMessage()),
                "raise the limit of open files (ulimit -n)");
      }
    } else {
      missing =
          new Shortfall(
              "descriptors",
              name,
              system.whyNotNative(),
              "run on Linux, with --enable-native-access=dev.takt.realtime (or ALL-UNNAMED)");
    }
    poller = opened;
    shortfall = missing;
    if (opened == null) {
      thread = null;
      return;
    }
    try {
      thread = RealtimeThread.start(name, scheduling, new Server(opened, places, this)::run);
    } catch (Throwable e) {
      opened.close();
      throw e;
    }
  }

  /**
   * Opens what waits for descriptors, if the operating system has it, and starts its thread.
   *
   * @param name what the thread is called
   * @param scheduling how it is scheduled
   * @param maxDescriptors how many descriptors can be bound at once, 1 to {@value #MAX_DESCRIPTORS}
   */
  public static DescriptorWatch start(
      String name, ThreadScheduling scheduling, int maxDescriptors) {
    return start(name, scheduling, maxDescriptors, OperatingSystems.current());
  }

  static DescriptorWatch start(
      String name, ThreadScheduling scheduling, int maxDescriptors, OperatingSystem system) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(scheduling, "scheduling");
    Ranges.check("maxDescriptors", maxDescriptors, 1, MAX_DESCRIPTORS);
    return new DescriptorWatch(name, scheduling, maxDescriptors, system);
  }

  /**
   * Binds an event to a descriptor.
   *
   * @param fd the descriptor's number
   * @param events what it should be ready for: a sum of {@link Poller#READABLE} and {@link
   *     Poller#WRITABLE}; its end and errors count as well
   * @return the happening; see {@link Happening#shortfall} for why it is not bound
   * @throws IllegalArgumentException if the descriptor or the events cannot be
   * @throws IllegalStateException if there are {@code maxDescriptors} already, or the watch is
   *     closed or its thread has failed, or the descriptor is bound here
   */
  public synchronized ReadyHappening bind(int fd, int events, AsyncEvent event) {
    Objects.requireNonNull(event, "event");
    Ranges.checkAtLeast("fd", fd, 0);
    if (events == 0 || (events & ~(Poller.READABLE | Poller.WRITABLE)) != 0) {
      throw new IllegalArgumentException(
          "events=%s (expected: READABLE=%s, WRITABLE=%s or their sum)"
              .formatted(events, Poller.READABLE, Poller.WRITABLE));
    }
    if (failure != null) {
      throw new IllegalStateException(
          "the watch " + name + " has ended, because its thread failed: " + failure, failure);
    }
    if (closed) {
      throw new IllegalStateException("the watch " + name + " is closed");
    }
    Watched happening = new Watched(this, fd, events, event);
    if (shortfall != null) {
      happening.fallShort(shortfall);
      happening.state.set(Watched.UNBOUND);
      return happening;
    }
    places.set(freePlace(fd), happening);
    wake();
    return happening;
  }

  private int freePlace(int fd) {
    int free = -1;
    int bound = 0;
    for (int i = 0; i < places.length(); i++) {
      Watched there = places.get(i);
      if (there == null) {
        free = i;
      } else if (there.isBound()) {
        bound++;
        if (there.fd == fd) {
          throw new IllegalStateException(
              "fd=" + fd + " is bound here; close that happening first");
        }
      }
    }
    if (bound >= maxDescriptors || free < 0) {
      throw new IllegalStateException(
          ("descriptors=%s (limit: maxDescriptors=%s; close happenings, raise maxDescriptors "
                  + "or use another watch)")
              .formatted(bound + 1, maxDescriptors));
    }
    return free;
  }

  /** Returns why nothing can be bound; null: it can. */
  public @Nullable Shortfall shortfall() {
    return shortfall;
  }

  /** Returns how its thread is scheduled; null if it has none. */
  public @Nullable Grant grant() {
    return thread == null ? null : thread.grant();
  }

  /**
   * Ends its thread, and waits for that, or until the caller is interrupted (its interrupt status
   * stays set); all happenings are unbound, the descriptors stay open.
   */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    wake();
    if (thread != null) {
      thread.close();
    }
  }

  /** Unbinds all and lets nothing more be bound: the thread has come to its end. */
  private synchronized void end(@Nullable Throwable cause) {
    closed = true;
    if (cause != null) {
      failure = cause;
    }
    for (int i = 0; i < places.length(); i++) {
      Watched happening = places.get(i);
      if (happening != null
          && happening.state.getAndSet(Watched.UNBOUND) != Watched.UNBOUND
          && cause != null) {
        happening.fallShort(
            new Shortfall(
                "descriptor",
                happening.name(),
                "the thread of the watch " + name + " failed: " + cause,
                "bind it to another watch"));
      }
    }
  }

  private void wake() {
    if (poller != null) {
      poller.wake();
    }
  }

  /** What the thread does. */
  private record Server(
      Poller poller, AtomicReferenceArray<@Nullable Watched> places, DescriptorWatch watch) {
    void run(RealtimeThread thread) {
      try {
        while (!watch.closed) {
          update();
          int ready = poller.await();
          for (int i = 0; i < ready; i++) {
            ready(poller.readyFd(i), poller.readyEvents(i));
          }
        }
      } catch (Throwable e) {
        watch.end(e);
        throw e; // the thread reports it
      } finally {
        watch.end(null);
        poller.close();
      }
    }

    /** Waits for what is armed, and no more for the rest. */
    private void update() {
      for (int i = 0; i < places.length(); i++) {
        Watched happening = places.get(i);
        if (happening != null && happening.state.get() != Watched.ARMED) {
          disregard(happening, i);
        }
      }
      // Only now: a descriptor that was unbound and is bound again must not be taken out last.
      for (int i = 0; i < places.length(); i++) {
        Watched happening = places.get(i);
        if (happening != null && !happening.polled && happening.state.get() == Watched.ARMED) {
          poller.add(happening.fd, happening.events);
          happening.polled = true;
        }
      }
    }

    private void disregard(Watched happening, int place) {
      if (happening.polled) {
        poller.remove(happening.fd);
        for (int i = 0; i < places.length(); i++) {
          Watched each = places.get(i);
          if (each != null && each.fd == happening.fd) {
            each.polled = false; // also one that was bound anew before this one was taken out
          }
        }
      }
      if (!happening.isBound()) {
        places.set(place, null);
      }
    }

    private void ready(int fd, int events) {
      for (int i = 0; i < places.length(); i++) {
        Watched happening = places.get(i);
        if (happening != null && happening.fd == fd && happening.polled) {
          happening.ready(events);
          return;
        }
      }
    }
  }

  /** One descriptor. */
  static final class Watched extends ReadyHappening {
    private static final int ARMED = 0;
    private static final int FIRED = 1;
    private static final int UNBOUND = 2;

    private final DescriptorWatch watch;
    private final int fd;
    private final int events;
    private final AtomicInteger state = new AtomicInteger(ARMED);

    /** Whether the poller waits for it; its thread's alone. */
    private boolean polled;

    Watched(DescriptorWatch watch, int fd, int events, AsyncEvent event) {
      super("descriptor " + fd, event);
      this.watch = watch;
      this.fd = fd;
      this.events = events;
    }

    private void ready(int readyEvents) {
      if ((readyEvents & Poller.NOT_OPEN) != 0) {
        fallShort(
            new Shortfall("descriptor", name(), "it is not open", "close the happening before it"));
        state.set(UNBOUND);
      } else if (state.compareAndSet(ARMED, FIRED)) {
        happen();
      }
    }

    @Override
    public boolean isBound() {
      return state.get() != UNBOUND;
    }

    @Override
    public void rearm() {
      if (state.compareAndSet(FIRED, ARMED)) {
        watch.wake();
      }
    }

    @Override
    public void close() {
      if (state.getAndSet(UNBOUND) != UNBOUND) {
        watch.wake();
      }
    }
  }
}
