package dev.takt.stress.rollback.graph;

/** The third level: the other arrays. */
final class Leaf extends Middle implements Peer {
  private final long[] longs = new long[7];
  private final float[] floats = new float[3];
  private final double[] doubles = new double[5];
  private int[] replaced;
  private boolean own;

  Leaf(int number) {
    super(number);
  }

  @Override
  void change(long random, Node other) {
    switch (Case.below(random, 24)) {
      case 0 -> longs[(int) (random >>> 40) % 7 & 3] ^= random;
      case 1 -> floats[2] += 0.5f;
      case 2 -> doubles[Case.below(random, 5)] = sum();
      case 3 -> own = !own;
      case 4 -> {
        // One in 64 of these, since the old array is not used again.
        if ((random >>> 21 & 63) == 0) {
          replaced = new int[4];
        }
        if (replaced != null) {
          replaced[(int) (random >>> 30 & 3)]++;
        }
      }
      default -> super.change(Case.next(random), other);
    }
  }

  @Override
  public long weight() {
    return longs[0] + (own ? 1 : 0);
  }
}
