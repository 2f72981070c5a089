package dev.takt.persist.cycle;

import dev.takt.persist.format.Format;
import org.jspecify.annotations.Nullable;

/**
 * Where a cycle puts what it reads of one object, until it knows whether that counts.
 *
 * <p><b>Thread rule:</b> one thread, that of the cycle; all roots use the same.
 */
final class Scratch {
  /** No class that can be stored has more fields, since its record has to fit into a block. */
  private static final int MOST_FIELDS = Format.MIN_BLOCK_BYTES / Format.MAX_VARLONG;

  /** The primitives of an object, by the number of the field. */
  final long[] bits = new long[MOST_FIELDS];

  /** The references of an object, by the number of the field; or of a chunk. */
  final @Nullable Object[] references = new Object[Math.max(MOST_FIELDS, Format.CHUNK_REFERENCES)];

  Scratch() {}
}
