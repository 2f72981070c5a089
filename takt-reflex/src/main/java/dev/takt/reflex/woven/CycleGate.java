package dev.takt.reflex.woven;

import org.jspecify.annotations.Nullable;

/**
 * Where a persistence cycle meets those who change its objects: the releases of one task ({@link
 * SinkGate}), or the updates of plain threads ({@link PlainGate}).
 *
 * <p><b>Thread rule:</b> one thread at a time, that of the cycle.
 */
public interface CycleGate {
  /**
   * Asks that a sink receives what changes from the next boundary on; null: that none does.
   *
   * @throws IllegalStateException if another sink is asked for already
   */
  void ask(@Nullable SaveSink sink);

  /**
   * Asks that one sink takes over from another at the next boundary, with no change between that
   * neither is shown. When that {@linkplain #hasBegun has begun}, what the one before was shown is
   * in memory for the calling thread to see, and it is shown nothing more.
   *
   * @param before the sink that was asked for last; null: none was
   * @throws IllegalStateException if another one was
   */
  void replace(@Nullable SaveSink before, SaveSink sink);

  /**
   * Returns whether what was asked last holds: what was changed before is in memory for the calling
   * thread to see, and each later change is preceded by a call of the sink, or, without one, no
   * sink is called any more.
   */
  boolean hasBegun();
}
