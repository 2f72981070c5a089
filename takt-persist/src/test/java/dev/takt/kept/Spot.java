package dev.takt.kept;

import dev.takt.persist.annotation.Persistent;
import dev.takt.persist.annotation.PersistentUpdate;

/** An object that several plain threads change, each a part of it. */
@Persistent
final class Spot {
  private final int id;
  private long amount0;
  private int amount1;
  private double amount2;
  private Spot side0;
  private Spot side1;
  private Spot side2;
  private Spot next;
  private final int[] numbers = new int[SharedState.THREADS];
  private final Spot[] links = new Spot[SharedState.THREADS];

  Spot(int id) {
    this.id = id;
    numbers[0] = id;
  }

  long amount(int thread) {
    return switch (thread) {
      case 0 -> amount0;
      case 1 -> amount1;
      default -> (long) amount2;
    };
  }

  @PersistentUpdate
  void amount(int thread, long value) {
    switch (thread) {
      case 0 -> amount0 = value;
      case 1 -> amount1 = (int) value;
      default -> amount2 = (int) value;
    }
  }

  /** Is called in updates, but is none: each store is then one inside of the other. */
  void side(int thread, Spot value) {
    switch (thread) {
      case 0 -> side0 = value;
      case 1 -> side1 = value;
      default -> side2 = value;
    }
  }

  @PersistentUpdate
  void number(int thread, int value) {
    numbers[thread] = value + id;
  }

  @PersistentUpdate
  void link(int thread, Spot value) {
    links[thread] = value;
  }

  @PersistentUpdate
  void next(Spot value) {
    next = value;
  }

  Spot next() {
    return next;
  }
}
