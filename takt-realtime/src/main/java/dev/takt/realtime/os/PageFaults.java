package dev.takt.realtime.os;

/**
 * How often memory was touched that was not there.
 *
 * @param minor without reading from disk; -1: unknown
 * @param major with reading from disk; -1: unknown
 */
public record PageFaults(long minor, long major) {
  /** Not reported by the system. */
  public static final PageFaults UNKNOWN = new PageFaults(-1, -1);
}
