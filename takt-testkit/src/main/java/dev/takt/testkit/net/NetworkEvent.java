package dev.takt.testkit.net;

/**
 * What happened at one moment in a simulated network.
 *
 * @param timeNs when, in virtual nanoseconds since the network was opened
 * @param kind what
 * @param connection the number of the connection, from 1 on; 0 if it concerns none
 * @param where which end of it, or which session
 * @param bytes how many are sent, received or lost; otherwise zero
 * @param pauseNs how long a slow end waits, in nanoseconds; otherwise zero
 */
public record NetworkEvent(
    long timeNs, Kind kind, int connection, String where, long bytes, long pauseNs) {
  /** What can happen. */
  public enum Kind {
    /** A connection was made. */
    CONNECTED,
    /** A connection was refused: nobody listens, or too many wait. */
    REFUSED,
    /** An end has sent bytes. */
    SENT,
    /** An end has read all that had come. */
    RECEIVED,
    /** An end has read less than had come. */
    RECEIVED_PART,
    /** An end has no room to write, and waits. */
    WINDOW_FULL,
    /** A slow end waits before it reads. */
    READ_PAUSED,
    /** An end has read that no more will come. */
    END_READ,
    /** A wait of an end has taken longer than it was to. */
    TIMED_OUT,
    /** An end writes no more. */
    HALF_CLOSED,
    /** An end is closed. */
    CLOSED,
    /** An end has learned that the connection is lost. */
    RESET,
    /** From this moment on nothing arrives at either end, and neither is told. */
    FELL_SILENT,
    /** The network has lost bytes of an end, or the news that it has ended, without a word. */
    SILENCED,
    /** A session has ended with a result. */
    SESSION_ENDED,
    /** A session has ended with an exception. */
    SESSION_FAILED
  }

  @Override
  public String toString() {
    String about = connection == 0 ? where : "connection " + connection + " " + where;
    String amount = bytes == 0 ? "" : " " + bytes + " bytes";
    String pause = pauseNs == 0 ? "" : " for %.6f ms".formatted(pauseNs / 1e6);
    return "%12.6f ms  %-14s %s%s%s".formatted(timeNs / 1e6, kind, about, amount, pause);
  }
}
