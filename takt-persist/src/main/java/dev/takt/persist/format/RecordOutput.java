package dev.takt.persist.format;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Puts records into blocks. No record goes across the end of a block: {@link #room} comes first,
 * and ends the block if need be.
 *
 * <p><b>Thread rule:</b> one thread, the one that fills the buffers.
 */
public final class RecordOutput {
  private static final byte[] NONE = {};
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  private final BlockBuffers buffers;
  private @Nullable ByteBuffer block;

  /** The bytes of the block, where the next one comes, and where there is no more room. */
  private byte[] to = NONE;

  private MemorySegment segment = MemorySegment.ofArray(NONE);
  private int at;
  private int end;

  private int kind;
  private long bytes;
  private long blocks;

  /** Makes it. */
  public RecordOutput(BlockBuffers buffers) {
    this.buffers = buffers;
  }

  /** Returns how many bytes of payload were put. */
  public long bytes() {
    return bytes + (block == null ? 0 : at - Format.BLOCK_HEADER);
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
    to = free.array();
    segment = buffers.segment();
    at = free.position();
    end = free.limit();
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
    if (block != null && end - at < wanted) {
      end();
    }
    return block != null || begin(Format.DATA_BLOCK);
  }

  /** Ends the block, and hands it to the writer. */
  public void end() {
    ByteBuffer full = block;
    if (full == null) {
      throw new IllegalStateException("no block is begun");
    }
    int length = at - Format.BLOCK_HEADER;
    // Byte by byte, here and below: that is short where code runs once in a cycle, interpreted.
    int next = at;
    at = 0;
    bytewise(kind << 24 | length, Integer.BYTES);
    at = next;
    full.position(0).limit(at);
    bytes += length;
    blocks++;
    block = null;
    to = NONE;
    at = 0;
    end = 0;
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

  /** Puts an int that is not negative, in 1 to 5 bytes. */
  public void varint(int value) {
    if (value >= 0 && value < 0x80) {
      to[at++] = (byte) value;
    } else {
      varlong(Integer.toUnsignedLong(value));
    }
  }

  /** Puts a long, taken as unsigned, in 1 to 10 bytes. */
  public void varlong(long value) {
    at = Primitives.varlong(to, at, value);
  }

  /** Puts a long that is most often small, negative or not. */
  public void zigzag(long value) {
    at = Primitives.zigzag(to, at, value);
  }

  /** Puts the low byte of a value. */
  public void oneByte(int value) {
    to[at++] = (byte) value;
  }

  /** Puts four bytes. */
  public void fourBytes(int value) {
    at = Primitives.fourBytes(to, at, value);
  }

  /** Puts eight bytes. */
  public void eightBytes(long value) {
    bytewise(value, Long.BYTES);
  }

  private void bytewise(long value, int count) {
    for (int i = 0; i < count; i++) {
      to[at++] = (byte) (value >>> Byte.SIZE * i);
    }
  }

  /** Returns how many bytes a text takes, without its length. */
  public static int utf8Bytes(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      int each = codePoint(text, i);
      bytes += each < 0x80 ? 1 : each < 0x800 ? 2 : each < 0x10000 ? 3 : 4;
      i += Character.charCount(each) - 1;
    }
    return bytes;
  }

  /** Half of a pair alone is no character: a question mark stands for it, as everywhere. */
  private static int codePoint(String text, int at) {
    int point = text.codePointAt(at);
    return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE ? '?' : point;
  }

  /** Puts a text with its length; allocates nothing. */
  public void utf8(String text) {
    varint(utf8Bytes(text));
    for (int i = 0; i < text.length(); i++) {
      int each = codePoint(text, i);
      i += Character.charCount(each) - 1;
      if (each < 0x80) {
        to[at++] = (byte) each;
      } else if (each < 0x800) {
        to[at++] = (byte) (0xc0 | each >> 6);
        continuation(each);
      } else if (each < 0x10000) {
        to[at++] = (byte) (0xe0 | each >> 12);
        continuation(each >> 6);
        continuation(each);
      } else {
        to[at++] = (byte) (0xf0 | each >> 18);
        continuation(each >> 12);
        continuation(each >> 6);
        continuation(each);
      }
    }
  }

  private void continuation(int bits) {
    to[at++] = (byte) (0x80 | bits & 0x3f);
  }

  /** Puts a chunk of a string: their number, whether they are wide, and the characters. */
  public void characters(String text, int from, int count) {
    varint(count);
    int all = 0;
    for (int i = 0; i < count; i++) {
      char each = text.charAt(from + i);
      to[at + 1 + i] = (byte) each;
      all |= each;
    }
    boolean isWide = all > 0xff;
    to[at++] = (byte) (isWide ? 1 : 0);
    if (isWide) {
      for (int i = 0; i < count; i++) {
        SHORT.set(to, at + 2 * i, (short) text.charAt(from + i));
      }
    }
    at += isWide ? 2 * count : count;
  }

  /**
   * Returns the memory of the block, to put bytes there from {@link #position} on, which count
   * after {@link #advance}.
   */
  public MemorySegment segment() {
    return segment;
  }

  /** Returns where the next byte comes in the memory of the block. */
  public int position() {
    return at;
  }

  /** Returns where there is no more room in the memory of the block. */
  public int limit() {
    return end;
  }

  /** Returns the same memory, for {@link Primitives}. */
  public byte[] array() {
    return to;
  }

  /** Says where the next byte comes, behind what was put into the memory of the block. */
  public void position(int next) {
    at = next;
  }

  /** Counts bytes that were put into the memory of the block. */
  public void advance(int count) {
    at += count;
  }

  /** Puts the value of a primitive, as the log of a release holds it. */
  public void primitive(char type, long bits) {
    switch (type) {
      case 'Z', 'B' -> oneByte((int) bits);
      case 'F' -> fourBytes((int) bits);
      case 'D' -> at = Primitives.eightBytes(to, at, bits);
      case 'C' -> varint((int) bits);
      default -> zigzag(bits);
    }
  }

  /** Puts what lies in a file as it is. */
  public void encoded(byte[] bytes) {
    System.arraycopy(bytes, 0, to, at, bytes.length);
    at += bytes.length;
  }

  /** Puts the description of a class. */
  public void classEntry(ClassEntry entry) {
    entry.write(this);
  }
}
