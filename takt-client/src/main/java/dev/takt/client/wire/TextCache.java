package dev.takt.client.wire;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Strings that have come before, by their bytes: one that comes again is not made again. Of two
 * that meet in one place the later one stays.
 *
 * <p><b>Memory:</b> a place for each, and what is in it: at most {@link #LONGEST} bytes and as many
 * characters.
 */
final class TextCache {
  static final int LONGEST = 48;

  private record Entry(byte[] bytes, String text) {}

  private final @Nullable Entry[] entries;

  TextCache(int size) {
    entries = new Entry[size];
  }

  /** Takes the string of so many bytes. */
  String take(ByteInput in, String what, long length) throws WireException {
    int from = in.take(what, length);
    if (length == 0) {
      return "";
    }
    int to = from + (int) length;
    if (length > LONGEST) {
      return in.string(from, (int) length);
    }
    byte[] bytes = in.bytes();
    int place = hash(bytes, from, to) & entries.length - 1;
    Entry there = entries[place];
    if (there == null || !Arrays.equals(there.bytes, 0, there.bytes.length, bytes, from, to)) {
      there = new Entry(Arrays.copyOfRange(bytes, from, to), in.string(from, (int) length));
      entries[place] = there;
    }
    return there.text;
  }

  private static int hash(byte[] bytes, int from, int to) {
    int hash = to - from;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + bytes[i];
    }
    return hash ^ hash >>> 16;
  }
}
