package dev.takt.session;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Sessions that wait until a time, the earliest first; of two with one time, the one that came
 * first. Each knows its place, so it can be taken out.
 *
 * <p><b>How.</b> The times are beside the sessions, and not in them: a look for the earliest one of
 * thousands, which no cache holds, reads none of them.
 *
 * <p><b>Thread rule.</b> One thread. <b>Cost.</b> O(log n) for each change. <b>Memory.</b> 20 to 40
 * bytes for each session.
 */
final class WakeHeap {
  private @Nullable SteppedSession[] sessions = new SteppedSession[16];
  private long[] wakeNs = new long[16];

  /** In which order they came. */
  private long[] orders = new long[16];

  private int size;
  private long sequence;

  void add(SteppedSession session, long ns) {
    if (size == sessions.length) {
      // the sessions' own last, which tells how long all are
      wakeNs = Arrays.copyOf(wakeNs, 2 * size);
      orders = Arrays.copyOf(orders, 2 * size);
      sessions = Arrays.copyOf(sessions, 2 * size);
    }
    up(size++, session, ns, sequence++);
  }

  /** Takes a session out, if it is in. */
  void remove(SteppedSession session) {
    int at = session.wakeAt;
    if (at >= 0) {
      session.wakeAt = -1;
      SteppedSession last = sessions[--size];
      sessions[size] = null;
      if (last != null && last != session) {
        up(at, last, wakeNs[size], orders[size]);
        down(last.wakeAt);
      }
    }
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Returns the earliest time, or {@code Long.MAX_VALUE} if nobody waits. */
  long firstNs() {
    return size == 0 ? Long.MAX_VALUE : wakeNs[0];
  }

  /** Returns the one with the earliest time; null if that is later than a time, or nobody's. */
  @Nullable SteppedSession firstUntil(long ns) {
    return size == 0 || wakeNs[0] > ns ? null : sessions[0];
  }

  private void up(int from, SteppedSession session, long ns, long order) {
    int at = from;
    while (at > 0 && isBefore(ns, order, (at - 1) / 2)) {
      move((at - 1) / 2, at);
      at = (at - 1) / 2;
    }
    put(at, session, ns, order);
  }

  private void down(int from) {
    SteppedSession session = sessions[from];
    long ns = wakeNs[from];
    long order = orders[from];
    int at = from;
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && isBefore(wakeNs[child + 1], orders[child + 1], child)) {
        child++;
      }
      if (isBefore(ns, order, child)) {
        break;
      }
      move(child, at);
      at = child;
    }
    put(at, session, ns, order);
  }

  private boolean isBefore(long ns, long order, int other) {
    return ns != wakeNs[other] ? ns < wakeNs[other] : order < orders[other];
  }

  private void move(int from, int to) {
    put(to, sessions[from], wakeNs[from], orders[from]);
  }

  private void put(int at, @Nullable SteppedSession session, long ns, long order) {
    sessions[at] = session;
    wakeNs[at] = ns;
    orders[at] = order;
    if (session != null) {
      session.wakeAt = at;
    }
  }
}
