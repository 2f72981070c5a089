package dev.takt.persist.format;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Puts records into blocks. No record goes across the end of a block: {@link #room} comes first,
 * and ends the block if need be.
 *
 * <p><b>Thread rule:</b> one thread, the one that fills the buffers.
 */
public final class RecordOutput {
  private final BlockBuffers buffers;
  private @Nullable ByteBuffer block;
  private int kind;
  private long bytes;
  private long blocks;

  /** Makes it. */
  public RecordOutput(BlockBuffers buffers) {
    this.buffers = buffers;
  }

  /** Returns how many bytes of payload were put. */
  public long bytes() {
    ByteBuffer block = this.block;
    return bytes + (block == null ? 0 : block.position() - Format.BLOCK_HEADER);
  }

  /**
   * Begins a block of a kind, for which {@link #end} has ended the one before.
   *
   * @return false if both buffers wait to be written; nothing has happened then
   */
  public boolean begin(int kind) {
    ByteBuffer free = buffers.free();
    if (free == null) {
      return false;
    }
    block = free;
    this.kind = kind;
    return true;
  }

  /**
   * Makes sure that so many bytes fit into the block, if need be into the next one, which is a data
   * block.
   *
   * @param wanted at most the largest payload of a block
   * @return false if both buffers wait to be written; then try again
   */
  public boolean room(int wanted) {
    if (block != null && block.remaining() < wanted) {
      end();
    }
    return block != null || begin(Format.DATA_BLOCK);
  }

  /** Ends the block, and hands it to the writer. */
  public void end() {
    ByteBuffer full = block();
    int length = full.position() - Format.BLOCK_HEADER;
    full.putInt(0, kind << 24 | length);
    full.flip();
    bytes += length;
    blocks++;
    block = null;
    buffers.full();
  }

  /** Returns whether a block is begun. */
  public boolean isBegun() {
    return block != null;
  }

  /** Returns how many blocks were ended. */
  public long blocks() {
    return blocks;
  }

  private ByteBuffer block() {
    ByteBuffer block = this.block;
    if (block == null) {
      throw new IllegalStateException("no block is begun");
    }
    return block;
  }

  /** Puts an int that is not negative, in 1 to 5 bytes. */
  public void varint(int value) {
    varlong(Integer.toUnsignedLong(value));
  }

  /** Puts a long, taken as unsigned, in 1 to 10 bytes. */
  public void varlong(long value) {
    ByteBuffer to = block();
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      to.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    to.put((byte) rest);
  }

  /** Puts a long that is most often small, negative or not. */
  public void zigzag(long value) {
    varlong(value << 1 ^ value >> 63);
  }

  /** Puts the low byte of a value. */
  public void oneByte(int value) {
    block().put((byte) value);
  }

  /** Puts four bytes. */
  public void fourBytes(int value) {
    block().putInt(value);
  }

  /** Puts eight bytes. */
  public void eightBytes(long value) {
    block().putLong(value);
  }

  /** Puts a text with its length. */
  public void utf8(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    varint(bytes.length);
    block().put(bytes);
  }

  /** Puts bytes. */
  public void bytes(MemorySegment from, int length) {
    ByteBuffer to = block();
    MemorySegment.copy(
        from, java.lang.foreign.ValueLayout.JAVA_BYTE, 0, to.array(), to.position(), length);
    to.position(to.position() + length);
  }

  /** Puts the value of a primitive, as the log of a release holds it. */
  public void primitive(char type, long bits) {
    switch (type) {
      case 'Z', 'B' -> oneByte((int) bits);
      case 'F' -> fourBytes((int) bits);
      case 'D' -> eightBytes(bits);
      case 'C' -> varint((int) bits);
      default -> zigzag(bits);
    }
  }

  /** Puts the description of a class. */
  public void classEntry(ClassEntry entry) {
    entry.write(this);
  }
}
