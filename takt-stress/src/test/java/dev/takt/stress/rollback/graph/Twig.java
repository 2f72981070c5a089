package dev.takt.stress.rollback.graph;

import java.util.function.LongUnaryOperator;

/** The third level again: transient objects on the way, and a failure in the middle of a change. */
final class Twig extends Middle {
  private long total;
  private Leaf leaf;

  Twig(int number) {
    super(number);
  }

  private record Entry(long value, Entry next) {}

  @Override
  void change(long random, Node other) {
    switch (Case.below(random, 16)) {
      case 0 -> {
        Entry entries = null;
        for (int i = 0; i < 5; i++) {
          entries = new Entry(random >>> i, entries);
        }
        for (Entry entry = entries; entry != null; entry = entry.next()) {
          total += entry.value();
        }
      }
      case 1 -> {
        long plus = random & 0xFF;
        total = apply(value -> value * 3 + plus, total);
      }
      case 2 -> leaf = other instanceof Leaf next ? next : leaf;
      case 3 -> {
        if (leaf != null) {
          leaf.change(Case.next(random), this);
          total += leaf.sum();
        }
      }
      default -> super.change(Case.next(random), other);
    }
  }

  private static long apply(LongUnaryOperator operator, long value) {
    return operator.applyAsLong(value);
  }

  @Override
  long sum() {
    return total + super.sum();
  }
}
