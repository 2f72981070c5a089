package dev.takt.realtime;

/** What became of an arrival. */
public enum Arrival {
  /** Queued, to be released at once. */
  ACCEPTED,
  /** Queued, to be released when the minimum inter-arrival time has passed. */
  SAVED,
  /** It has taken the place of the newest one in the queue. */
  REPLACED,
  /** Dropped, silently. */
  IGNORED,
  /** Refused because it came too soon. */
  REFUSED_TOO_SOON,
  /** Refused because the queue is full. */
  REFUSED_FULL;

  /** Returns whether there will be a release for it. */
  public boolean isQueued() {
    return this == ACCEPTED || this == SAVED || this == REPLACED;
  }

  /** Returns whether the caller is to get an exception. */
  public boolean isRefused() {
    return this == REFUSED_TOO_SOON || this == REFUSED_FULL;
  }
}
