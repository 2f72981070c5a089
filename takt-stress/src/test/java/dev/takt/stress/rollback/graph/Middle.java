package dev.takt.stress.rollback.graph;

/** The second level: arrays, and a field that has the name of one of the first. */
abstract class Middle extends Node {
  private final boolean[] flags = new boolean[5];
  private final byte[] bytes = new byte[9];
  private final char[] letters = new char[3];
  private final short[] shorts = new short[4];
  private final int[] ints = new int[16];
  private int own;
  Middle again;

  Middle(int number) {
    super(number);
  }

  @Override
  void change(long random, Node other) {
    int at = Case.below(random, 60);
    switch (at) {
      case 0 -> flags[at % 5] = !flags[at % 5];
      case 1 -> bytes[(int) (random >>> 60) % 9] += 5;
      case 2 -> letters[(int) (random >>> 50 & 1)]++;
      case 3, 4 -> shorts[(int) (random >>> 51 & 3)] = (short) random;
      case 5 -> fill(ints, (int) random);
      case 6 -> own += 7;
      case 7 -> again = other instanceof Middle middle ? middle : null;
      case 8 -> {
        for (int i = 0; i < ints.length; i++) {
          ints[i] += i ^ own;
        }
        bytes[8]--;
        own++;
      }
      case 9 -> System.arraycopy(ints, 0, ints, 3, 10);
      default -> super.change(Case.next(random), other);
    }
  }

  private static void fill(int[] target, int value) {
    for (int i = 0; i < target.length; i += 2) {
      target[i] = value + i;
    }
  }

  @Override
  long sum() {
    long sum = own + super.own + (flags[0] ? 1 : 0);
    for (int value : ints) {
      sum += value;
    }
    return sum + bytes[1] + letters[0] + shorts[2];
  }
}
