package dev.takt.persist.journal;

import dev.takt.persist.format.ClassEntry;
import dev.takt.persist.format.ClassEntry.FieldEntry;
import dev.takt.persist.format.Elements;
import dev.takt.persist.graph.Boxes;
import dev.takt.persist.graph.ClassShape;
import dev.takt.persist.graph.DeclaredClasses;
import dev.takt.persist.graph.Immutables;
import dev.takt.persist.graph.JdkValues;
import dev.takt.persist.graph.StoredField;
import dev.takt.persist.recover.ClassPlan;
import dev.takt.persist.recover.ObjectsById;
import dev.takt.reflex.woven.Undoable;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts units over the objects of one task, one after the other: first all objects of a unit are
 * there, with their primitives, then references are set.
 *
 * <p>A stable object or array that the task's constructor has made is taken for the one that stands
 * in the same place, if it is of the same class and length; for others an instance is made, as
 * {@code GraphReader} does.
 *
 * <p><b>Bounds:</b> only declared classes are made; no array has more than eight times as many
 * elements as its unit has words.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class ImageReader {
  /** The id of the task itself. */
  static final int ROOT = 1;

  private static final int MAX_ELEMENTS_PER_WORD = 8;

  private final ObjectsById objects;
  private final DeclaredClasses declared;
  private final Map<ClassEntry, ClassPlan> plans = new IdentityHashMap<>();

  /** The classes of objects that are left out, since this program does not have them. */
  private final Map<Integer, ClassPlan> gone = new HashMap<>();

  /** What the constructor has made in the place of an object that comes later. */
  private final Map<Integer, Object> candidates = new HashMap<>();

  /** All that has an id; null: not needed yet. */
  private @Nullable Set<Object> bound;

  private long[] bits = new long[16];
  private @Nullable Object[] references = new Object[16];

  ImageReader(Object root, ObjectsById objects, DeclaredClasses declared) {
    this.objects = objects;
    this.declared = declared;
    if (objects.get(ROOT) == null) {
      objects.put(ROOT, root);
    }
  }

  /**
   * Puts a unit over what is there.
   *
   * @param parts all of it
   * @throws IllegalArgumentException if it does not fit the classes of this program, or refers to
   *     what is not there; then the objects are not to be used
   */
  void apply(List<ImageUnit> parts) {
    long words = 0;
    for (ImageUnit part : parts) {
      words += part.words().length;
    }
    for (ImageUnit part : parts) {
      ImageCursor cursor = part.cursor();
      for (int i = cursor.images(); i > 0; i--) {
        construct(cursor, words);
      }
    }
    for (ImageUnit part : parts) {
      ImageCursor cursor = part.cursor();
      for (int i = cursor.images(); i > 0; i--) {
        fixUp(cursor);
      }
    }
    candidates.clear();
  }

  private ClassPlan plan(ImageCursor cursor) {
    ClassEntry entry = (ClassEntry) cursor.reference();
    ClassPlan plan = plans.get(entry);
    if (plan == null) {
      plan = ClassPlan.of(entry, declared);
      plans.put(entry, plan);
      ClassShape shape = plan.shape();
      if (shape != null && shape.fields().size() > bits.length) {
        bits = new long[shape.fields().size()];
        references = new Object[bits.length];
      }
    }
    return plan;
  }

  // ---- construction

  private void construct(ImageCursor cursor, long limit) {
    long head = cursor.word();
    int id = (int) (head >>> 1);
    ClassPlan plan = plan(cursor);
    if (plan.shape() == null) {
      gone.put(id, plan);
    }
    if ((head & 1) == 0) {
      constructObject(cursor, id, plan);
    } else {
      constructArray(cursor, id, plan, limit);
    }
  }

  private void constructObject(ImageCursor cursor, int id, ClassPlan plan) {
    ClassShape shape = plan.shape();
    Object object = null;
    if (shape != null) {
      object = present(id, shape.type(), 0);
      if (object == null) {
        object = shape.access().make(bits, references);
        bind(id, object);
      }
      shape.access().read(object, bits, references);
    }
    List<FieldEntry> fields = plan.entry().fields();
    for (int i = 0; i < fields.size(); i++) {
      int target = plan.targets()[i];
      if (fields.get(i).isPrimitive()) {
        long word = cursor.word();
        if (target >= 0) {
          bits[target] = plan.widened(i, word);
        }
      } else {
        int named = skip(cursor);
        if (target >= 0) {
          offer(named, references[target]);
        }
      }
    }
    if (object != null && shape != null) {
      shape.access().writePrimitives(object, bits);
    }
  }

  private void constructArray(ImageCursor cursor, int id, ClassPlan plan, long limit) {
    int length = (int) cursor.word();
    int from = (int) cursor.word();
    int count = (int) cursor.word();
    ClassShape shape = plan.shape();
    Object array = null;
    if (shape != null) {
      array = present(id, shape.type(), length);
      if (array == null) {
        if (length > MAX_ELEMENTS_PER_WORD * limit) {
          throw new IllegalArgumentException(
              "an array is not there in full: length=%s, limit=%s"
                  .formatted(length, MAX_ELEMENTS_PER_WORD * limit));
        }
        array = Array.newInstance(shape.type().getComponentType(), length);
        bind(id, array);
      }
    }
    if (isOfPrimitives(plan)) {
      int size = ClassShape.elementBytes(plan.entry().name().charAt(1));
      if (array != null) {
        MemorySegment words = MemorySegment.ofArray(cursor.words());
        Elements.copy(words, (long) cursor.at() * Long.BYTES, array, from, count);
      }
      cursor.skip(ImageBuffer.words(count, size));
    } else {
      for (int i = from; i < from + count; i++) {
        int named = skip(cursor);
        if (array instanceof Object[] elements) {
          offer(named, elements[i]);
        }
      }
    }
  }

  private static boolean isOfPrimitives(ClassPlan plan) {
    return plan.entry().name().length() == 2;
  }

  /** Returns the object that has an id, or is taken for it; null: it has to be made. */
  private @Nullable Object present(int id, Class<?> type, int length) {
    Object present = objects.get(id);
    if (present == null) {
      Object candidate = candidates.remove(id);
      if (candidate != null && fits(candidate, type, length) && !bound().contains(candidate)) {
        bind(id, candidate);
        present = candidate;
      }
    } else if (!fits(present, type, length)) {
      throw new IllegalArgumentException(
          "object %s is of class %s, in the journal of %s"
              .formatted(id, present.getClass().getTypeName(), type.getTypeName()));
    }
    return present;
  }

  private static boolean fits(Object object, Class<?> type, int length) {
    return object.getClass() == type && (!type.isArray() || Array.getLength(object) == length);
  }

  private void bind(int id, Object object) {
    objects.put(id, object);
    if (bound != null) {
      bound.add(object);
    }
  }

  private Set<Object> bound() {
    Set<Object> all = bound;
    if (all == null) {
      Set<Object> made = Collections.newSetFromMap(new IdentityHashMap<>());
      objects.forEach((id, object) -> made.add(object));
      bound = made;
      all = made;
    }
    return all;
  }

  /** What stands in a place may become what is named there. */
  private void offer(int id, @Nullable Object there) {
    if (id > 0
        && there != null
        && (there instanceof Undoable || there.getClass().isArray())
        && objects.get(id) == null) {
      candidates.putIfAbsent(id, there);
    }
  }

  /** Passes over a reference; returns the id in it, or 0. */
  private int skip(ImageCursor cursor) {
    long word = cursor.word();
    switch ((int) word & ImageCursor.TAG_MASK) {
      case Tag.ID -> {
        return (int) (word >>> ImageCursor.ID_SHIFT);
      }
      case Tag.STRING -> cursor.reference();
      case Tag.CONSTANT, Tag.JDK_VALUE -> {
        cursor.reference();
        cursor.reference();
      }
      case Tag.BOX -> {
        cursor.reference();
        cursor.word();
      }
      case Tag.RECORD_VALUE -> {
        for (FieldEntry field : ((ClassEntry) cursor.reference()).fields()) {
          if (field.isPrimitive()) {
            cursor.word();
          } else {
            skip(cursor);
          }
        }
      }
      case Tag.COLLECTION -> {
        cursor.reference();
        for (long i = cursor.word(); i > 0; i--) {
          skip(cursor);
        }
      }
      default -> {}
    }
    return 0;
  }

  // ---- references

  private void fixUp(ImageCursor cursor) {
    long head = cursor.word();
    int id = (int) (head >>> 1);
    ClassPlan plan = plan(cursor);
    if ((head & 1) == 0) {
      fixFields(cursor, id, plan);
    } else {
      fixElements(cursor, id, plan);
    }
  }

  private void fixFields(ImageCursor cursor, int id, ClassPlan plan) {
    ClassShape shape = plan.shape();
    Object object = shape == null ? null : Objects.requireNonNull(objects.get(id));
    if (object != null && shape != null) {
      shape.access().read(object, bits, references);
    }
    List<FieldEntry> fields = plan.entry().fields();
    for (int i = 0; i < fields.size(); i++) {
      int target = plan.targets()[i];
      if (fields.get(i).isPrimitive()) {
        cursor.word();
      } else if (shape == null || target < 0) {
        skip(cursor);
      } else {
        Object value = value(cursor);
        StoredField field = shape.fields().get(target);
        if (!field.isFinal()) {
          references[target] = value;
        } else if (isChangeable(value) && references[target] != value) {
          throw new IllegalArgumentException(
              ("final field %s.%s has in the journal another object than the constructor has made;"
                      + " construct the task with the same sizes and classes as when it was kept")
                  .formatted(shape.type().getName(), field.field().getName()));
        }
      }
    }
    if (object != null && shape != null) {
      shape.access().writeReferences(object, references);
    }
  }

  private static boolean isChangeable(@Nullable Object value) {
    return value instanceof Undoable || value != null && value.getClass().isArray();
  }

  private void fixElements(ImageCursor cursor, int id, ClassPlan plan) {
    cursor.word();
    int from = (int) cursor.word();
    int count = (int) cursor.word();
    if (isOfPrimitives(plan)) {
      int size = ClassShape.elementBytes(plan.entry().name().charAt(1));
      cursor.skip(ImageBuffer.words(count, size));
      return;
    }
    Object array = plan.shape() == null ? null : objects.get(id);
    for (int i = from; i < from + count; i++) {
      if (array instanceof Object[] elements) {
        Object value = value(cursor);
        if (value != null && !elements.getClass().getComponentType().isInstance(value)) {
          throw new IllegalArgumentException(
              "element %s of an array of %s is in the journal of class %s"
                  .formatted(
                      i,
                      elements.getClass().getComponentType().getTypeName(),
                      value.getClass().getTypeName()));
        }
        elements[i] = value;
      } else {
        skip(cursor);
      }
    }
  }

  private @Nullable Object value(ImageCursor cursor) {
    long word = cursor.word();
    return switch ((int) word & ImageCursor.TAG_MASK) {
      case Tag.ID -> object((int) (word >>> ImageCursor.ID_SHIFT));
      case Tag.STRING -> cursor.reference();
      case Tag.CONSTANT -> known(plan(cursor)).constant((String) cursor.reference());
      case Tag.JDK_VALUE -> {
        ClassShape shape = shape(plan(cursor));
        yield JdkValues.parse(shape.type(), (String) cursor.reference());
      }
      case Tag.BOX -> Boxes.box(shape(plan(cursor)).element(), cursor.word());
      case Tag.RECORD_VALUE -> record(cursor, known(plan(cursor)));
      case Tag.COLLECTION -> {
        ClassShape shape = shape(plan(cursor));
        @Nullable Object[] elements = new Object[(int) cursor.word()];
        for (int i = 0; i < elements.length; i++) {
          elements[i] = value(cursor);
        }
        yield Immutables.make(shape.type(), elements);
      }
      default -> null;
    };
  }

  private Object object(int id) {
    Object object = objects.get(id);
    if (object == null) {
      ClassPlan plan = gone.get(id);
      if (plan != null) {
        known(plan);
      }
      throw new IllegalArgumentException(
          ("object %s is neither in the snapshot nor in the journal, or of a class that is not"
                  + " declared; name it with Persistence.declare")
              .formatted(id));
    }
    return object;
  }

  private Object record(ImageCursor cursor, ClassPlan plan) {
    ClassShape shape = shape(plan);
    long[] ownBits = new long[shape.fields().size()];
    @Nullable Object[] own = new Object[ownBits.length];
    for (int i = 0; i < plan.targets().length; i++) {
      int target = plan.targets()[i];
      if (plan.entry().fields().get(i).isPrimitive()) {
        long word = cursor.word();
        if (target >= 0) {
          ownBits[target] = plan.widened(i, word);
        }
      } else if (target < 0) {
        skip(cursor); // with what only it led to, whose class may be gone
      } else {
        own[target] = value(cursor);
      }
    }
    return shape.access().make(ownBits, own);
  }

  private static ClassPlan known(ClassPlan plan) {
    if (plan.misfit() != null) {
      throw new IllegalArgumentException(plan.misfit());
    }
    if (plan.shape() == null) {
      throw new IllegalArgumentException(
          "an object of class %s is in the journal, which is not declared; name it with Persistence.declare"
              .formatted(plan.entry().name()));
    }
    return plan;
  }

  private static ClassShape shape(ClassPlan plan) {
    return Objects.requireNonNull(known(plan).shape());
  }
}
