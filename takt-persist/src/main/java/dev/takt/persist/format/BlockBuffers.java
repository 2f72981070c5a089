package dev.takt.persist.format;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The two buffers between the persistence task, which fills one, and the writer task, which writes
 * the other one (Persistence 3.3, Fig. 2). They change places when both are done.
 *
 * <p>A buffer has room for the header of a block, its payload and the checksum, in this order.
 *
 * <p><b>Thread rule:</b> one thread fills, one thread empties; neither waits.
 */
public final class BlockBuffers {
  /**
   * One of the two. Its state is a plain volatile field: the steps of a cycle that come once run
   * interpreted for long, where a variable handle takes a microsecond.
   */
  private static final class Slot {
    final ByteBuffer buffer;
    final MemorySegment segment;
    volatile boolean isFull;

    Slot(int bytes) {
      buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
      segment = MemorySegment.ofArray(buffer.array());
    }
  }

  private final Slot[] slots = new Slot[2];
  private final int blockBytes;
  private int filling;
  private int emptying;

  /**
   * Makes two free buffers.
   *
   * @param blockBytes the largest payload of a block
   */
  public BlockBuffers(int blockBytes) {
    this.blockBytes = blockBytes;
    for (int i = 0; i < slots.length; i++) {
      slots[i] = new Slot(Format.BLOCK_HEADER + blockBytes + Format.BLOCK_TRAILER);
    }
  }

  /** Makes both free, whatever is in them; when no other thread uses them. */
  public void reset() {
    filling = 0;
    emptying = 0;
    slots[0].isFull = false;
    slots[1].isFull = false;
  }

  /** Returns the largest payload of a block, in bytes. */
  public int blockBytes() {
    return blockBytes;
  }

  /** Returns the buffer to fill, from behind the header on; null if it is not written yet. */
  @Nullable ByteBuffer free() {
    Slot slot = slots[filling];
    if (slot.isFull) {
      return null;
    }
    return slot.buffer
        .clear()
        .limit(Format.BLOCK_HEADER + blockBytes)
        .position(Format.BLOCK_HEADER);
  }

  /** Returns the memory of the buffer to fill. */
  MemorySegment segment() {
    return slots[filling].segment;
  }

  /** Hands the buffer over that was filled. */
  void full() {
    slots[filling].isFull = true;
    filling ^= 1;
  }

  /** Returns the buffer to write, or null. */
  @Nullable ByteBuffer next() {
    return slots[emptying].isFull ? slots[emptying].buffer : null;
  }

  /** Gives the buffer back that was written. */
  void written() {
    slots[emptying].isFull = false;
    emptying ^= 1;
  }
}
