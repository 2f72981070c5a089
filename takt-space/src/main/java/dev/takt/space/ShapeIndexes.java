package dev.takt.space;

import org.jspecify.annotations.Nullable;

/**
 * What a shape means to the indexes of one space: which of them an event of this shape belongs to,
 * and where it has their keys. Worked out once for each shape and again when there is a new index.
 */
final class ShapeIndexes {
  /** That of no space. */
  static final ShapeIndexes NONE = new ShapeIndexes(Shape.EMPTY, new Index[0]);

  final Shape shape;

  /** All indexes of the space when this was worked out, by identifier. */
  final Index[] indexes;

  /**
   * Where the shape has the keys of the first index that an event of it belongs to; the others
   * follow. Null: it belongs to none.
   */
  final @Nullable KeyMap first;

  /** For each index by identifier where the shape has its keys, or null. */
  private final @Nullable KeyMap[] maps;

  ShapeIndexes(Shape shape, Index[] indexes) {
    this.shape = shape;
    this.indexes = indexes;
    maps = new KeyMap[indexes.length];
    KeyMap next = null;
    for (int id = indexes.length - 1; id >= 0; id--) {
      maps[id] = KeyMap.of(shape, indexes[id], next);
      next = maps[id] == null ? next : maps[id];
    }
    first = next;
  }

  /** Where the shape has the keys of an index, or null if its events are not in it. */
  @Nullable KeyMap map(Index index) {
    return maps[index.id];
  }
}
