package dev.takt.persist.recover;

import dev.takt.persist.format.ClassEntry.FieldEntry;
import dev.takt.persist.format.Format;
import dev.takt.persist.format.Kind;
import dev.takt.persist.graph.ClassShape;
import dev.takt.persist.graph.Holders;
import dev.takt.persist.graph.StoredField;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sets the references of all objects, when all are made. One that means something {@link Unknown}
 * becomes null, and the object is noted: the snapshot fits only if the root does not lead there.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class FixUp {
  private final ReadObjects objects;
  private final List<ClassPlan> classes;

  /** Values of one object, by the numbers of its fields. */
  private final long[] bits;

  private final @Nullable Object[] references;

  /** The object whose references are set next, the first of them, and how many elements are. */
  private int fixed;

  private int number;
  private int elementsDone;

  /** What refers to something unknown, with the first such reference. */
  private final Map<Object, Broken> broken = new IdentityHashMap<>();

  /**
   * A reference to something that this program does not have.
   *
   * @param field where it is; null: in an array
   */
  record Broken(Unknown unknown, @Nullable StoredField field) {}

  /**
   * Makes it.
   *
   * @param mostFields how many fields an object has at most
   */
  FixUp(ReadObjects objects, List<ClassPlan> classes, int mostFields) {
    this.objects = objects;
    this.classes = classes;
    this.bits = new long[mostFields];
    this.references = new Object[mostFields];
  }

  /** Returns what refers to something that this program does not have. */
  Map<Object, Broken> broken() {
    return broken;
  }

  /** Returns whether all references are set. */
  boolean run(int pieces) {
    for (int i = 0; i < pieces; i++) {
      if (fixed == objects.unsettled()) {
        return true;
      }
      if (objects.isSettled(fixed)) {
        fixed++;
        continue;
      }
      ClassPlan plan = classes.get(objects.classNumber(fixed));
      Object object = objects.get(fixed);
      if (plan.entry().kind() == Kind.STABLE) {
        number = fields(object, plan, number);
      } else if (object instanceof Object[] elements) {
        int end = Math.min(elements.length, elementsDone + Format.CHUNK_REFERENCES);
        for (; elementsDone < end; elementsDone++) {
          element(elements, elementsDone, objects.number(number++));
        }
        if (end < elements.length) {
          continue;
        }
        elementsDone = 0;
      }
      fixed++;
    }
    return false;
  }

  private void element(Object[] array, int element, int number) {
    Object value = number < 0 ? null : objects.get(number);
    if (value instanceof Unknown unknown && !isListOfRoots(array)) {
      broken.putIfAbsent(array, new Broken(unknown, null));
      value = null;
    }
    if (value != null && !array.getClass().getComponentType().isInstance(value)) {
      throw new IllegalArgumentException(
          "element %s of an array of %s was stored as %s"
              .formatted(
                  element,
                  array.getClass().getComponentType().getTypeName(),
                  Unknown.describe(value)));
    }
    array[element] = value;
  }

  /**
   * Whether these are the roots of a plain program by their names. One that this program does not
   * know stays unknown there, and nobody else has to: it may have been dropped.
   */
  private boolean isListOfRoots(Object[] array) {
    return objects.get(0) instanceof Object[] graph && graph.length == 1 && graph[0] == array;
  }

  /** Says where an object of a class may be, as far as the types of fields tell. */
  static String holders(Class<?> type, List<ClassPlan> classes) {
    List<ClassShape> met = new ArrayList<>();
    for (ClassPlan each : classes) {
      if (each.shape() != null) {
        met.add(each.shape());
      }
    }
    return Holders.of(type, met);
  }

  /** Sets the references of an object; returns where those of the next one begin. */
  private int fields(Object object, ClassPlan plan, int from) {
    ClassShape shape = plan.shape();
    if (shape != null && plan.isSame()) {
      return all(object, shape, from);
    }
    if (shape != null && plan.isPartial()) {
      shape.access().read(object, bits, references);
    }
    int at = from;
    List<FieldEntry> fields = plan.entry().fields();
    int[] targets = plan.targets();
    for (int i = 0; i < targets.length; i++) {
      if (fields.get(i).type() == 'L') {
        int stored = objects.number(at++);
        if (shape != null && targets[i] >= 0) {
          StoredField target = shape.fields().get(targets[i]);
          Object value = value(object, stored, target);
          Object there = references[targets[i]];
          if (plan.isPartial() && target.isFinal()) {
            requireSame(target, there, value);
          } else if (value != null || !isLeft(target, there)) {
            references[targets[i]] = value;
          }
        }
      }
    }
    if (shape != null) {
      shape.access().writeReferences(object, references);
    }
    return at;
  }

  /** Sets the references of an object whose fields here are those of the file. */
  private int all(Object object, ClassShape shape, int from) {
    List<StoredField> fields = shape.fields();
    int at = from;
    for (int i = 0; i < fields.size(); i++) {
      if (!fields.get(i).isPrimitive()) {
        references[i] = value(object, objects.number(at++), fields.get(i));
      }
    }
    shape.access().writeReferences(object, references);
    return at;
  }

  private @Nullable Object value(Object holder, int number, StoredField field) {
    Object value = number < 0 ? null : objects.get(number);
    if (value instanceof Unknown unknown) {
      broken.putIfAbsent(holder, new Broken(unknown, field));
      return null;
    }
    return value;
  }

  /** Whether the constructor has set up what is not stored. */
  private static boolean isLeft(StoredField field, @Nullable Object there) {
    return there != null && field.canBeLeft() && StoredField.isLeft(there);
  }

  private static void requireSame(
      StoredField field, @Nullable Object there, @Nullable Object value) {
    if (StableReader.canBeTaken(value) && there != value) {
      throw new IllegalArgumentException(
          ("final field %s was stored as %s, and the constructor has made %s; construct the "
                  + "task with the same sizes and classes as when it was stored")
              .formatted(field.name(), describeSize(value), describeSize(there)));
    }
  }

  private static String describeSize(@Nullable Object object) {
    return GraphReader.isArray(object)
        ? Unknown.describe(object) + " of length " + Array.getLength(object)
        : Unknown.describe(object);
  }
}
