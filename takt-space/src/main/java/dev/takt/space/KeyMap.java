package dev.takt.space;

import org.jspecify.annotations.Nullable;

/** Where the events of one shape have the keys of one index. */
final class KeyMap {
  final Shape shape;
  final Index index;

  /** The ordinal in the shape of each key of the index, four bits each. */
  final long ordinals;

  /**
   * The next index that the events of the shape belong to. A list, because a commit that goes along
   * it seldom meets more than one or two: the compiler makes more of a loop over an array than
   * that.
   */
  final @Nullable KeyMap next;

  private KeyMap(Shape shape, Index index, long ordinals, @Nullable KeyMap next) {
    this.shape = shape;
    this.index = index;
    this.ordinals = ordinals;
    this.next = next;
  }

  /** Returns the map, or null if the shape lacks a key, so that its events are not in the index. */
  static @Nullable KeyMap of(Shape shape, Index index, @Nullable KeyMap next) {
    long packed = 0;
    for (int i = 0; i < index.keys.length; i++) {
      int ordinal = shape.ordinal(index.keys[i]);
      if (ordinal < 0) {
        return null;
      }
      packed |= (long) ordinal << (i << 2);
    }
    return new KeyMap(shape, index, packed, next);
  }

  /** The ordinal in the shape of the index's key of this number. */
  int ordinal(int key) {
    return (int) (ordinals >>> (key << 2)) & 0xF;
  }

  /** The fingerprint that the index has for an event of the shape, or for a template of it. */
  long fingerprint(long types, long[] words, int base) {
    long packed = ordinals;
    long fingerprint = index.seed;
    for (int i = index.concrete; i > 0; i--) {
      int ordinal = (int) packed & 0xF;
      fingerprint =
          Index.fingerprintStep(fingerprint, Types.at(types, ordinal), words[base + ordinal]);
      packed >>>= 4;
    }
    return fingerprint;
  }
}
