package dev.takt.rtsj.memory;

import dev.takt.realtime.internal.Ranges;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Native memory that is given out from bottom to top, and all again in the next epoch.
 *
 * <p>Places are counted from 0 to the size, over one or more blocks: a first one, which is there
 * from the beginning, and others of one size, which are made when they are first needed and kept.
 * An allocation lies in one block; what it does not find room for at the end of a block is lost for
 * this epoch.
 *
 * <pre>
 *   0        firstBytes    + growthBytes   + growthBytes      maxBytes
 *   |   block 0   |     block 1     |     block 2     |  block 3  |
 * </pre>
 *
 * <p><b>Assumption.</b> A thread that allocates in an epoch is inside the scope until it is done.
 *
 * <p><b>Guarantees.</b> (1) Memory is zero when it is given out. (2) Allocations of one epoch do
 * not overlap. (3) Lock-free, except for the first use of a block, which asks the system for memory
 * under a lock.
 *
 * <p><b>Thread rule.</b> Any thread.
 */
final class Region {
  /** The most bytes of one region. */
  static final long MAX_SIZE_BYTES = Integer.MAX_VALUE - 4_095L;

  /** The most blocks of one region. */
  static final int MAX_BLOCKS = 1_024;

  /** The largest alignment, which is that of blocks. */
  static final long MAX_ALIGNMENT_BYTES = 4_096;

  /** Up to here memory is cleared by stores. */
  private static final long MAX_STORED_BYTES = 256;

  private static final MemorySegment ZEROS =
      MemorySegment.ofArray(new byte[(int) MAX_ALIGNMENT_BYTES]).asReadOnly();

  private final Arena arena;
  private final long firstBytes;
  private final long growthBytes;
  private final long maxBytes;
  private final boolean isReused;
  private final AtomicReferenceArray<MemorySegment> blocks;
  private final ScopeEpochCounter used = new ScopeEpochCounter();

  /**
   * Makes a region and its first block.
   *
   * @param isReused whether it will have more than one epoch, so that memory must be cleared
   */
  Region(Arena arena, long firstBytes, long growthBytes, long maxBytes, boolean isReused) {
    this.arena = arena;
    this.firstBytes = firstBytes;
    this.growthBytes = growthBytes;
    this.maxBytes = maxBytes;
    this.isReused = isReused;
    this.blocks = new AtomicReferenceArray<>(blockCount(firstBytes, growthBytes, maxBytes));
    block(0);
  }

  /** Returns how many blocks there can be. */
  static int blockCount(long firstBytes, long growthBytes, long maxBytes) {
    return 1 + Math.toIntExact(Math.ceilDiv(maxBytes - firstBytes, growthBytes));
  }

  /**
   * Gives out memory, and makes a view show it.
   *
   * @param area the area of the memory, for the view
   * @param bytes at least 0; 0 takes one byte, so that two allocations never have one place
   * @param alignment a power of two, at most {@link #MAX_ALIGNMENT_BYTES}
   * @return false if there is no room, or the system has no memory for a block; nothing is taken
   *     and the view is unchanged then
   */
  boolean tryAllocate(MemoryArea area, int epoch, long bytes, long alignment, MemoryView into) {
    checkRequest(bytes, alignment, MAX_ALIGNMENT_BYTES);
    if (bytes > maxBytes) {
      return false;
    }
    long taken = Math.max(bytes, 1);
    while (true) {
      long read = used.read();
      long usedBytes = ScopeEpochCounter.count(read, epoch);
      int index = blockAt(usedBytes);
      long start = startOf(index);
      long place = start + (usedBytes - start + alignment - 1 & -alignment);
      if (place + taken > endOf(index)) {
        index++; // what is left of the block is lost for this epoch
        start = startOf(index);
        place = start;
        if (place + taken > endOf(index)) {
          return false;
        }
      }
      MemorySegment block = blockIfAny(index);
      if (block == null) {
        return false;
      }
      if (used.advance(read, epoch, (int) (place + taken))) {
        if (isReused) {
          clear(block, place - start, bytes);
        }
        into.show(area, epoch, block, place - start, bytes);
        return true;
      }
    }
  }

  /** Returns whether an address is in one of the blocks. */
  boolean contains(long address) {
    for (int i = 0; i < blocks.length(); i++) {
      MemorySegment block = blocks.getAcquire(i);
      if (block != null
          && address >= block.address()
          && address - block.address() < block.byteSize()) {
        return true;
      }
    }
    return false;
  }

  long usedBytes(int epoch) {
    return used.count(epoch);
  }

  long maxBytes() {
    return maxBytes;
  }

  /** Returns the bytes of the blocks that are there. */
  long committedBytes() {
    long bytes = 0;
    for (int i = 0; i < blocks.length() && blocks.getAcquire(i) != null; i++) {
      bytes += endOf(i) - startOf(i);
    }
    return bytes;
  }

  static void checkRequest(long bytes, long alignment, long maxAlignment) {
    Ranges.checkAtLeast("bytes", bytes, 0);
    if (Long.bitCount(alignment) != 1 || alignment < 1 || alignment > maxAlignment) {
      throw new IllegalArgumentException(
          "alignment=%s (expected: a power of two from 1 to %s in this area)"
              .formatted(alignment, maxAlignment));
    }
  }

  private int blockAt(long place) {
    return place < firstBytes ? 0 : 1 + (int) ((place - firstBytes) / growthBytes);
  }

  private long startOf(int index) {
    return index == 0 ? 0 : firstBytes + (index - 1) * growthBytes;
  }

  private long endOf(int index) {
    return Math.min(firstBytes + index * growthBytes, maxBytes);
  }

  private MemorySegment block(int index) {
    MemorySegment block = blocks.getAcquire(index);
    return block == null ? commit(index) : block;
  }

  /** Returns a block; null if the system has no memory for it, at present. */
  private @Nullable MemorySegment blockIfAny(int index) {
    try {
      return block(index);
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  private synchronized MemorySegment commit(int index) {
    MemorySegment block = blocks.getAcquire(index);
    if (block == null) {
      block = arena.allocate(endOf(index) - startOf(index), MAX_ALIGNMENT_BYTES);
      blocks.setRelease(index, block);
    }
    return block;
  }

  /**
   * Stores zeros one by one, or copies them when there are many: unlike filling a slice, neither
   * needs an object, and the call into the JVM pays off from some hundred bytes on.
   */
  private static void clear(MemorySegment block, long offset, long bytes) {
    long done = 0;
    if (bytes > MAX_STORED_BYTES) {
      while (done < bytes) {
        long part = Math.min(bytes - done, ZEROS.byteSize());
        MemorySegment.copy(ZEROS, 0, block, offset + done, part);
        done += part;
      }
      return;
    }
    for (; done + Long.BYTES <= bytes; done += Long.BYTES) {
      block.set(ValueLayout.JAVA_LONG_UNALIGNED, offset + done, 0L);
    }
    for (; done < bytes; done++) {
      block.set(ValueLayout.JAVA_BYTE, offset + done, (byte) 0);
    }
  }
}
