package dev.takt.cli.snapshot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Which object of one graph is which of another: two sequences of objects, in the order of their
 * numbers, are paired by what they hold, so that one more in front of a list is one more and moves
 * no others.
 *
 * <p>First come objects that hold the same, with what they refer to; between two of these, those
 * that hold the same values by themselves; and between these, those of one class. Each time the
 * pairs are a longest common subsequence (Myers, An O(ND) difference algorithm, 1986). Where that
 * has too many edits, the ends alone are paired, as far as they are the same.
 *
 * <p><b>Bounds:</b> {@value #MAX_EDITS} edits in a row, which take 4 MB; fewer where the sequences
 * are so long that it would take more than {@value #MAX_WORK} steps.
 */
final class Pairing {
  private static final int MAX_EDITS = 1_000;
  private static final int LEAST_EDITS = 16;
  private static final long MAX_WORK = 100_000_000;

  private final long[][] first;
  private final long[][] second;
  private final int[] pairs;

  private Pairing(long[][] first, long[][] second) {
    this.first = first;
    this.second = second;
    this.pairs = new int[first[0].length];
    Arrays.fill(pairs, -1);
  }

  /**
   * Pairs objects.
   *
   * @param first for each way to compare, the strictest first, a hash of each object
   * @param second likewise
   * @return for each object of the first sequence its place in the second one, in ascending order;
   *     -1: it has none
   */
  static int[] of(long[][] first, long[][] second) {
    Pairing pairing = new Pairing(first, second);
    pairing.pair(0, 0, first[0].length, 0, second[0].length);
    return pairing.pairs;
  }

  private void pair(int level, int firstFrom, int firstTo, int secondFrom, int secondTo) {
    if (level == first.length || firstFrom == firstTo || secondFrom == secondTo) {
      return;
    }
    long[] a = first[level];
    long[] b = second[level];
    int fromA = firstFrom;
    int fromB = secondFrom;
    int toA = firstTo;
    int toB = secondTo;
    while (fromA < toA && fromB < toB && a[fromA] == b[fromB]) {
      pairs[fromA++] = fromB++;
    }
    while (fromA < toA && fromB < toB && a[toA - 1] == b[toB - 1]) {
      pairs[--toA] = --toB;
    }
    pairLongest(a, b, fromA, toA, fromB, toB);
    int atA = fromA;
    int atB = fromB;
    for (int i = fromA; i < toA; i++) {
      if (pairs[i] >= 0) {
        pair(level + 1, atA, i, atB, pairs[i]);
        atA = i + 1;
        atB = pairs[i] + 1;
      }
    }
    pair(level + 1, atA, toA, atB, toB);
  }

  /** Pairs a longest common subsequence, unless that has too many edits. */
  private void pairLongest(long[] a, long[] b, int fromA, int toA, int fromB, int toB) {
    int n = toA - fromA;
    int m = toB - fromB;
    if (n == 0 || m == 0) {
      return;
    }
    int most = (int) Math.min(MAX_EDITS, Math.max(LEAST_EDITS, MAX_WORK / ((long) n + m)));
    int zero = most + 1;
    int[] furthest = new int[2 * most + 3];
    List<int[]> before = new ArrayList<>();
    for (int d = 0; d <= most; d++) {
      before.add(Arrays.copyOfRange(furthest, zero - d - 1, zero + d + 2));
      for (int k = -d; k <= d; k += 2) {
        int x = isDown(furthest, zero, k, d) ? furthest[zero + k + 1] : furthest[zero + k - 1] + 1;
        while (x < n && x - k < m && x >= k && a[fromA + x] == b[fromB + x - k]) {
          x++;
        }
        furthest[zero + k] = x;
        if (k == n - m && x >= n) {
          trace(before, n, m, fromA, fromB);
          return;
        }
      }
    }
  }

  /** Whether the furthest way to a diagonal comes from the one above. */
  private static boolean isDown(int[] furthest, int zero, int k, int d) {
    return k == -d || k != d && furthest[zero + k - 1] < furthest[zero + k + 1];
  }

  /** Goes the way back, and pairs what is the same on it. */
  private void trace(List<int[]> before, int n, int m, int fromA, int fromB) {
    int x = n;
    int y = m;
    for (int d = before.size() - 1; d >= 0; d--) {
      int[] furthest = before.get(d);
      int zero = d + 1;
      int k = x - y;
      int from = isDown(furthest, zero, k, d) ? k + 1 : k - 1;
      int fromX = d == 0 ? 0 : furthest[zero + from];
      int fromY = d == 0 ? 0 : fromX - from;
      while (x > fromX && y > fromY) {
        x--;
        y--;
        pairs[fromA + x] = fromB + y;
      }
      x = fromX;
      y = fromY;
    }
  }
}
