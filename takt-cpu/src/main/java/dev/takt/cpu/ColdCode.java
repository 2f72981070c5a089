package dev.takt.cpu;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether code that ran fast runs slowly for a while: a flipped stop site takes the compiled code
 * of all methods that have it, and of all that these were inlined into. Tasks that share some of it
 * with the one that is dropped exceed their cost then by no fault of their own.
 *
 * <p><b>Thread rule:</b> any thread.
 */
final class ColdCode {
  /** How long it takes until code has been compiled again: 100 ms in nanoseconds. */
  static final long WARM_NS = 100_000_000;

  private final AtomicInteger flipping = new AtomicInteger();
  private volatile long warmAtNs;

  ColdCode(long nowNs) {
    warmAtNs = nowNs;
  }

  /** Somebody begins to flip stop sites. */
  void begin() {
    flipping.incrementAndGet();
  }

  /** It has flipped them back. */
  void end(long nowNs) {
    warmAtNs = nowNs + WARM_NS;
    flipping.decrementAndGet();
  }

  boolean isCold(long nowNs) {
    return flipping.get() > 0 || nowNs - warmAtNs < 0;
  }
}
