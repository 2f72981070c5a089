package dev.takt.client.wire;

import java.util.Arrays;

/**
 * The numbers by which a writer names sequences of keys: each that it sends gets the next one, as
 * long as there are any, and comes with its keys until a message with them was sent.
 *
 * <p><b>Thread rule:</b> one thread.
 *
 * <p><b>Memory:</b> 6 to 12 bytes for each sequence, which is at most 8 KB.
 */
final class KeyNumbers {
  static final int NONE = -1;

  private static final int FIRST_SIZE = 16;

  /** The shape of each number, see {@link dev.takt.space.EventParts#shape}. */
  private char[] shapes = new char[FIRST_SIZE];

  /** An open hash table, half full at most: numbers of which was told, and one more; 0 for none. */
  private char[] table = new char[2 * FIRST_SIZE];

  /** How many numbers the other side was told. */
  private int told;

  /** How many there are with those that the message brings. */
  private int count;

  /** Returns the number of a shape, or {@link #NONE}. */
  int find(int shape) {
    int mask = table.length - 1;
    for (int at = shape & mask; table[at] != 0; at = at + 1 & mask) {
      int number = table[at] - 1;
      if (shapes[number] == shape) {
        return number;
      }
    }
    for (int number = told; number < count; number++) {
      if (shapes[number] == shape) {
        return number;
      }
    }
    return NONE;
  }

  /** Gives a shape that has none a number, if there is one left; else returns {@link #NONE}. */
  int give(int shape) {
    if (count == WireFormat.MAX_NUMBERS) {
      return NONE;
    }
    if (count == shapes.length) {
      shapes = Arrays.copyOf(shapes, 2 * count);
    }
    shapes[count] = (char) shape;
    return count++;
  }

  /** Returns how many the message that is being written has given so far. */
  int given() {
    return count - told;
  }

  /** Takes back all but so many of them. */
  void cut(int given) {
    count = told + given;
  }

  /** The other side knows what the message has given. */
  void sent() {
    if (told == count) {
      return;
    }
    if (2 * count > table.length) {
      table = new char[2 * shapes.length];
      told = 0;
    }
    while (told < count) {
      int mask = table.length - 1;
      int at = shapes[told] & mask;
      while (table[at] != 0) {
        at = at + 1 & mask;
      }
      told++;
      table[at] = (char) told;
    }
  }
}
