package dev.takt.realtime.os.linux;

/** The numbers of Linux's {@code futex} operations, all for words that no other process sees. */
final class Futex {
  private static final int PRIVATE = 128;

  static final int WAKE = 1 | PRIVATE;
  static final int LOCK_PI = 6 | PRIVATE;
  static final int UNLOCK_PI = 7 | PRIVATE;
  static final int TRYLOCK_PI = 8 | PRIVATE;

  /** Waits until an absolute time of the monotonic clock. */
  static final int WAIT_BITSET = 9 | PRIVATE;

  /** As {@link #LOCK_PI}, until a time of the monotonic clock; since Linux 5.14. */
  static final int LOCK_PI2 = 13 | PRIVATE;

  static final long MATCH_ANY = 0xFFFF_FFFFL;

  private Futex() {}
}
