package dev.takt.persist.journal;

import java.util.zip.CRC32C;

/**
 * The CRC-32C of any range of some bytes, behind a seed, without going through the range: where a
 * text looks like the beginnings of long blocks, there is a range at each of its bytes.
 *
 * <p>A CRC is linear: that of two pieces one after the other is that of the second one, plus that
 * of the first one shifted by the length of the second. So the checksums of two prefixes give that
 * of what lies between them. A shift by 2<sup>n</sup> bytes is a matrix of 32 times 32 bits.
 *
 * <p><b>Complexity:</b> one pass over all bytes at first; then at most 500 bytes and 30 products of
 * a matrix and a checksum for each range. <b>Memory:</b> 4 bytes for each 256.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class RangeChecksum {
  private static final int POLYNOMIAL = 0x82F6_3B78;
  private static final int STEP_BITS = 8;

  private final byte[] all;
  private final int seed;

  /** The checksum of what is before each 256th byte. */
  private final int[] prefixes;

  /** What appends 1, 2, 4, ... bytes of zero to a checksum: by columns. */
  private final int[][] shifts = new int[Integer.SIZE - 1][];

  private final CRC32C partial = new CRC32C();

  RangeChecksum(byte[] all, byte[] seed) {
    this.all = all;
    this.seed = crc(seed, 0, seed.length);
    this.prefixes = new int[(all.length >> STEP_BITS) + 1];
    CRC32C running = new CRC32C();
    for (int i = 1; i < prefixes.length; i++) {
      running.update(all, i - 1 << STEP_BITS, 1 << STEP_BITS);
      prefixes[i] = (int) running.getValue();
    }
    int[] matrix = new int[Integer.SIZE];
    matrix[0] = POLYNOMIAL;
    for (int i = 1; i < matrix.length; i++) {
      matrix[i] = 1 << i - 1;
    }
    for (int bits = 1; bits < Byte.SIZE; bits *= 2) {
      matrix = square(matrix);
    }
    for (int i = 0; i < shifts.length; i++) {
      shifts[i] = matrix;
      matrix = square(matrix);
    }
  }

  /** Returns the checksum of the seed and the bytes from one place up to another one. */
  int of(int from, int to) {
    return shifted(seed ^ prefix(from), to - from) ^ prefix(to);
  }

  private int prefix(int to) {
    int step = to >> STEP_BITS;
    int begin = step << STEP_BITS;
    return shifted(prefixes[step], to - begin) ^ crc(all, begin, to - begin);
  }

  private int crc(byte[] bytes, int from, int length) {
    partial.reset();
    partial.update(bytes, from, length);
    return (int) partial.getValue();
  }

  private int shifted(int checksum, int bytes) {
    int shifted = checksum;
    for (int rest = bytes; rest != 0; rest &= rest - 1) {
      shifted = times(shifts[Integer.numberOfTrailingZeros(rest)], shifted);
    }
    return shifted;
  }

  private static int times(int[] matrix, int vector) {
    int product = 0;
    for (int rest = vector; rest != 0; rest &= rest - 1) {
      product ^= matrix[Integer.numberOfTrailingZeros(rest)];
    }
    return product;
  }

  private static int[] square(int[] matrix) {
    int[] square = new int[matrix.length];
    for (int i = 0; i < square.length; i++) {
      square[i] = times(matrix, matrix[i]);
    }
    return square;
  }
}
