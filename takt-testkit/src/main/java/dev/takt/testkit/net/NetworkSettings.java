package dev.takt.testkit.net;

import java.time.Duration;

/**
 * What a simulated network does to its connections.
 *
 * <p>Chances are in thousandths and hold for each connection; what a connection meets is decided
 * when it is made.
 *
 * @param minDelay how long bytes are on their way at least: 1 ns or more, so that time goes on
 * @param maxDelay how long at most; each connection keeps its order, different ones do not
 * @param windowBytes how many bytes of a direction are written and not yet read, at most, before
 *     the writer has to wait: 1 to 16 MiB
 * @param readSizes how many bytes one read returns
 * @param resetPerMille how many connections are lost with an exception at both ends
 * @param silencePerMille how many connections are lost without a word: nothing comes any more
 * @param faultWithin within which time after it is made a connection is lost, if it is
 * @param resetAfterBytes after how many bytes of a direction have come every connection is reset; 0
 *     for never
 * @param slowReaderPerMille how many ends read slowly
 * @param maxReadPause how long a slow end waits, at most, before each read
 * @param backlog how many connections wait for being accepted; further ones are refused
 * @param maxTraceEvents how many of the last events are kept: 0 to 1,000,000
 */
public record NetworkSettings(
    Duration minDelay,
    Duration maxDelay,
    int windowBytes,
    ReadSizes readSizes,
    int resetPerMille,
    int silencePerMille,
    Duration faultWithin,
    int resetAfterBytes,
    int slowReaderPerMille,
    Duration maxReadPause,
    int backlog,
    int maxTraceEvents) {

  private static final Duration LONGEST = Duration.ofDays(1);

  /** Delays of 0.1 to 5 ms, 64 KiB on their way, random read sizes; no connection is lost. */
  public static final NetworkSettings DEFAULTS =
      new NetworkSettings(
          Duration.ofNanos(100_000),
          Duration.ofMillis(5),
          65_536,
          ReadSizes.RANDOM,
          0,
          0,
          Duration.ofMillis(100),
          0,
          0,
          Duration.ofMillis(50),
          128,
          1_000);

  /**
   * As {@link #DEFAULTS}, with 256 bytes on their way, and of 1,000 connections 200 that are reset
   * and 100 that fall silent within 100 ms; of 1,000 ends 200 read slowly.
   */
  public static final NetworkSettings HOSTILE =
      DEFAULTS
          .withWindowBytes(256)
          .withResetPerMille(200)
          .withSilencePerMille(100)
          .withSlowReaderPerMille(200);

  /** Checks each value. */
  public NetworkSettings {
    checkTime("minDelay", minDelay, Duration.ofNanos(1));
    checkTime("maxDelay", maxDelay, minDelay);
    check("windowBytes", windowBytes, 1, 1 << 24);
    check("resetPerMille", resetPerMille, 0, 1_000);
    check("silencePerMille", silencePerMille, 0, 1_000 - resetPerMille);
    checkTime("faultWithin", faultWithin, Duration.ofNanos(1));
    check("resetAfterBytes", resetAfterBytes, 0, Integer.MAX_VALUE);
    check("slowReaderPerMille", slowReaderPerMille, 0, 1_000);
    checkTime("maxReadPause", maxReadPause, Duration.ofNanos(1));
    check("backlog", backlog, 1, 65_536);
    check("maxTraceEvents", maxTraceEvents, 0, 1_000_000);
  }

  private static void check(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + "=" + value + " (expected: " + min + " to " + max + ")");
    }
  }

  private static void checkTime(String name, Duration value, Duration min) {
    if (value.compareTo(min) < 0 || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          name + "=" + value + " (expected: " + min + " to " + LONGEST + ")");
    }
  }

  /** Returns these settings with other delays. */
  public NetworkSettings withDelay(Duration min, Duration max) {
    return new NetworkSettings(
        min,
        max,
        windowBytes,
        readSizes,
        resetPerMille,
        silencePerMille,
        faultWithin,
        resetAfterBytes,
        slowReaderPerMille,
        maxReadPause,
        backlog,
        maxTraceEvents);
  }

  /** Returns these settings with another number of bytes on their way. */
  public NetworkSettings withWindowBytes(int bytes) {
    return new NetworkSettings(
        minDelay,
        maxDelay,
        bytes,
        readSizes,
        resetPerMille,
        silencePerMille,
        faultWithin,
        resetAfterBytes,
        slowReaderPerMille,
        maxReadPause,
        backlog,
        maxTraceEvents);
  }

  /** Returns these settings with other sizes of reads. */
  public NetworkSettings withReadSizes(ReadSizes sizes) {
    return new NetworkSettings(
        minDelay,
        maxDelay,
        windowBytes,
        sizes,
        resetPerMille,
        silencePerMille,
        faultWithin,
        resetAfterBytes,
        slowReaderPerMille,
        maxReadPause,
        backlog,
        maxTraceEvents);
  }

  /** Returns these settings with another share of connections that are reset. */
  public NetworkSettings withResetPerMille(int perMille) {
    return new NetworkSettings(
        minDelay,
        maxDelay,
        windowBytes,
        readSizes,
        perMille,
        silencePerMille,
        faultWithin,
        resetAfterBytes,
        slowReaderPerMille,
        maxReadPause,
        backlog,
        maxTraceEvents);
  }

  /** Returns these settings with another share of connections that fall silent. */
  public NetworkSettings withSilencePerMille(int perMille) {
    return new NetworkSettings(
        minDelay,
        maxDelay,
        windowBytes,
        readSizes,
        resetPerMille,
        perMille,
        faultWithin,
        resetAfterBytes,
        slowReaderPerMille,
        maxReadPause,
        backlog,
        maxTraceEvents);
  }

  /** Returns these settings with another time within which connections are lost. */
  public NetworkSettings withFaultWithin(Duration time) {
    return new NetworkSettings(
        minDelay,
        maxDelay,
        windowBytes,
        readSizes,
        resetPerMille,
        silencePerMille,
        time,
        resetAfterBytes,
        slowReaderPerMille,
        maxReadPause,
        backlog,
        maxTraceEvents);
  }

  /** Returns these settings with a place at which every connection is reset. */
  public NetworkSettings withResetAfterBytes(int bytes) {
    return new NetworkSettings(
        minDelay,
        maxDelay,
        windowBytes,
        readSizes,
        resetPerMille,
        silencePerMille,
        faultWithin,
        bytes,
        slowReaderPerMille,
        maxReadPause,
        backlog,
        maxTraceEvents);
  }

  /** Returns these settings with another share of ends that read slowly. */
  public NetworkSettings withSlowReaderPerMille(int perMille) {
    return new NetworkSettings(
        minDelay,
        maxDelay,
        windowBytes,
        readSizes,
        resetPerMille,
        silencePerMille,
        faultWithin,
        resetAfterBytes,
        perMille,
        maxReadPause,
        backlog,
        maxTraceEvents);
  }

  /** Returns these settings with another longest pause of slow readers. */
  public NetworkSettings withMaxReadPause(Duration pause) {
    return new NetworkSettings(
        minDelay,
        maxDelay,
        windowBytes,
        readSizes,
        resetPerMille,
        silencePerMille,
        faultWithin,
        resetAfterBytes,
        slowReaderPerMille,
        pause,
        backlog,
        maxTraceEvents);
  }

  /** Returns these settings with another number of connections that wait for being accepted. */
  public NetworkSettings withBacklog(int connections) {
    return new NetworkSettings(
        minDelay,
        maxDelay,
        windowBytes,
        readSizes,
        resetPerMille,
        silencePerMille,
        faultWithin,
        resetAfterBytes,
        slowReaderPerMille,
        maxReadPause,
        connections,
        maxTraceEvents);
  }

  /** Returns these settings with another number of events that are kept. */
  public NetworkSettings withMaxTraceEvents(int events) {
    return new NetworkSettings(
        minDelay,
        maxDelay,
        windowBytes,
        readSizes,
        resetPerMille,
        silencePerMille,
        faultWithin,
        resetAfterBytes,
        slowReaderPerMille,
        maxReadPause,
        backlog,
        events);
  }
}
