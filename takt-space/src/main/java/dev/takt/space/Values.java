package dev.takt.space;

import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The layout of encoded values that do not fit into a word: where their content is, its hash, and
 * whether two of them are equal.
 *
 * <pre>
 *                63            48 47            32 31                             0
 *  string word  |        index into refs          |  content hash                  |
 *  array word   | offset in extra | length        |  content hash                  |
 *  record word  | offset in extra | length        |  content hash                  |
 *  record header, at the offset (of a constant or String[] too, with a codec below 0):
 *               |        codec                    | first ref     | count of refs  |
 * </pre>
 *
 * <p>Offsets and indexes count from the beginning of the event's own regions, so an event can be
 * copied to any place. A record's words after the header are independent of the place too.
 */
final class Values {
  private static final long HASH_FACTOR = 0x9E37_79B9_7F4A_7C15L;

  /**
   * A secret, so that a sender cannot choose keys that all meet in one place; handed in, it makes a
   * run the same again.
   */
  static final long SEED =
      Long.getLong("takt.hashSeed", 0) != 0
          ? Long.getLong("takt.hashSeed", 0)
          : ThreadLocalRandom.current().nextLong();

  private static final long FACTOR = OrderedAccess.mix64(SEED + HASH_FACTOR) | 1;

  private Values() {}

  static long stringWord(int ref, String value) {
    return (long) ref << 32 | hashOfString(value) & 0xFFFF_FFFFL;
  }

  static long extraWord(int offset, int length, int hash) {
    return (long) offset << 48 | (long) length << 32 | hash & 0xFFFF_FFFFL;
  }

  static long header(int codec, int refBase, int refCount) {
    return (long) codec << 32 | (long) refBase << 16 | refCount;
  }

  static int ref(long stringWord) {
    return (int) (stringWord >>> 32);
  }

  static int offset(long word) {
    return (int) (word >>> 48);
  }

  static int length(long word) {
    return (int) (word >>> 32) & 0xFFFF;
  }

  static int codec(long header) {
    return (int) (header >>> 32);
  }

  static int refBase(long header) {
    return (int) header >>> 16;
  }

  static int refCount(long header) {
    return (int) header & 0xFFFF;
  }

  static int hashOfWords(long[] words, int from, int to) {
    return fold(hash(SEED, words, from, to));
  }

  static int hashOfRecord(
      int codec, long[] words, int from, int to, Object[] refs, int refBase, int refCount) {
    long hash = hash(SEED ^ codec, words, from, to);
    for (int i = 0; i < refCount; i++) {
      hash = OrderedAccess.hashStep(hash ^ hashOfRef(refs[refBase + i]), FACTOR);
    }
    return fold(hash);
  }

  private static long hashOfRef(@Nullable Object ref) {
    return switch (ref) {
      case null -> 0;
      case String text -> hashOfString(text);
      default -> ReferenceValues.hash(ref);
    };
  }

  /** A hash of two numbers by the seed that was handed in. */
  static long hashOfTwo(long first, long second) {
    return OrderedAccess.hashStep(OrderedAccess.hashStep(SEED ^ first, FACTOR) ^ second, FACTOR);
  }

  /**
   * A hash of all characters by the seed that was handed in, in place of {@link String#hashCode}:
   * whoever sends strings could choose as many as he likes that have the same one of that.
   */
  static int hashOfString(String value) {
    int length = value.length();
    long hash = SEED ^ length;
    int i = 0;
    for (; i + 4 <= length; i += 4) {
      long four =
          value.charAt(i)
              | (long) value.charAt(i + 1) << 16
              | (long) value.charAt(i + 2) << 32
              | (long) value.charAt(i + 3) << 48;
      hash = OrderedAccess.hashStep(hash ^ four, FACTOR);
    }
    long rest = 0;
    for (; i < length; i++) {
      rest = rest << 16 | value.charAt(i);
    }
    return fold(OrderedAccess.hashStep(hash ^ rest, FACTOR));
  }

  /** Of what arrays and records hold whoever sends them could choose as much as of strings. */
  private static long hash(long seed, long[] words, int from, int to) {
    long hash = seed;
    for (int i = from; i < to; i++) {
      hash = OrderedAccess.hashStep(hash ^ words[i], FACTOR);
    }
    return hash;
  }

  private static int fold(long hash) {
    hash = (hash ^ hash >>> 32) * HASH_FACTOR;
    return (int) (hash >>> 32);
  }

  /**
   * Returns whether two values of the same type, which is not scalar, are equal.
   *
   * <p>It never throws, whatever the words say: a caller may compare with a place that is being
   * refilled by another thread and find out afterwards that the answer is worthless.
   *
   * @param type their type, one of {@link Types}
   * @param extraA the array with A's extra words, from {@code extraBaseA} on
   * @param refsA the array with A's refs, from {@code refBaseA} on
   * @param wordA the word of the value
   */
  static boolean sameContent(
      int type,
      long[] extraA,
      int extraBaseA,
      Object[] refsA,
      int refBaseA,
      long wordA,
      long[] extraB,
      int extraBaseB,
      Object[] refsB,
      int refBaseB,
      long wordB) {
    if ((int) wordA != (int) wordB) {
      return false;
    }
    if (type == Types.STRING) {
      return sameRefs(refsA, (long) refBaseA + ref(wordA), refsB, (long) refBaseB + ref(wordB), 1);
    }
    int length = length(wordA);
    long startA = (long) extraBaseA + offset(wordA);
    long startB = (long) extraBaseB + offset(wordB);
    if (length == 0
        || length != length(wordB)
        || isOutside(startA, length, extraA.length)
        || isOutside(startB, length, extraB.length)) {
      return false;
    }
    int a = (int) startA;
    int b = (int) startB;
    if (type != Types.RECORD) {
      return sameWords(extraA, a, extraB, b, length);
    }
    long headerA = extraA[a];
    long headerB = extraB[b];
    return codec(headerA) == codec(headerB)
        && refCount(headerA) == refCount(headerB)
        && sameWords(extraA, a + 1, extraB, b + 1, length - 1)
        && sameRefs(
            refsA,
            (long) refBaseA + refBase(headerA),
            refsB,
            (long) refBaseB + refBase(headerB),
            refCount(headerA));
  }

  private static boolean isOutside(long start, int length, int limit) {
    return start < 0 || start + length > limit;
  }

  private static boolean sameWords(long[] a, int startA, long[] b, int startB, int length) {
    for (int i = 0; i < length; i++) {
      if (a[startA + i] != b[startB + i]) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameRefs(Object[] a, long startA, Object[] b, long startB, int count) {
    if (isOutside(startA, count, a.length) || isOutside(startB, count, b.length)) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      if (!Objects.equals(a[(int) startA + i], b[(int) startB + i])) {
        return false;
      }
    }
    return true;
  }
}
