package dev.takt.realtime.os;

/** A clock of the operating system. */
public enum KernelClock {
  /** Counts from some moment on and is never set: {@link System#nanoTime}. */
  MONOTONIC(1),
  /** The time of day, since 1970 in UTC; it is set, and repeats a leap second. */
  REALTIME(0),
  /** As {@link #MONOTONIC}, and counts on while the machine is suspended. */
  BOOTTIME(7),
  /** Atomic time: as {@link #REALTIME} without leap seconds. */
  TAI(11);

  private final int number;

  KernelClock(int number) {
    this.number = number;
  }

  /** Returns the number that Linux has for it. */
  public int number() {
    return number;
  }
}
