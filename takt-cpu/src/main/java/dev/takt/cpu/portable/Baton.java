package dev.takt.cpu.portable;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decides which task holds the baton: the rules, without a thread and a clock.
 *
 * <p><b>Thread rule:</b> {@link #step}, {@link #holder}: the scheduler's thread. {@link #add},
 * {@link #remove}, {@link #lost}: any.
 *
 * <p><b>Complexity:</b> a step looks at each task once. It allocates nothing.
 */
final class Baton {
  /** There is nothing to wait for. */
  static final long NEVER = Long.MAX_VALUE;

  private final FilterChain filters;

  /** Replaced as a whole. */
  private volatile Turn[] turns = {};

  private @Nullable Turn holder;
  private long untilNs;
  private volatile long lost;

  Baton(FilterChain filters) {
    this.filters = filters;
  }

  synchronized void add(Turn turn) {
    Turn[] more = Arrays.copyOf(turns, turns.length + 1);
    more[turns.length] = turn;
    turns = more;
  }

  synchronized void remove(Turn turn) {
    turns = Arrays.stream(turns).filter(each -> each != turn).toArray(Turn[]::new);
  }

  /** Returns how often a task has kept the baton beyond its slot. */
  long lost() {
    return lost;
  }

  /** Returns the holder of the baton; null: there is none, and the next interval is a pause. */
  @Nullable Turn holder() {
    return holder;
  }

  /**
   * Takes the baton from a holder that is done with it or has had its slot, and hands it to the
   * first of those that are due.
   *
   * @return until when nothing changes by time alone; {@link #NEVER}: by time, nothing does
   */
  long step(long nowNs) {
    Turn holder = this.holder;
    if (holder != null && !isOver(holder, nowNs)) {
      return untilNs;
    }
    this.holder = null;
    Turn first = firstDue(nowNs);
    while (first != null && !first.handOver()) {
      first = firstDue(nowNs); // that one has left
    }
    if (first == null) {
      return earliestNs(nowNs);
    }
    this.holder = first;
    untilNs = nowNs + filters.apply(Interval.SLOT, first.costNs(), first.slotNs());
    return untilNs;
  }

  @SuppressWarnings("NonAtomicOperationOnVolatileField") // written by one thread
  private boolean isOver(Turn holder, long nowNs) {
    if (holder.state() == Turn.State.HOLDING) {
      if (nowNs - untilNs < 0) {
        return false;
      }
      if (holder.takeAway()) {
        lost++;
        filters.ended(Interval.SLOT, untilNs, nowNs);
        return true;
      }
    }
    filters.ended(Interval.SLOT, untilNs, holder.endNs());
    return true;
  }

  private @Nullable Turn firstDue(long nowNs) {
    Turn first = null;
    for (Turn each : turns) {
      if (each.isDue(nowNs) && (first == null || each.deadlineNs() < first.deadlineNs())) {
        first = each;
      }
    }
    return first;
  }

  private long earliestNs(long nowNs) {
    long leastNs = NEVER;
    for (Turn each : turns) {
      if (each.state() == Turn.State.WAITING) {
        leastNs = Math.min(leastNs, each.dueNs() - nowNs);
      }
    }
    // One may have asked meanwhile for a time that has passed already.
    return leastNs == NEVER ? NEVER : nowNs + Math.max(0, leastNs);
  }
}
