package dev.takt.space;

import org.jspecify.annotations.Nullable;

/** Where the events of one shape have the keys of one index. */
final class KeyMap {
  final Shape shape;

  /** The ordinal in the shape of each key of the index, four bits each. */
  final long ordinals;

  private KeyMap(Shape shape, long ordinals) {
    this.shape = shape;
    this.ordinals = ordinals;
  }

  /** Returns the map, or null if the shape lacks a key, so that its events are not in the index. */
  static @Nullable KeyMap of(Shape shape, Index index) {
    long packed = 0;
    for (int i = 0; i < index.keys.length; i++) {
      int ordinal = shape.ordinal(index.keys[i]);
      if (ordinal < 0) {
        return null;
      }
      packed |= (long) ordinal << (i << 2);
    }
    return new KeyMap(shape, packed);
  }

  /** The ordinal in the shape of the index's key of this number. */
  int ordinal(int key) {
    return (int) (ordinals >>> (key << 2)) & 0xF;
  }

  /** The fingerprint that the index has for an event of the shape, or for a template of it. */
  long fingerprint(Index index, long types, long[] words, int base) {
    long packed = ordinals;
    long fingerprint = index.fingerprintSeed();
    for (int i = index.concrete; i > 0; i--) {
      int ordinal = (int) packed & 0xF;
      fingerprint =
          Index.fingerprintStep(fingerprint, Types.at(types, ordinal), words[base + ordinal]);
      packed >>>= 4;
    }
    return fingerprint;
  }
}
