package dev.takt.rtsj.memory;

import dev.takt.realtime.internal.Ranges;
import java.util.Objects;

/**
 * What a scope is made with.
 *
 * @param name for messages
 * @param initialBytes what is committed when it is made, at least 1
 * @param maxBytes what it can grow to, {@code initialBytes} (linear-time) to 2,147,479,552
 * @param growthBytes the size of the blocks by which it grows, at least 1; at most 1,023 of them
 * @param endsSegments whether memory segments end with the epoch that they were allocated in, so
 *     that any later access throws in any thread. Costs an arena for each epoch in which there are
 *     some, and at its end a handshake with all threads of the JVM (tens of microseconds); without
 *     native access such segments have memory of their own, which is not committed beforehand.
 *     Views and pooled instances do not need it.
 */
public record ScopeSettings(
    String name, long initialBytes, long maxBytes, long growthBytes, boolean endsSegments) {
  /** Checks each value. */
  public ScopeSettings {
    Objects.requireNonNull(name, "name");
    Ranges.check("initialBytes", initialBytes, 1, Region.MAX_SIZE_BYTES);
    Ranges.check("maxBytes", maxBytes, initialBytes, Region.MAX_SIZE_BYTES);
    Ranges.check("growthBytes", growthBytes, 1, Region.MAX_SIZE_BYTES);
    if (Math.ceilDiv(maxBytes - initialBytes, growthBytes) >= Region.MAX_BLOCKS) {
      throw new IllegalArgumentException(
          "growthBytes=%s (expected: at least %s, since there can be %s blocks)"
              .formatted(
                  growthBytes,
                  Math.ceilDiv(maxBytes - initialBytes, Region.MAX_BLOCKS - 1),
                  Region.MAX_BLOCKS));
    }
  }

  /** All memory is there from the beginning: allocation takes time linear in the size. */
  public static ScopeSettings linearTime(String name, long sizeBytes) {
    return new ScopeSettings(name, sizeBytes, sizeBytes, sizeBytes, true);
  }

  /** Grows by blocks as large as the first one: an allocation may have to ask for one. */
  public static ScopeSettings variableTime(String name, long initialBytes, long maxBytes) {
    return new ScopeSettings(name, initialBytes, maxBytes, initialBytes, true);
  }

  /** Returns this, with another size of blocks. */
  public ScopeSettings withGrowthBytes(long growthBytes) {
    return new ScopeSettings(name, initialBytes, maxBytes, growthBytes, endsSegments);
  }

  /** Returns this, with or without segments that end. */
  public ScopeSettings withEndsSegments(boolean endsSegments) {
    return new ScopeSettings(name, initialBytes, maxBytes, growthBytes, endsSegments);
  }

  /** Returns whether all memory is there from the beginning. */
  public boolean isLinearTime() {
    return initialBytes == maxBytes;
  }
}
