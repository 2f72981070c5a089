package dev.takt.session;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Sessions that are ready for a step, in the order of their coming.
 *
 * <p><b>Thread rule.</b> One thread. <b>Cost.</b> O(1) for each, without allocation but to grow.
 */
final class ReadyRing {
  private @Nullable SteppedSession[] ring = new SteppedSession[16];
  private int head;
  private int size;

  void add(SteppedSession session) {
    if (size == ring.length) {
      SteppedSession[] larger = new SteppedSession[2 * size];
      for (int i = 0; i < size; i++) {
        larger[i] = ring[at(i)];
      }
      ring = larger;
      head = 0;
    }
    ring[at(size++)] = session;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Takes the first one, or any one by chance; null if there is none. */
  @Nullable SteppedSession take(@Nullable RandomGenerator random) {
    if (size == 0) {
      return null;
    }
    SteppedSession session = ring[head];
    if (random != null) {
      int chosen = at(random.nextInt(size));
      session = ring[chosen];
      ring[chosen] = ring[head];
    }
    ring[head] = null;
    head = at(1);
    size--;
    return session;
  }

  private int at(int place) {
    return head + place & ring.length - 1;
  }
}
