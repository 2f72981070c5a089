package dev.takt.realtime.os;

/**
 * A limit of this process.
 *
 * @param soft what counts now; {@link #UNLIMITED} or {@link #UNKNOWN}
 * @param hard how far an ordinary user may raise it; {@link #UNLIMITED} or {@link #UNKNOWN}
 */
public record ResourceLimit(long soft, long hard) {
  /** There is no limit. */
  public static final long UNLIMITED = -1;

  /** The system does not tell. */
  public static final long UNKNOWN = -2;
}
