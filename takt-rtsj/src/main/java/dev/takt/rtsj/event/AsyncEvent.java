package dev.takt.rtsj.event;

import dev.takt.realtime.Arrival;
import dev.takt.realtime.ArrivalException;
import dev.takt.realtime.internal.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something that happens, and the handlers that are released when it does; the RTSJ's {@code
 * AsyncEvent}.
 *
 * <p><b>Purpose.</b> Releases any number of {@linkplain AsyncEventHandler handlers} that something
 * has happened, from any thread, also from a real-time thread that must not wait.
 *
 * <p><b>Guarantees.</b> (1) {@link #fire} releases each handler that was there when it began and is
 * not removed meanwhile, once. (2) {@code fire} does not wait: it changes one word for each handler
 * (lock-free: it begins again only because another change of the same word has succeeded) and wakes
 * the threads that sleep. (3) Changes of the handlers are atomic; a fire sees the handlers before
 * or after a change, never a part.
 *
 * <p><b>Thread rule.</b> Any thread.
 *
 * <p><b>Memory.</b> {@code fire} allocates nothing. A change of the handlers copies their array.
 *
 * {@snippet :
 * AsyncEvent overheated = new AsyncEvent("overheated");
 * try (BoundHandler handler =
 *     BoundHandler.start(HandlerSettings.of("fan", ThreadScheduling.fifo(50)), self -> startFan())) {
 *   overheated.addHandler(handler);
 *   overheated.fire();
 * }
 * }
 */
public final class AsyncEvent {
  private static final AsyncEventHandler[] NONE = {};
  private static final VarHandle FIRE_COUNT =
      Fields.handle(MethodHandles.lookup(), AsyncEvent.class, "fireCount", long.class);
  private static final VarHandle HANDLERS =
      Fields.handle(
          MethodHandles.lookup(), AsyncEvent.class, "handlers", AsyncEventHandler[].class);

  private final String name;

  /** Added to through {@link #FIRE_COUNT}. */
  private volatile long fireCount;

  /** Never changed in place; replaced through {@link #HANDLERS}. */
  private volatile AsyncEventHandler[] handlers = NONE;

  /**
   * Makes an event without handlers.
   *
   * @param name what it is called in reports
   */
  public AsyncEvent(String name) {
    this.name = Objects.requireNonNull(name, "name");
  }

  /**
   * Releases all handlers. A handler that is closed ignores it, and counts that.
   *
   * @throws ArrivalException if a handler has refused, as {@link
   *     dev.takt.realtime.QueuePolicy#EXCEPT} asks for in its release parameters; the others are
   *     released all the same
   */
  public void fire() {
    FIRE_COUNT.getAndAdd(this, 1L);
    AsyncEventHandler refusing = null;
    Arrival refusal = Arrival.ACCEPTED;
    for (AsyncEventHandler handler : handlers) {
      Arrival arrival = handler.release();
      if (arrival.isRefused()) {
        refusing = handler;
        refusal = arrival;
      }
    }
    if (refusing != null) {
      throw new ArrivalException(
          refusal,
          "handler %s of the event %s has refused a fire: %s by %s"
              .formatted(refusing.name(), name, refusal, refusing.settings().release()));
    }
  }

  /**
   * As {@link #fire}, for threads that have no use for an exception: timers and happenings.
   * Handlers that refuse count it.
   *
   * @return false if a handler has refused
   */
  public boolean tryFire() {
    FIRE_COUNT.getAndAdd(this, 1L);
    boolean taken = true;
    for (AsyncEventHandler handler : handlers) {
      taken &= !handler.release().isRefused();
    }
    return taken;
  }

  /** Returns how often it was fired. */
  public long fireCount() {
    return fireCount;
  }

  /**
   * Adds a handler.
   *
   * @return false if it was there already
   */
  public boolean addHandler(AsyncEventHandler handler) {
    Objects.requireNonNull(handler, "handler");
    while (true) {
      AsyncEventHandler[] seen = handlers;
      if (indexOf(seen, handler) >= 0) {
        return false;
      }
      AsyncEventHandler[] next = Arrays.copyOf(seen, seen.length + 1);
      next[seen.length] = handler;
      if (HANDLERS.compareAndSet(this, seen, next)) {
        return true;
      }
    }
  }

  /**
   * Removes a handler. Fires that it has not handled yet stay pending.
   *
   * @return false if it was not there
   */
  public boolean removeHandler(AsyncEventHandler handler) {
    while (true) {
      AsyncEventHandler[] seen = handlers;
      int index = indexOf(seen, handler);
      if (index < 0) {
        return false;
      }
      AsyncEventHandler[] next = Arrays.copyOf(seen, seen.length - 1);
      System.arraycopy(seen, index + 1, next, index, next.length - index);
      if (HANDLERS.compareAndSet(this, seen, next)) {
        return true;
      }
    }
  }

  /**
   * Makes a handler the only one.
   *
   * @param handler the handler; null: none
   */
  public void setHandler(@Nullable AsyncEventHandler handler) {
    handlers = handler == null ? NONE : new AsyncEventHandler[] {handler};
  }

  /** Returns whether a handler is released by this event. */
  public boolean handledBy(AsyncEventHandler handler) {
    return indexOf(handlers, handler) >= 0;
  }

  /** Returns how many handlers it has. */
  public int handlerCount() {
    return handlers.length;
  }

  /** Returns what it is called in reports. */
  public String name() {
    return name;
  }

  @Override
  public String toString() {
    return name + " (" + fireCount + " fires, " + handlers.length + " handlers)";
  }

  private static int indexOf(AsyncEventHandler[] handlers, AsyncEventHandler handler) {
    for (int i = 0; i < handlers.length; i++) {
      if (handlers[i] == handler) {
        return i;
      }
    }
    return -1;
  }
}
