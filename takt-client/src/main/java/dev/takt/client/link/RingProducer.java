package dev.takt.client.link;

import static dev.takt.client.link.RingLayout.DATA;
import static dev.takt.client.link.RingLayout.HEADER;
import static dev.takt.client.link.RingLayout.HEADER_BYTES;
import static dev.takt.client.link.RingLayout.POSITION;
import static dev.takt.client.link.RingLayout.WORD;

import java.lang.foreign.MemorySegment;

/**
 * The side of a ring that writes records: see the package for layout and protocol.
 *
 * <p><b>Guarantees:</b> the consumer sees a record whole or not at all, and in the order of the
 * offers. An offer is wait-free, O(length), and allocates nothing. A consumer's position that
 * cannot be ends in a {@link LinkException}, whatever the consumer writes.
 *
 * <p><b>Thread rule:</b> one thread at a time, and one producer for each ring.
 */
public final class RingProducer {
  /** How far the headers behind the next record are zero, as far as there is room. */
  private static final int AHEAD_BYTES = 4 * RingLayout.ALIGNMENT;

  private final MemorySegment memory;
  private final int capacityBytes;
  private final int maxRecordBytes;

  /** Of the next record; its header is zero. */
  private long position;

  /** All headers from there to this one are zero, without this one. */
  private long cleared;

  /** Up to where the consumer has read, as far as was looked. */
  private long consumed;

  /**
   * Makes the producer of a ring on which nothing was written yet.
   *
   * @param memory all of the ring: zeros, aligned to 64 bytes
   * @param maxRecordBytes of the longest record, without its header
   * @throws IllegalArgumentException if memory and record do not fit together
   */
  public RingProducer(MemorySegment memory, int maxRecordBytes) {
    this(memory, maxRecordBytes, 0);
  }

  /** Begins at a position, as after that many bytes. */
  RingProducer(MemorySegment memory, int maxRecordBytes, long position) {
    RingLayout.check(memory, maxRecordBytes);
    this.memory = memory;
    this.capacityBytes = (int) (memory.byteSize() - DATA);
    this.maxRecordBytes = maxRecordBytes;
    this.position = position;
    this.consumed = position;
    this.cleared = position + RingLayout.ALIGNMENT;
  }

  /** Returns the bytes that a ring of that capacity takes. */
  public static long bytes(int capacityBytes) {
    return RingLayout.bytes(capacityBytes);
  }

  /**
   * Copies a record into the ring, if there is room.
   *
   * @param from where its bytes are
   * @param offset where it begins there
   * @param length its bytes, 0 to the longest record
   * @return whether there was room; else nothing has happened
   * @throws LinkException if the consumer has broken the protocol; end the link then
   * @throws IllegalArgumentException if the record is too long
   * @throws IndexOutOfBoundsException if it is not inside of {@code from}; nothing has happened
   */
  public boolean offer(MemorySegment from, long offset, int length) throws LinkException {
    if (!hasRoom(length)) {
      return false;
    }
    copyIn(from, offset, length);
    long next = position + RingLayout.recordBytes(length);
    if (next - cleared >= 0) {
      clear(next); // before the record is there: who has read it looks at the next header
      cleared = next + RingLayout.ALIGNMENT;
    }
    HEADER.setRelease(memory, place(position), length + 1);
    position = next;
    clearAhead();
    return true;
  }

  /**
   * Clears the headers of the next few cache lines, now that nobody waits for it: so this processor
   * has them to itself when the next record is written, and does not fetch them from the consumer's
   * while that waits for the header.
   */
  private void clearAhead() {
    long end = Math.min(AHEAD_BYTES, consumed + capacityBytes - position) + position;
    while (end - cleared > 0) {
      clear(cleared);
      cleared += RingLayout.ALIGNMENT;
    }
  }

  private void clear(long header) {
    HEADER.set(memory, place(header), 0);
  }

  /**
   * Returns whether a record of that length has room. It looks at the consumer's position only if
   * what it knew of it does not do.
   *
   * @throws LinkException if the consumer has broken the protocol
   * @throws IllegalArgumentException if the record is too long
   */
  public boolean hasRoom(int length) throws LinkException {
    if (length < 0 || length > maxRecordBytes) {
      throw new IllegalArgumentException(
          "a record of "
              + length
              + " bytes where "
              + maxRecordBytes
              + " are the limit; split it, or open the link with longer records");
    }
    // The header behind the record has to be free as well.
    long end = position + RingLayout.recordBytes(length) + HEADER_BYTES;
    if (end - consumed <= capacityBytes) {
      return true;
    }
    lookAtConsumer();
    return end - consumed <= capacityBytes;
  }

  private void lookAtConsumer() throws LinkException {
    long seen = (long) WORD.getAcquire(memory, POSITION);
    // Positions may pass the largest long: only their distance counts.
    if (seen - consumed < 0 || seen - consumed > position - consumed) {
      throw new LinkException(
          "the reader of a ring says that it is at "
              + seen
              + ", which is not between "
              + consumed
              + ", where it was, and "
              + position
              + ", what was written; its process is faulty or hostile: end the link");
    }
    consumed = seen;
  }

  private void copyIn(MemorySegment from, long offset, int length) {
    long to = place(position + HEADER_BYTES);
    long atEnd = Math.min(length, memory.byteSize() - to);
    MemorySegment.copy(from, offset, memory, to, atEnd);
    if (atEnd < length) {
      MemorySegment.copy(from, offset + atEnd, memory, DATA, length - atEnd);
    }
  }

  private long place(long at) {
    return DATA + (at & (capacityBytes - 1));
  }
}
