package dev.takt.space;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a shape means to the indexes of one space: which of them an event of this shape belongs to,
 * and where it has their keys. Worked out once for each shape and again when there is a new index.
 */
final class Cover {
  final Shape shape;

  /** All indexes of the space when this was worked out, by identifier. */
  final Index[] indexes;

  /** Those which an event of this shape belongs to. */
  final Index[] covering;

  /** For each index by identifier where the shape has its keys, or null. */
  private final @Nullable KeyMap[] maps;

  Cover(Shape shape, Index[] indexes) {
    this.shape = shape;
    this.indexes = indexes;
    maps = new KeyMap[indexes.length];
    for (Index index : indexes) {
      maps[index.id] = KeyMap.of(shape, index);
    }
    covering = Arrays.stream(indexes).filter(index -> maps[index.id] != null).toArray(Index[]::new);
  }

  /** Where the shape has the keys of an index, or null if its events are not in it. */
  @Nullable KeyMap map(Index index) {
    return maps[index.id];
  }
}
