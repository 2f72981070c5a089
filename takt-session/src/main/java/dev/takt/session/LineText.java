package dev.takt.session;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Lines as bytes, for those who write a {@link Transport}: UTF-8, ended by {@code \n}; a {@code \r}
 * before that is dropped.
 *
 * <p><b>Thread rule.</b> Any thread. <b>Cost.</b> O(length).
 */
public final class LineText {
  private static final char MAX_ASCII = 0x7f;

  /** What a String has where its bytes are not UTF-8. */
  private static final char REPLACEMENT = '\ufffd';

  private LineText() {}

  /**
   * Returns a line's bytes and the line feed behind them.
   *
   * @param maxLineBytes the longest line, in bytes without its end
   * @throws TransportException if the line is longer, holds a line end or half a surrogate pair
   */
  public static byte[] encode(String line, int maxLineBytes) throws TransportException {
    checkEnds(line);
    // a character is one byte at least
    byte @Nullable [] encoded = line.length() <= maxLineBytes ? encodeAscii(line) : null;
    return encoded != null ? encoded : encodeAny(line, maxLineBytes);
  }

  /** Returns null if there are other characters; most lines of protocols have none. */
  private static byte @Nullable [] encodeAscii(String line) {
    int length = line.length();
    byte[] encoded = new byte[length + 1];
    for (int i = 0; i < length; i++) {
      char next = line.charAt(i);
      if (next > MAX_ASCII) {
        return null;
      }
      encoded[i] = (byte) next;
    }
    encoded[length] = '\n';
    return encoded;
  }

  private static byte[] encodeAny(String line, int maxLineBytes) throws TransportException {
    ByteBuffer bytes;
    try {
      bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(line));
    } catch (CharacterCodingException e) {
      throw new TransportException(
          "a line of " + line.length() + " characters with half a surrogate pair; mend it", e);
    }
    int length = bytes.remaining();
    if (length > maxLineBytes) {
      throw tooLong(length + " bytes", maxLineBytes);
    }
    byte[] encoded = new byte[length + 1];
    bytes.get(encoded, 0, length);
    encoded[length] = '\n';
    return encoded;
  }

  /**
   * Returns the line of some bytes.
   *
   * @param from the index of its first byte
   * @param to the index behind its last one, without its end
   * @throws TransportException if they are not UTF-8
   */
  public static String decode(byte[] bytes, int from, int to) throws TransportException {
    // a String is made without a decoder; it has a mark for what is no UTF-8, as the line may have
    String line = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    return line.indexOf(REPLACEMENT) < 0 ? line : decodeAny(bytes, from, to);
  }

  private static String decodeAny(byte[] bytes, int from, int to) throws TransportException {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, from, to - from))
          .toString();
    } catch (CharacterCodingException e) {
      throw new TransportException(
          "a line of "
              + (to - from)
              + " bytes that are not UTF-8; the other end has to write text in UTF-8",
          e);
    }
  }

  /** Refuses what {@link #encode} would refuse, as a rule without encoding it. */
  static void check(String line, int maxLineBytes) throws TransportException {
    checkEnds(line);
    // a character is three bytes at most
    if (line.length() > maxLineBytes / 3 || hasSurrogates(line)) {
      encode(line, maxLineBytes);
    }
  }

  private static boolean hasSurrogates(String line) {
    for (int i = 0; i < line.length(); i++) {
      if (Character.isSurrogate(line.charAt(i))) {
        return true;
      }
    }
    return false;
  }

  private static void checkEnds(String line) throws TransportException {
    int end = Math.max(line.indexOf('\n'), line.indexOf('\r'));
    if (end >= 0) {
      throw new TransportException(
          "a line with a line end at index " + end + " would be read as two; write each by itself");
    }
  }

  /**
   * Returns what tells that a line is too long.
   *
   * @param size how long it is, with a unit
   * @param maxLineBytes the longest line that is allowed
   */
  public static TransportException tooLong(String size, int maxLineBytes) {
    return new TransportException(
        "a line of "
            + size
            + " (limit: maxLineBytes="
            + maxLineBytes
            + "); write shorter ones, or raise TransportSettings.maxLineBytes at both ends");
  }
}
