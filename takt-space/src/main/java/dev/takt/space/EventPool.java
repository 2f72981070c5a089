package dev.takt.space;

import org.jspecify.annotations.Nullable;

/**
 * Events that are handed out for one release and reclaimed together when it ends.
 *
 * <p>An event that is used after that is an error at the place of use ({@link
 * IllegalStateException}), not a silent mix-up with the event of a later release.
 *
 * <p><b>Thread rule:</b> not thread-safe: the pool and its events belong to one thread at a time.
 *
 * <p><b>Memory:</b> events are made when first needed and then reused for ever, with the storage
 * they have grown to: in steady state {@link #next} and {@link #reclaim} allocate nothing. An event
 * keeps its last strings until it is handed out again.
 *
 * <p>Source: Reflexes 3.2 (transient memory).
 */
public final class EventPool {
  private final @Nullable Event[] events;
  private int used;

  long epoch;

  /**
   * Makes a pool.
   *
   * @param capacity how many events can be in use at once; 8 bytes each until it is first used,
   *     then about 150
   * @throws IllegalArgumentException if {@code capacity} is less than 1
   */
  public EventPool(int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity=" + capacity + " (expected: at least 1)");
    }
    events = new Event[capacity];
  }

  /**
   * Returns an event without keys, which is valid until {@link #reclaim}.
   *
   * @throws IllegalStateException if all events of the capacity are in use
   */
  public Event next() {
    int index = used;
    if (index == events.length) {
      throw new IllegalStateException(
          ("too many events in use at once: asked for %s, limit=%s; clear() one and use it "
                  + "again, reclaim() them, or make a pool of a larger capacity")
              .formatted(index + 1, events.length));
    }
    Event event = events[index];
    if (event == null) {
      event = events[index] = new Event();
      event.pool = this;
    }
    event.poolEpoch = epoch;
    event.clear();
    used = index + 1;
    return event;
  }

  /** Reclaims all events that are in use, in constant time. */
  public void reclaim() {
    used = 0;
    epoch++;
  }

  /** Detaches all events that are in use: they stay valid for ever, and new ones replace them. */
  public void giveAway() {
    for (int i = 0; i < used; i++) {
      Event event = events[i];
      if (event != null) {
        event.pool = null;
        events[i] = null;
      }
    }
    used = 0;
  }

  /** Returns how many events are in use. */
  public int inUse() {
    return used;
  }

  /** Returns how many events can be in use at once. */
  public int capacity() {
    return events.length;
  }
}
