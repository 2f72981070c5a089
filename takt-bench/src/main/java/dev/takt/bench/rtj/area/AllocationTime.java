package dev.takt.bench.rtj.area;

import dev.takt.rtsj.memory.MemoryArea;
import dev.takt.rtsj.memory.MemoryView;

/**
 * 3.4.1: how long it takes to allocate in an area. Time stamps are taken before and after each
 * allocation, inside the area.
 *
 * <p>The heap is measured like the others, by its area: a new array and what makes it a segment.
 *
 * <p><b>Thread rule.</b> One thread. Nothing is allocated but what is measured.
 */
public final class AllocationTime {
  /** The sizes of the paper, in bytes. */
  public static final int[] SIZES = {4, 8, 64, 512, 4_096, 16_384};

  private final MemoryArea area;
  private final int bytes;
  private final MemoryView view = new MemoryView();
  private final Runnable inside = this::allocate;
  private long[] samplesNs = {};

  /**
   * Prepares the measurement.
   *
   * @param area where
   * @param bytes the size of each allocation
   */
  public AllocationTime(MemoryArea area, int bytes) {
    this.area = area;
    this.bytes = bytes;
  }

  /**
   * Returns how large a fresh area must be.
   *
   * @param kind of the area: an immortal one keeps what all frames have allocated
   * @param bytes the size of each allocation
   * @param samples in each frame
   * @param frames how many
   */
  public static long sizeBytes(AreaKind kind, int bytes, int samples, int frames) {
    // An allocation may leave the end of a block unused: one for each of the four blocks.
    long frameBytes = (samples + 4L) * Math.ceilDiv(bytes, 8) * 8;
    return kind == AreaKind.IMMORTAL ? frameBytes * frames : frameBytes;
  }

  /**
   * Enters the area, allocates, and leaves.
   *
   * @param samplesNs filled with the time of each allocation, with that of one time stamp
   */
  public void frame(long[] samplesNs) {
    this.samplesNs = samplesNs;
    area.enter(inside);
  }

  private void allocate() {
    for (int i = 0; i < samplesNs.length; i++) {
      long beforeNs = System.nanoTime();
      area.allocate(view, bytes, 8);
      samplesNs[i] = System.nanoTime() - beforeNs;
    }
  }
}
