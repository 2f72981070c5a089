package dev.takt.persist.format;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicIntegerArray;
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
  private static final int FREE = 0;
  private static final int FULL = 1;

  private final ByteBuffer[] buffers = new ByteBuffer[2];
  private final MemorySegment[] segments = new MemorySegment[2];
  private final AtomicIntegerArray states = new AtomicIntegerArray(2);
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
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] =
          ByteBuffer.allocate(Format.BLOCK_HEADER + blockBytes + Format.BLOCK_TRAILER)
              .order(ByteOrder.LITTLE_ENDIAN);
      segments[i] = MemorySegment.ofArray(buffers[i].array());
    }
  }

  /** Makes both free, whatever is in them; when no other thread uses them. */
  public void reset() {
    filling = 0;
    emptying = 0;
    states.set(0, FREE);
    states.set(1, FREE);
  }

  /** Returns the largest payload of a block, in bytes. */
  public int blockBytes() {
    return blockBytes;
  }

  /** Returns the buffer to fill, from behind the header on; null if it is not written yet. */
  @Nullable ByteBuffer free() {
    if (states.getAcquire(filling) != FREE) {
      return null;
    }
    return buffers[filling]
        .clear()
        .limit(Format.BLOCK_HEADER + blockBytes)
        .position(Format.BLOCK_HEADER);
  }

  /** Returns the memory of the buffer to fill. */
  MemorySegment segment() {
    return segments[filling];
  }

  /** Hands the buffer over that was filled. */
  void full() {
    states.setRelease(filling, FULL);
    filling ^= 1;
  }

  /** Returns the buffer to write, or null. */
  @Nullable ByteBuffer next() {
    return states.getAcquire(emptying) == FULL ? buffers[emptying] : null;
  }

  /** Gives the buffer back that was written. */
  void written() {
    states.setRelease(emptying, FREE);
    emptying ^= 1;
  }
}
