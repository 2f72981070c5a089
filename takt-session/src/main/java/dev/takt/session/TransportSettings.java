package dev.takt.session;

import dev.takt.realtime.internal.Ranges;
import java.net.SocketTimeoutException;
import java.time.Duration;

/**
 * The limits of a transport.
 *
 * @param maxLineBytes the longest line that is read or written, in bytes of its character set
 *     (UTF-8), without its end: 1 to 16 MiB. A reader keeps at most so much of an unfinished line
 * @param maxQueuedLines how many written lines wait in memory, at most, for a reader in the same
 *     JVM: 1 to 65,536; 4 to 8 bytes each are allocated for either direction
 * @param readTimeout how long one read waits for a whole line before it fails and can be repeated;
 *     zero: such a read is bounded by {@code idleTimeout} alone. From a socket that waits by the
 *     JDK's means it costs a timer for each wait, a third of what an echo costs; from one that a
 *     poller of a {@link TransportServer} reads, a look at the clock and an atomic operation
 * @param idleTimeout how long one read waits for a whole line before the connection is closed;
 *     zero: without end. Where {@code readTimeout} is shorter, that ends the read
 * @param writeTimeout how long one write waits for room: more than zero, so that no reader that has
 *     stopped keeps a writer for ever
 * @param connectTimeout how long making a connection may take, and after that agreeing upon TLS on
 *     it; zero: as long as the operating system tries. It is kept in whole milliseconds, rounded up
 * @param maxPatience for how long a read within one JVM looks for a line, at most, before it
 *     suspends its session: zero for never, to 1 s. How long it does is learned, and no longer than
 *     32 us; others run meanwhile
 */
public record TransportSettings(
    int maxLineBytes,
    int maxQueuedLines,
    Duration readTimeout,
    Duration idleTimeout,
    Duration writeTimeout,
    Duration connectTimeout,
    Duration maxPatience) {

  private static final Duration LONGEST = Duration.ofMillis(Integer.MAX_VALUE);

  /**
   * Lines of 8 KiB, 16 of them queued, half a minute for reads and writes before the connection is
   * closed, 10 s to connect.
   */
  public static final TransportSettings DEFAULTS =
      new TransportSettings(
          8_192,
          16,
          Duration.ZERO,
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          Duration.ofNanos(20_000));

  /** Checks each limit. */
  public TransportSettings {
    Ranges.check("maxLineBytes", maxLineBytes, 1, 1 << 24);
    Ranges.check("maxQueuedLines", maxQueuedLines, 1, 1 << 16);
    check("readTimeout", readTimeout);
    check("idleTimeout", idleTimeout);
    check("writeTimeout", writeTimeout);
    if (writeTimeout.isZero()) {
      throw new IllegalArgumentException(
          "writeTimeout=PT0S (expected: more, to "
              + LONGEST
              + "; a reader that has stopped would keep the writer for ever)");
    }
    check("connectTimeout", connectTimeout);
    if (maxPatience.isNegative() || maxPatience.compareTo(Duration.ofSeconds(1)) > 0) {
      throw new IllegalArgumentException(
          "maxPatience=" + maxPatience + " (expected: 0, which is never, to 1 s)");
    }
  }

  private static void check(String name, Duration value) {
    if (value.isNegative() || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          name + "=" + value + " (expected: 0, which is without end, to " + LONGEST + ")");
    }
  }

  /** Returns these settings with another length of the longest line. */
  public TransportSettings withMaxLineBytes(int bytes) {
    return new TransportSettings(
        bytes, maxQueuedLines, readTimeout, idleTimeout, writeTimeout, connectTimeout, maxPatience);
  }

  /** Returns these settings with another number of queued lines. */
  public TransportSettings withMaxQueuedLines(int lines) {
    return new TransportSettings(
        maxLineBytes, lines, readTimeout, idleTimeout, writeTimeout, connectTimeout, maxPatience);
  }

  /** Returns these settings with another time for a read that can be repeated. */
  public TransportSettings withReadTimeout(Duration timeout) {
    return new TransportSettings(
        maxLineBytes,
        maxQueuedLines,
        timeout,
        idleTimeout,
        writeTimeout,
        connectTimeout,
        maxPatience);
  }

  /** Returns these settings with another time for a read before the connection is closed. */
  public TransportSettings withIdleTimeout(Duration timeout) {
    return new TransportSettings(
        maxLineBytes,
        maxQueuedLines,
        readTimeout,
        timeout,
        writeTimeout,
        connectTimeout,
        maxPatience);
  }

  /** Returns these settings with another time for a write; zero is refused. */
  public TransportSettings withWriteTimeout(Duration timeout) {
    return new TransportSettings(
        maxLineBytes,
        maxQueuedLines,
        readTimeout,
        idleTimeout,
        timeout,
        connectTimeout,
        maxPatience);
  }

  /** Returns these settings with another time for making a connection. */
  public TransportSettings withConnectTimeout(Duration timeout) {
    return new TransportSettings(
        maxLineBytes, maxQueuedLines, readTimeout, idleTimeout, writeTimeout, timeout, maxPatience);
  }

  /** Returns these settings with another time to look before a session is suspended. */
  public TransportSettings withMaxPatience(Duration patience) {
    return new TransportSettings(
        maxLineBytes,
        maxQueuedLines,
        readTimeout,
        idleTimeout,
        writeTimeout,
        connectTimeout,
        patience);
  }

  /**
   * Returns the time for making a connection in whole milliseconds, rounded up; zero stays that.
   */
  public int connectTimeoutMs() {
    return (int) connectTimeout.plusNanos(999_999).toMillis();
  }

  /**
   * Returns how long one read waits at most, in nanoseconds: the shorter of both limits that are
   * set; zero: without end.
   */
  public long readLimitNs() {
    return closesWhenIdle() ? idleTimeout.toNanos() : readTimeout.toNanos();
  }

  /** Returns whether a read that waits for too long closes the connection. */
  public boolean closesWhenIdle() {
    return !idleTimeout.isZero()
        && (readTimeout.isZero() || idleTimeout.compareTo(readTimeout) < 0);
  }

  /**
   * Returns what a read that has waited for too long throws.
   *
   * @param hereBytes how many bytes of the line have come
   */
  public SocketTimeoutException noLine(int hereBytes) {
    return new SocketTimeoutException(
        "no line within %d ms (%d bytes of it are here); the other end is silent, or"
                .formatted(readLimitNs() / 1_000_000, hereBytes)
            + (closesWhenIdle()
                ? " TransportSettings.idleTimeout is too short for it; the connection is closed"
                : " TransportSettings.readTimeout is too short for it"));
  }

  /** Returns what a read throws whose line has begun to come, and has not ended in time. */
  SocketTimeoutException slowLine(int hereBytes) {
    return new SocketTimeoutException(
        "a line has begun to come and has not ended in time (%d bytes of it are here); the connection is closed"
            .formatted(hereBytes));
  }

  /** Returns what a write throws that has had no room in time. */
  SocketTimeoutException noRoom() {
    return new SocketTimeoutException(
        "no room for a line within %d ms: the other end does not read; the connection is closed,"
                .formatted(writeTimeout.toMillis())
            + " or raise TransportSettings.writeTimeout");
  }
}
