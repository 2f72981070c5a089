package dev.takt.persist.format;

import dev.takt.persist.store.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Reads the blocks of one file, and checks each before it is used.
 *
 * <p><b>Bounds:</b> one buffer, as large as a block of the file may be, and no larger than the
 * file.
 *
 * <p><b>Thread rule:</b> one thread.
 */
public final class BlockReader {
  private final Storage.Input from;
  private final CRC32C checksum = new CRC32C();
  private final long size;
  private final int blockBytes;
  private final int version;
  private final long generation;
  private final int journal;
  private final ByteBuffer buffer;
  private long offset;
  private long next = Format.FILE_HEADER;
  private int index;
  private int kind;

  /**
   * Reads the header of a file.
   *
   * @throws DamagedFileException if it is none, or of another version
   */
  public BlockReader(Storage.Input from) throws IOException {
    this.from = from;
    this.size = from.size();
    ByteBuffer header = ByteBuffer.allocate(Format.FILE_HEADER).order(ByteOrder.LITTLE_ENDIAN);
    if (size < Format.FILE_HEADER) {
      throw new DamagedFileException(
          size, "the file ends within its header: bytes=" + size + ", expected: at least 32");
    }
    readFully(header, 0);
    header.flip();
    checksum.update(header.array(), 0, Format.FILE_HEADER - Integer.BYTES);
    if (header.getLong() != Format.MAGIC) {
      throw new DamagedFileException(0, "it does not begin with TAKTPERS: no snapshot of Takt");
    }
    version = Short.toUnsignedInt(header.getShort());
    if (header.getInt(Format.FILE_HEADER - Integer.BYTES) != (int) checksum.getValue()) {
      throw new DamagedFileException(0, "the checksum of the header is wrong");
    }
    if (version < Format.FIRST_VERSION || version > Format.LAST_VERSION) {
      throw new DamagedFileException(
          8,
          "version=%s, this program reads versions %s to %s; use the one that has written it"
              .formatted(version, Format.FIRST_VERSION, Format.LAST_VERSION));
    }
    header.getShort();
    blockBytes = header.getInt();
    if (blockBytes < Format.MIN_BLOCK_BYTES || blockBytes > Format.MAX_BLOCK_BYTES) {
      throw new DamagedFileException(
          12,
          "blockBytes=%s, expected: %s to %s"
              .formatted(blockBytes, Format.MIN_BLOCK_BYTES, Format.MAX_BLOCK_BYTES));
    }
    generation = header.getLong();
    journal = header.getInt();
    int room = Format.BLOCK_HEADER + blockBytes + Format.BLOCK_TRAILER;
    buffer = ByteBuffer.allocate((int) Math.min(size, room)).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the generation that the header names. */
  public long generation() {
    return generation;
  }

  /**
   * Returns the journal that it goes with, or is of; 0: none, or one of before they had numbers.
   */
  public int journal() {
    return journal;
  }

  /** Returns the version of the format. */
  int version() {
    return version;
  }

  /** Returns the length of the file, in bytes. */
  public long size() {
    return size;
  }

  /** Goes to a block that was read before. */
  void seek(long offset, int index) {
    this.next = offset;
    this.index = index;
  }

  /**
   * Reads the next block.
   *
   * @return its payload, which is gone when the next one is read; position 0 is where the block
   *     begins in the file, not its payload
   * @throws DamagedFileException if it is not as it was written
   */
  ByteBuffer next() throws IOException {
    offset = next;
    if (size - offset < Format.BLOCK_HEADER + Format.BLOCK_TRAILER) {
      throw new DamagedFileException(
          offset, "the file ends without its last block: bytes left=" + (size - offset));
    }
    readFully(buffer.clear().limit(Format.BLOCK_HEADER), offset);
    int word = buffer.getInt(0);
    int length = word & Format.MAX_BLOCK_BYTES;
    kind = word >>> 24;
    long whole = (long) Format.BLOCK_HEADER + length + Format.BLOCK_TRAILER;
    if (length > blockBytes || whole > size - offset) {
      throw new DamagedFileException(
          offset,
          "payload of block %s=%s bytes, limit=%s, bytes left in the file=%s"
              .formatted(index, length, blockBytes, size - offset));
    }
    buffer.limit((int) whole);
    readFully(buffer, offset + Format.BLOCK_HEADER);
    checksum.reset();
    checksum.update(BlockWriter.seed(generation));
    checksum.update(buffer.array(), 0, Format.BLOCK_HEADER + length);
    if (buffer.getInt(Format.BLOCK_HEADER + length) != (int) checksum.getValue()) {
      throw new DamagedFileException(offset, "the checksum of block " + index + " is wrong");
    }
    if (buffer.getInt(Integer.BYTES) != index) {
      throw new DamagedFileException(
          offset + Integer.BYTES,
          "block=%s, expected: block %s".formatted(buffer.getInt(Integer.BYTES), index));
    }
    if (kind < Format.ROOT_BLOCK || kind > Format.CHANGES_BLOCK) {
      throw new DamagedFileException(offset, "kind of block=" + kind + ", expected: 1 to 4");
    }
    index++;
    next = offset + whole;
    return buffer.limit(Format.BLOCK_HEADER + length).position(Format.BLOCK_HEADER);
  }

  /** Returns the kind of the block that was read last. */
  int kind() {
    return kind;
  }

  /** Returns the index of the block that was read last. */
  int index() {
    return index - 1;
  }

  /** Returns where the block begins that was read last. */
  long offset() {
    return offset;
  }

  /** Returns whether nothing comes after the block that was read last. */
  boolean isAtEnd() {
    return next == size;
  }

  private void readFully(ByteBuffer into, long position) throws IOException {
    long at = position;
    while (into.hasRemaining()) {
      int read = from.read(into, at);
      if (read < 0) {
        throw new DamagedFileException(at, "the file has become shorter while it is read");
      }
      at += read;
    }
  }
}
