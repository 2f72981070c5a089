package dev.takt.persist.recover;

import dev.takt.persist.format.Format;
import dev.takt.persist.format.Kind;
import dev.takt.persist.graph.ClassShape;
import dev.takt.persist.graph.ClassShapes;
import dev.takt.persist.graph.Immutables;
import dev.takt.persist.graph.Mutables;
import dev.takt.persist.graph.StoredField;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether a root leads to an object that refers to something {@link Unknown}: then what was
 * stored does not fit this program. It does fit if only fields lead there that are gone, with all
 * that only they led to. So it follows the references that objects have here.
 *
 * <p><b>Thread rule:</b> one thread.
 *
 * <p><b>Memory:</b> some 40 bytes for each object that the root leads to; nothing if all is known,
 * which is most often so.
 */
final class Reach {
  private final Map<Object, FixUp.Broken> broken;
  private final List<ClassPlan> classes;
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final ArrayDeque<Object> queue = new ArrayDeque<>();

  /** The array or collection at hand, null if none is, and how many elements of it are done. */
  private Object @Nullable [] array;

  private int elementsDone;
  private @Nullable Iterator<?> elements;

  private long[] bits = {};
  private @Nullable Object[] references = {};

  private Reach(Object root, Map<Object, FixUp.Broken> broken, List<ClassPlan> classes) {
    this.broken = broken;
    this.classes = classes;
    add(root);
  }

  /** Makes one; returns null if nothing is broken. */
  static @Nullable Reach of(
      Object root, Map<Object, FixUp.Broken> broken, List<ClassPlan> classes) {
    return broken.isEmpty() ? null : new Reach(root, broken, classes);
  }

  /**
   * Looks on.
   *
   * @param pieces how many objects, or chunks of an array or collection, at most
   * @return whether all is seen, and nothing of it is broken
   * @throws IllegalArgumentException if something is
   */
  boolean run(int pieces) {
    for (int i = 0; i < pieces; i++) {
      if (array != null) {
        addChunk(array);
      } else if (elements != null) {
        addChunk(elements);
      } else if (queue.isEmpty()) {
        return true;
      } else {
        follow(queue.remove());
      }
    }
    return false;
  }

  private void add(@Nullable Object object) {
    if (object != null && !(object instanceof Unknown) && seen.add(object)) {
      queue.add(object);
    }
  }

  private void follow(Object object) {
    FixUp.Broken problem = broken.get(object);
    if (problem != null) {
      StoredField field = problem.field();
      throw problem
          .unknown()
          .refusal(
              field == null
                  ? "an array in " + FixUp.holders(object.getClass(), classes)
                  : "field " + field.name());
    }
    if (object instanceof Object[] begun) {
      array = begun;
      elementsDone = 0;
      return;
    }
    ClassShape shape = ClassShapes.of(object.getClass());
    if (shape == null) {
      return; // in a final field: the constructor's own
    }
    if (shape.isCollection()) {
      boolean changes = shape.kind() == Kind.MUTABLE;
      elements = changes ? Mutables.iterator(object) : Immutables.iterator(object);
    } else if (!shape.fields().isEmpty()) {
      addFields(object, shape);
    }
  }

  private void addFields(Object object, ClassShape shape) {
    int fields = shape.fields().size();
    if (fields > bits.length) {
      bits = new long[fields];
      references = new Object[fields];
    }
    Arrays.fill(references, null);
    shape.access().read(object, bits, references);
    for (int i = 0; i < fields; i++) {
      add(references[i]);
    }
  }

  private void addChunk(Object[] begun) {
    int end = Math.min(begun.length, elementsDone + Format.CHUNK_REFERENCES);
    for (; elementsDone < end; elementsDone++) {
      add(begun[elementsDone]);
    }
    array = end < begun.length ? begun : null;
  }

  private void addChunk(Iterator<?> begun) {
    for (int i = 0; i < Format.CHUNK_REFERENCES && begun.hasNext(); i++) {
      Object next = begun.next();
      if (next instanceof Map.Entry<?, ?> entry) {
        add(entry.getKey());
        add(entry.getValue());
      } else {
        add(next);
      }
    }
    elements = begun.hasNext() ? begun : null;
  }
}
