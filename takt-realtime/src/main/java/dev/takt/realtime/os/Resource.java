package dev.takt.realtime.os;

/** What the operating system limits for a process and matters here. */
public enum Resource {
  /** Open descriptors: the number after the largest. */
  NOFILE(7),
  /** Memory that may be locked, in bytes. */
  MEMLOCK(8),
  /** The nice value: 20 minus the lowest that may be had. */
  NICE(13),
  /** The highest real-time priority. */
  RTPRIO(14),
  /** How long a real-time thread may run without blocking, in microseconds. */
  RTTIME(15);

  private final int number;

  Resource(int number) {
    this.number = number;
  }

  /** Returns the number that Linux has for it. */
  public int number() {
    return number;
  }
}
