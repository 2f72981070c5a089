package dev.takt.reflex.stable;

import dev.takt.space.Stable;
import org.jspecify.annotations.Nullable;

/** Up to 64 references to stable objects, saved together. */
final class ReferenceChunk implements Stable {
  private final @Nullable Stable[] values;

  ReferenceChunk(int length) {
    values = new @Nullable Stable[length];
  }

  @Nullable Stable get(int at) {
    return values[at];
  }

  void set(int at, @Nullable Stable value) {
    values[at] = value;
  }
}
