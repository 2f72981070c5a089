package dev.takt.realtime.os;

/** How the operating system chooses among threads that could run. */
public enum Policy {
  /** By fair shares; the default of every thread. */
  OTHER(0),
  /** The highest priority first, until it blocks. */
  FIFO(1),
  /** The highest priority first, equal ones in turn. */
  RR(2),
  /** The earliest deadline first, each thread up to its budget. */
  DEADLINE(6);

  private final int number;

  Policy(int number) {
    this.number = number;
  }

  /** Returns the number by which Linux knows it. */
  public int number() {
    return number;
  }

  /** Returns whether threads of this policy run before all threads of {@link #OTHER}. */
  public boolean isRealtime() {
    return this != OTHER;
  }
}
