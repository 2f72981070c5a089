package dev.takt.client.wire;

import java.util.Arrays;

/** Bytes that are put one after the other, into an array that grows up to a limit and is reused. */
final class ByteOutput {
  private static final int SMALLEST = 256;

  private int limit;
  private byte[] bytes = new byte[SMALLEST];
  private int length;

  ByteOutput(int limit) {
    this.limit = limit;
  }

  /** Lowers the limit. */
  void limitTo(int newLimit) {
    limit = Math.min(limit, newLimit);
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  /** Forgets what was put behind a place. */
  void cut(int length) {
    this.length = length;
  }

  /** Returns the place of so many new bytes. */
  private int add(long count) {
    int at = length;
    if (count > limit - at) {
      throw new IllegalArgumentException(
          ("message too large: bytes=%s, limit=%s; send less at once, or, where both sides are"
                  + " programs of your own, raise WireLimits.maxMessageBytes on both")
              .formatted(at + count, limit));
    }
    int end = at + (int) count;
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.min(limit, Math.max(end, 2 * bytes.length)));
    }
    length = end;
    return at;
  }

  void u8(int value) {
    int at = add(1);
    bytes[at] = (byte) value;
  }

  void u16(int value) {
    int at = add(Short.BYTES);
    WireFormat.SHORT.set(bytes, at, (short) value);
  }

  void i32(int value) {
    int at = add(Integer.BYTES);
    WireFormat.INT.set(bytes, at, value);
  }

  void i64(long value) {
    int at = add(Long.BYTES);
    WireFormat.LONG.set(bytes, at, value);
  }

  /** Puts a byte, and a number of 8 bytes behind it. */
  void tagged(int tag, long value) {
    int at = add(1 + Long.BYTES);
    bytes[at] = (byte) tag;
    WireFormat.LONG.set(bytes, at + 1, value);
  }

  /** Puts an integer in as few bytes as it has, with the tag that tells how many. */
  void integer(long value) {
    int size = (Long.SIZE + Byte.SIZE - Long.numberOfLeadingZeros(value ^ value >> 63)) >> 3;
    int at = add(1 + size);
    bytes[at] = (byte) (size == Long.BYTES ? WireFormat.INTEGER : WireFormat.SHORT_INTEGER + size);
    if (at + Long.BYTES < bytes.length) {
      WireFormat.LONG.set(bytes, at + 1, value); // what is too much is written over
    } else {
      for (int i = 0; i < size; i++) {
        bytes[at + 1 + i] = (byte) (value >> Byte.SIZE * i);
      }
    }
  }

  void i32At(int at, int value) {
    WireFormat.INT.set(bytes, at, value);
  }

  void i64At(int at, long value) {
    WireFormat.LONG.set(bytes, at, value);
  }

  void raw(byte[] from) {
    int at = add(from.length);
    System.arraycopy(from, 0, bytes, at, from.length);
  }

  /** Puts the elements of an array of primitives, and returns the place of the first. */
  int elements(int count, int bytesEach) {
    return add((long) count * bytesEach);
  }

  /** Puts a text with its length of 4 bytes. */
  void text(String text) {
    int lengthAt = add(Integer.BYTES);
    int count = utf8(text); // before the array is asked for, because it may be another then
    i32At(lengthAt, count);
  }

  /** Puts a key with its length of 1 byte. */
  void key(String key) {
    int lengthAt = add(1);
    int count = utf8(key);
    if (count > WireFormat.MAX_KEY_BYTES) {
      throw new IllegalArgumentException(
          "key too long for a message: bytes=%s, limit=%s, key=%s"
              .formatted(count, WireFormat.MAX_KEY_BYTES, key));
    }
    bytes[lengthAt] = (byte) count;
  }

  /** Puts characters by themselves, without an object, and returns how many bytes there are. */
  private int utf8(String text) {
    int chars = text.length();
    int start = add(chars);
    byte[] to = bytes;
    for (int i = 0; i < chars; i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        length = start + i;
        return i + wide(text, i);
      }
      to[start + i] = (byte) c;
    }
    return chars;
  }

  /** Puts the rest of a text, which has other characters than ASCII. */
  private int wide(String text, int from) {
    int start = length;
    int i = from;
    while (i < text.length()) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      if (c < 0x80) {
        u8(c);
      } else if (c < 0x800) {
        u8(0xC0 | c >> 6);
        u8(0x80 | c & 0x3F);
      } else if (c < 0x10000) {
        if (Character.isSurrogate((char) c)) {
          throw new IllegalArgumentException(
              "half of a surrogate pair cannot be sent: character %s of a text of %s"
                  .formatted(i - 1, text.length()));
        }
        u8(0xE0 | c >> 12);
        u8(0x80 | c >> 6 & 0x3F);
        u8(0x80 | c & 0x3F);
      } else {
        u8(0xF0 | c >> 18);
        u8(0x80 | c >> 12 & 0x3F);
        u8(0x80 | c >> 6 & 0x3F);
        u8(0x80 | c & 0x3F);
      }
    }
    return length - start;
  }
}
