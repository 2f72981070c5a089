package dev.takt.realtime.os;

import java.util.List;

/**
 * Whether this process's memory is kept from being paged out.
 *
 * @param locked whether all memory is locked, also what is mapped later
 * @param onFault whether a page is locked when it is first touched, rather than at once
 * @param lockedBytes how much is locked now; -1: unknown
 * @param limitBytes how much this user may lock; {@link ResourceLimit#UNLIMITED} or {@link
 *     ResourceLimit#UNKNOWN}
 * @param shortfalls what was asked for and not granted; empty if everything was
 */
public record MemoryLock(
    boolean locked,
    boolean onFault,
    long lockedBytes,
    long limitBytes,
    List<Shortfall> shortfalls) {
  /** Copies the list. */
  public MemoryLock {
    shortfalls = List.copyOf(shortfalls);
  }
}
