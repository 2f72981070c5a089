package dev.takt.bench.micro;

import dev.takt.space.Event;

/**
 * The event of every measurement: {@code type}, {@code id} and six numbers, which makes eight
 * words, 64 bytes. The peers get the same fields.
 */
public final class Orders {
  private Orders() {}

  /** Makes an event with this id. */
  public static Event order(long id) {
    return new Event("type", "order")
        .add("id", id)
        .add("price", 1)
        .add("quantity", 2)
        .add("side", 3)
        .add("venue", 4)
        .add("time", 5)
        .add("sequence", 6);
  }

  /** Makes the template for the event with this id. */
  public static Event withId(long id) {
    return new Event("id", id);
  }

  /** Makes the template for the event with this type and id. */
  public static Event withTypeAndId(long id) {
    return new Event("type", "order").add("id", id);
  }

  /**
   * Returns the n-th of pseudo-random ids that are all different (the finalizer of SplitMix64 is a
   * bijection).
   */
  public static long id(long n) {
    long mixed = (n + 1) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }
}
