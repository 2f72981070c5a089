package dev.takt.client.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The bytes of one message, taken one after the other; nothing is taken that is not there. */
final class ByteInput {
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT);

  private byte[] bytes = {};
  private int at;
  private int end;

  /** Takes from an array, which nobody else changes meanwhile. */
  void begin(byte[] bytes, int length) {
    this.bytes = bytes;
    at = 0;
    end = length;
  }

  byte[] bytes() {
    return bytes;
  }

  int at() {
    return at;
  }

  int left() {
    return end - at;
  }

  WireException wrong(String what, int offset, @Nullable Object value, String expected) {
    return new WireException(what, offset, value, expected);
  }

  /** Returns the place of so many bytes. */
  int take(String what, long count) throws WireException {
    if (count > end - at) {
      throw wrong("bytes of " + what, at, count, "at most " + (end - at) + ", the rest");
    }
    int from = at;
    at += (int) count;
    return from;
  }

  int u8(String what) throws WireException {
    int from = take(what, 1);
    return bytes[from] & 0xFF;
  }

  int u16(String what) throws WireException {
    int from = take(what, Short.BYTES);
    return (short) WireFormat.SHORT.get(bytes, from) & 0xFFFF;
  }

  int i32(String what) throws WireException {
    int from = take(what, Integer.BYTES);
    return (int) WireFormat.INT.get(bytes, from);
  }

  long i64(String what) throws WireException {
    int from = take(what, Long.BYTES);
    return (long) WireFormat.LONG.get(bytes, from);
  }

  /** Takes an integer of 1 to 8 bytes, which has 8 bytes or more of the message before it. */
  long integer(String what, int size) throws WireException {
    int from = take(what, size);
    return integer(bytes, from, size);
  }

  /** Returns the integer of 1 to 8 bytes that begins at a place, with 8 bytes before it. */
  static long integer(byte[] bytes, int from, int size) {
    long word = (long) WireFormat.LONG.get(bytes, from + size - Long.BYTES);
    return word >> Long.SIZE - Byte.SIZE * size;
  }

  /** Takes an i32 and checks its range. */
  int range(String what, int min, int max) throws WireException {
    int from = at;
    int value = i32(what);
    if (value < min || value > max) {
      throw wrong(what, from, Integer.toUnsignedString(value), min + " to " + max);
    }
    return value;
  }

  /** Takes how many follow, each of at least so many bytes. */
  int count(String what, int bytesEach) throws WireException {
    int from = at;
    long count = i32(what) & 0xFFFF_FFFFL;
    if (count > (end - at) / bytesEach) {
      throw wrong(what, from, count, "at most " + (end - at) / bytesEach + " in the rest");
    }
    return (int) count;
  }

  /** Makes a string of bytes that were taken. */
  String string(int from, int length) throws WireException {
    try {
      return decoder.decode(ByteBuffer.wrap(bytes, from, length)).toString();
    } catch (CharacterCodingException e) {
      throw wrong("text", from, e.getMessage(), "UTF-8");
    }
  }
}
