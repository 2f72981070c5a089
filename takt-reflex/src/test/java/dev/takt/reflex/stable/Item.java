package dev.takt.reflex.stable;

import dev.takt.space.Stable;

/** A stable object with a name, for the collections that hold references. */
final class Item implements Stable {
  private final int number;

  Item(int number) {
    this.number = number;
  }

  @Override
  public String toString() {
    return "item-" + number;
  }
}
