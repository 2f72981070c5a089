package dev.takt.persist.cycle;

import dev.takt.persist.format.Format;
import dev.takt.persist.format.Kind;
import dev.takt.persist.graph.ClassShape;
import dev.takt.persist.graph.Immutables;
import dev.takt.persist.graph.Mutables;
import dev.takt.reflex.woven.PlainBarrier;
import java.lang.reflect.Array;
import java.util.Arrays;
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

  private final CycleMemory.OfRoot memory;

  /** Those elements of an immutable collection that are not read yet. */
  private @Nullable Iterator<?> elements;

  /** The elements of the collection that changes and was read last, and how many. */
  private @Nullable Object[] held = {};

  private int heldSize;

  CutReader(CycleMemory.OfRoot memory, Numbering numbering) {
    this.bits = memory.bits;
    this.references = memory.references;
    this.capture = memory.capture;
    this.memory = memory;
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
      for (int i : stored.collections) {
        if (references[i] != null) {
          memory.guarded.add(references[i]);
        }
      }
    }
  }

  /**
   * Begins to read the elements of an array or a collection; returns how many it has. One that
   * changes is copied, since nobody may walk through it while others change it: that of the barrier
   * if there is one, else what it has while nothing is saved. From then on it is the copy that is
   * read.
   *
   * @param isNew whether it was not in the base; what was there was guarded then
   * @throws IllegalArgumentException if it is one that changes and was found where nothing guards
   *     it
   */
  int begin(Object object, ClassShape shape, boolean isNew) {
    if (shape.kind() == Kind.MUTABLE) {
      if (isNew && !memory.guarded.contains(object)) {
        throw StoredClass.refusal(object.getClass(), memory.name, memory.classes.values());
      }
      Arrays.fill(held, 0, heldSize, null);
      heldSize = 0;
      PlainBarrier.whileNothingIsSaved(() -> copy(object));
      Mutables.require(object, held, heldSize);
    }
    return length(object, shape);
  }

  private void copy(Object collection) {
    int saved = numbering.saved(collection);
    int size = saved < 0 ? Mutables.size(collection) : (int) capture.primitive(saved, 0);
    if (size > held.length) {
      held = new Object[size + (size >> 2)];
    }
    if (saved < 0) {
      Mutables.copy(collection, held, 0, size);
    }
    for (int i = 0; saved >= 0 && i < size; i++) {
      held[i] = capture.reference(saved, i);
    }
    heldSize = size;
  }

  /** Forgets some of the collections, when no sink is attached any more; returns whether all. */
  boolean clear() {
    return memory.guarded.clear();
  }

  /** Returns how many elements an array or a collection has that was begun. */
  int length(Object object, ClassShape shape) {
    return switch (shape.kind()) {
      case ARRAY -> Array.getLength(object);
      case MUTABLE -> heldSize;
      default -> Immutables.size(object);
    };
  }

  /** Reads some elements into {@link #references}; returns how many. */
  int readElements(Object object, ClassShape shape, int from) {
    int count = Math.min(Format.CHUNK_REFERENCES, length(object, shape) - from);
    if (shape.kind() == Kind.MUTABLE) {
      System.arraycopy(held, from, references, 0, count);
      return count;
    }
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
