package dev.takt.reflex.stable;

import dev.takt.space.Stable;
import org.jspecify.annotations.Nullable;

/** Up to 64 references to strings, saved together. */
final class StringChunk implements Stable {
  private final @Nullable String[] values;

  StringChunk(int length) {
    values = new @Nullable String[length];
  }

  @Nullable String get(int at) {
    return values[at];
  }

  void set(int at, @Nullable String value) {
    values[at] = value;
  }
}
