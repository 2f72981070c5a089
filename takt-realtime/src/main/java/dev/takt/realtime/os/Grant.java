package dev.takt.realtime.os;

import java.util.List;

/**
 * What a thread has been granted.
 *
 * @param threadId the operating system's number of the thread; 0 if unknown
 * @param scheduling how it is scheduled now, as far as is known
 * @param shortfalls what was asked for and not granted; empty if everything was
 */
public record Grant(int threadId, ThreadScheduling scheduling, List<Shortfall> shortfalls) {
  /** Copies the list. */
  public Grant {
    shortfalls = List.copyOf(shortfalls);
  }

  /** Returns whether everything was granted. */
  public boolean isComplete() {
    return shortfalls.isEmpty();
  }
}
