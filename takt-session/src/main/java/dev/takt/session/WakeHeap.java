package dev.takt.session;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Sessions that wait until a time, the earliest first; of two with one time, the one that came
 * first. Each knows its place, so it can be taken out.
 *
 * <p><b>Thread rule.</b> One thread. <b>Cost.</b> O(log n) for each change.
 */
final class WakeHeap {
  private @Nullable SteppedSession[] heap = new SteppedSession[16];
  private int size;
  private long sequence;

  void add(SteppedSession session, long wakeNs) {
    session.wakeNs = wakeNs;
    session.wakeOrder = sequence++;
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * size);
    }
    up(size++, session);
  }

  /** Takes a session out, if it is in. */
  void remove(SteppedSession session) {
    int at = session.wakeAt;
    if (at >= 0) {
      session.wakeAt = -1;
      SteppedSession last = get(--size);
      heap[size] = null;
      if (last != session) {
        up(at, last);
        down(last.wakeAt, last);
      }
    }
  }

  /** Returns the one with the earliest time, or null. */
  @Nullable SteppedSession first() {
    return size == 0 ? null : heap[0];
  }

  private void up(int at, SteppedSession session) {
    while (at > 0 && session.wakesBefore(get((at - 1) / 2))) {
      put(at, get((at - 1) / 2));
      at = (at - 1) / 2;
    }
    put(at, session);
  }

  private void down(int at, SteppedSession session) {
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && get(child + 1).wakesBefore(get(child))) {
        child++;
      }
      if (!get(child).wakesBefore(session)) {
        break;
      }
      put(at, get(child));
      at = child;
    }
    put(at, session);
  }

  private SteppedSession get(int at) {
    SteppedSession session = heap[at];
    if (session == null) {
      throw new IllegalStateException("no session at " + at + " of " + size);
    }
    return session;
  }

  private void put(int at, SteppedSession session) {
    heap[at] = session;
    session.wakeAt = at;
  }
}
