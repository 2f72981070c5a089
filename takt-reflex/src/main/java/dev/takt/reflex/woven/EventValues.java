package dev.takt.reflex.woven;

import dev.takt.space.BoxCache;
import dev.takt.space.Event;
import dev.takt.space.EventPool;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Events of the release's pool, and numbers in and out of them without boxing, for woven code.
 *
 * <p><b>Thread rule:</b> any thread; only on threads that run releases is anything reused.
 */
public final class EventValues {
  private EventValues() {}

  /** Returns an event of the release; an ordinary event on threads that run none. */
  public static Event newEvent() {
    TaskMemory memory = TaskMemory.current();
    EventPool events = memory == null ? null : memory.events;
    return events == null ? new Event() : events.next();
  }

  /**
   * Returns the value of a key, as {@link Event#get} does, but boxed by an object that may have
   * been returned before: numbers that come again allocate nothing.
   */
  public static @Nullable Object boxed(Event event, String key) {
    TaskMemory memory = TaskMemory.current();
    TransientArea area = memory == null ? null : memory.area;
    return area == null ? event.get(key) : area.boxes().get(event, key);
  }

  /** Does what {@code (double) (Double) event.get(key)} does, without a box. */
  public static double unboxDouble(Event event, String key) {
    return BoxCache.isDouble(event, key) ? event.getDouble(key) : (Double) present(event, key);
  }

  /** Does what {@code (long) (Long) event.get(key)} and {@code asLong} do, without a box. */
  public static long unboxLong(Event event, String key) {
    try {
      return event.getLong(key);
    } catch (NoSuchElementException | ClassCastException e) {
      return (Long) present(event, key);
    }
  }

  /**
   * Does what {@code (boolean) (Boolean) event.get(key)} and {@code asBoolean} do, without a box.
   */
  public static boolean unboxBoolean(Event event, String key) {
    try {
      return event.getBoolean(key);
    } catch (NoSuchElementException | ClassCastException e) {
      return (Boolean) present(event, key);
    }
  }

  /** Does what {@code ReflexTask.asDouble(event.get(key))} does, without a box. */
  public static double asDouble(Event event, String key) {
    try {
      return event.getDouble(key);
    } catch (NoSuchElementException | ClassCastException e) {
      return ((Number) present(event, key)).doubleValue();
    }
  }

  /** The value of a key; what is not there fails as it does in code that is not woven. */
  private static Object present(Event event, String key) {
    return Objects.requireNonNull(event.get(key), "value");
  }
}
