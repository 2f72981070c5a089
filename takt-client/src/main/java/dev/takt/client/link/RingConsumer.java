package dev.takt.client.link;

import static dev.takt.client.link.RingLayout.DATA;
import static dev.takt.client.link.RingLayout.HEADER;
import static dev.takt.client.link.RingLayout.HEADER_BYTES;
import static dev.takt.client.link.RingLayout.POSITION;
import static dev.takt.client.link.RingLayout.WORD;

import java.lang.foreign.MemorySegment;

/**
 * The side of a ring that reads records: see the package for layout and protocol.
 *
 * <p><b>Guarantees:</b> a record is copied out of the shared memory once, whole, and what was
 * copied is what counts; its length is read once and checked. A look is wait-free, O(length), and
 * allocates nothing, whatever the producer writes; what cannot be a header ends in a {@link
 * LinkException}.
 *
 * <p><b>Thread rule:</b> one thread at a time, and one consumer for each ring.
 */
public final class RingConsumer {
  /** What {@link #poll} returns if there is no record. */
  public static final int NONE = -1;

  private final MemorySegment memory;
  private final int capacityBytes;
  private final int maxRecordBytes;

  /** Of the next record. */
  private long position;

  /** The position that the producer was told. */
  private long told;

  /**
   * Makes the consumer of a ring from which nothing was read yet.
   *
   * @param memory all of the ring, as the producer has it
   * @param maxRecordBytes of the longest record, without its header
   * @throws IllegalArgumentException if memory and record do not fit together
   */
  public RingConsumer(MemorySegment memory, int maxRecordBytes) {
    this(memory, maxRecordBytes, 0);
  }

  /** Begins at a position, as after that many bytes. */
  RingConsumer(MemorySegment memory, int maxRecordBytes, long position) {
    RingLayout.check(memory, maxRecordBytes);
    this.memory = memory;
    this.capacityBytes = (int) (memory.byteSize() - DATA);
    this.maxRecordBytes = maxRecordBytes;
    this.position = position;
    tell();
  }

  /** Returns whether there is a record, or something that ought to be one. */
  public boolean isReady() {
    return (int) HEADER.getAcquire(memory, place(position)) != 0;
  }

  /**
   * Copies the next record out, if there is one, and frees its room.
   *
   * @param into has room for the longest record; what is behind the record stays as it is
   * @return the record's length in bytes, or {@link #NONE}
   * @throws LinkException if the producer has broken the protocol; end the link then
   * @throws IllegalArgumentException if {@code into} is shorter than the longest record
   */
  public int poll(MemorySegment into) throws LinkException {
    if (into.byteSize() < maxRecordBytes) {
      throw new IllegalArgumentException(
          "a buffer of "
              + into.byteSize()
              + " bytes for records of up to "
              + maxRecordBytes
              + "; give a larger one");
    }
    int header = (int) HEADER.getAcquire(memory, place(position));
    if (header == 0) {
      return NONE;
    }
    if (header < 0 || header - 1 > maxRecordBytes) {
      throw new LinkException(
          "a record of "
              + (header - 1L)
              + " bytes at "
              + position
              + " where 0 to "
              + maxRecordBytes
              + " are allowed; the process that wrote it is faulty or hostile: end the link");
    }
    int length = header - 1;
    copyOut(into, length);
    position += RingLayout.recordBytes(length);
    if (position - told >= capacityBytes >> 2) {
      tell();
    }
    return length;
  }

  /**
   * Returns up to where the producer was told that room is free: it changes after a quarter of the
   * ring, and a producer that waits for room need not look before.
   */
  long told() {
    return told;
  }

  private void tell() {
    told = position;
    WORD.setRelease(memory, POSITION, position);
  }

  private void copyOut(MemorySegment into, int length) {
    long from = place(position + HEADER_BYTES);
    long atEnd = Math.min(length, memory.byteSize() - from);
    MemorySegment.copy(memory, from, into, 0, atEnd);
    if (atEnd < length) {
      MemorySegment.copy(memory, DATA, into, atEnd, length - atEnd);
    }
  }

  private long place(long at) {
    return DATA + (at & (capacityBytes - 1));
  }
}
