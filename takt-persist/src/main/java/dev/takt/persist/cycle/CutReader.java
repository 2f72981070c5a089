package dev.takt.persist.cycle;

import dev.takt.persist.format.Format;
import dev.takt.persist.format.Kind;
import dev.takt.persist.graph.ClassShape;
import dev.takt.persist.graph.Immutables;
import java.lang.reflect.Array;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Reads what objects held at the cut: what they hold now, or the copy that the barrier has made
 * meanwhile.
 *
 * <p><b>Thread rule:</b> one thread, that of the cycle.
 */
final class CutReader {
  /** The primitives of the object that was read last, by the numbers of its fields. */
  final long[] bits;

  /** Its references, by the numbers of its fields; or some elements. */
  final @Nullable Object[] references;

  private final Numbering numbering;
  private final Capture capture;

  /** Those elements of an immutable collection that are not read yet. */
  private @Nullable Iterator<?> elements;

  CutReader(CycleMemory.OfRoot memory, Numbering numbering) {
    this.bits = memory.bits;
    this.references = memory.references;
    this.capture = memory.capture;
    this.numbering = numbering;
  }

  /** Reads all fields. */
  void read(Object object, StoredClass stored) {
    ClassShape shape = stored.shape;
    shape.access().read(object, bits, references);
    if (shape.kind() == Kind.STABLE) {
      int saved = numbering.saved(object);
      if (saved >= 0) {
        capture.take(saved, shape, bits, references);
      }
      for (int i : stored.finals) {
        references[i] = Numbering.kept(references[i]);
      }
    }
  }

  /** Returns how many elements an array or an immutable collection has. */
  static int length(Object object) {
    return object.getClass().isArray() ? Array.getLength(object) : Immutables.size(object);
  }

  /** Reads some elements into {@link #references}; returns how many. */
  int readElements(Object object, int from) {
    int count = Math.min(Format.CHUNK_REFERENCES, length(object) - from);
    if (!(object instanceof Object[] array)) {
      Iterator<?> rest = elements;
      if (from == 0 || rest == null) {
        rest = Immutables.iterator(object);
        elements = rest;
      }
      Immutables.read(object, rest, references, count);
      return count;
    }
    System.arraycopy(array, from, references, 0, count);
    int saved = numbering.saved(array);
    for (int i = 0; saved >= 0 && i < count; i++) {
      references[i] = capture.reference(saved, from + i);
    }
    return count;
  }
}
