package dev.takt.persist.recover;

import dev.takt.persist.format.ClassEntry.FieldEntry;
import dev.takt.persist.format.DamagedFileException;
import dev.takt.persist.format.Format;
import dev.takt.persist.format.RecordInput;
import dev.takt.persist.graph.Boxes;
import dev.takt.persist.graph.ClassShape;
import dev.takt.persist.graph.ClassShapes;
import dev.takt.persist.graph.DeclaredClasses;
import dev.takt.persist.graph.FieldAccess;
import dev.takt.reflex.woven.Undoable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads one section into its root: the paper's deserialization in two phases (Persistence 4).
 *
 * <p><b>Construction.</b> Records come in the order of their numbers. A stable object or array that
 * the root's constructor has made is taken for the stored one that stands in the same place, if it
 * is of the same class (and length); so final fields keep what they refer to, and only what is in
 * it changes. For others an instance is made, all its fields zero, without running constructors.
 *
 * <p><b>Fix-up.</b> When all objects are there, references are set, and records are made, those
 * that others refer to first.
 *
 * <p><b>Bounds.</b> What is allocated is at most some 40 times the bytes that are read, and the
 * instances of declared classes; no array is longer than the bytes that are left of the file.
 * Nothing recurses.
 *
 * <p><b>Thread rule:</b> one thread.
 */
public final class GraphReader {
  private static final int MAX_NUMBER = Integer.MAX_VALUE - 16;

  /** An instance of a class that is not declared. */
  private record Unknown(String type) {}

  /** A reference to set when all objects are there. */
  private record Fix(Object holder, FieldAccess field, int number) {}

  /** Elements to set. */
  private record ArrayFix(Object[] array, int[] numbers) {}

  private final RecordInput in;
  private final DeclaredClasses declared;
  private final ClassShapes shapes;
  private final List<ClassPlan> classes = new ArrayList<>();
  private final List<Object> objects = new ArrayList<>();

  /** For each object that was named, what stands in its place now. */
  private final List<@Nullable Object> candidates = new ArrayList<>();

  private final Set<Object> inPlace = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<Fix> fixes = new ArrayList<>();
  private final List<ArrayFix> arrayFixes = new ArrayList<>();

  private GraphReader(RecordInput in, Object root, DeclaredClasses declared, ClassShapes shapes) {
    this.in = in;
    this.declared = declared;
    this.shapes = shapes;
    candidates.add(root);
  }

  /**
   * Sets the fields of a root, and what hangs together with them.
   *
   * @return how many objects were read
   * @throws DamagedFileException if the section is not as a writer writes it
   * @throws IllegalArgumentException if it does not fit the classes of this program, or the root as
   *     its constructor has made it; then the root may be changed in part, and is not to be used
   */
  public static int read(RecordInput in, Object root, DeclaredClasses declared, ClassShapes shapes)
      throws IOException {
    GraphReader reader = new GraphReader(in, root, declared, shapes);
    reader.construct();
    Records.make(reader.objects);
    reader.fixUp();
    return reader.objects.size();
  }

  /** Refuses what is there in the file but not in this program. */
  static Object requireKnown(Object value) {
    if (value instanceof Unknown unknown) {
      throw new IllegalArgumentException(
          "an object of class %s was stored, which is not declared; name it with Persistence.declare, or give the field that refers to it another name"
              .formatted(unknown.type));
    }
    return value;
  }

  static String describe(@Nullable Object object) {
    return switch (object) {
      case null -> "null";
      case Unknown unknown -> "class " + unknown.type + ", which is not declared";
      default -> "class " + object.getClass().getTypeName();
    };
  }

  // ---- construction

  private void construct() throws IOException {
    while (in.hasNext()) {
      int tag = in.varint("class", classes.size());
      if (tag == Format.CLASS_TAG) {
        classes.add(ClassPlan.of(in.classEntry(), declared, shapes));
      } else if (objects.size() == candidates.size()) {
        throw in.damaged(
            "object %s has no reference to it, limit=%s".formatted(objects.size(), objects.size()));
      } else {
        ClassPlan plan = classes.get(tag - 1);
        if (objects.isEmpty()) {
          requireRoot(plan);
        }
        objects.add(object(plan));
      }
    }
    if (objects.size() != candidates.size()) {
      throw in.damaged(
          "objects of root %s=%s, expected: %s"
              .formatted(in.root(), objects.size(), candidates.size()));
    }
  }

  private void requireRoot(ClassPlan plan) {
    Object root = candidates.getFirst();
    if (plan.shape() == null || root == null || plan.shape().type() != root.getClass()) {
      throw new IllegalArgumentException(
          "it was stored as %s, the task is of %s; register the class that was stored, or under another name"
              .formatted(plan.entry().name(), root == null ? "null" : root.getClass().getName()));
    }
  }

  private Object object(ClassPlan plan) throws IOException {
    return switch (plan.entry().kind()) {
      case STABLE -> stable(plan);
      case RECORD -> record(plan);
      case ENUM -> constant(plan);
      case BOX -> box(plan);
      case STRING -> string();
      case ARRAY -> array(plan);
    };
  }

  /** Takes a reference; what it names first gets a candidate. Returns its number, or -1. */
  private int reference(@Nullable Object candidate) throws IOException {
    int code = in.varint("reference", candidates.size() + 1);
    if (code == Format.NULL) {
      return -1;
    }
    if (code == Format.NEXT) {
      if (candidates.size() == MAX_NUMBER) {
        throw in.damaged("objects=" + candidates.size() + ", limit=" + MAX_NUMBER);
      }
      candidates.add(candidate);
      return candidates.size() - 1;
    }
    return candidates.size() - 1 + Format.LAST - code;
  }

  private @Nullable Object takeCandidate(Class<?> type) {
    Object candidate = candidates.get(objects.size());
    return candidate != null && candidate.getClass() == type && inPlace.add(candidate)
        ? candidate
        : null;
  }

  private Object stable(ClassPlan plan) throws IOException {
    ClassShape shape = plan.shape();
    Object present = shape == null ? null : takeCandidate(shape.type());
    Object object;
    if (shape == null) {
      object = new Unknown(plan.entry().name());
    } else {
      object = present == null ? fresh(plan, shape) : present;
    }
    for (int i = 0; i < plan.targets().length; i++) {
      FieldEntry stored = plan.entry().fields().get(i);
      FieldAccess target = plan.targets()[i];
      boolean isFinal = target != null && Modifier.isFinal(target.field().getModifiers());
      if (stored.isPrimitive()) {
        long bits = in.primitive(stored.type());
        if (target != null && !isFinal) {
          target.set(object, bits);
        }
        continue;
      }
      Object there = target == null || present == null ? null : target.reference(present);
      int number = reference(there instanceof Undoable || isArray(there) ? there : null);
      if (target == null) {
        continue;
      }
      if (number >= 0) {
        fixes.add(new Fix(object, target, number));
      } else if (!isFinal) {
        target.set(object, null);
      }
    }
    return object;
  }

  private static boolean isArray(@Nullable Object object) {
    return object != null && object.getClass().isArray();
  }

  private static Object fresh(ClassPlan plan, ClassShape shape) {
    if (plan.maker() == null) {
      throw new IllegalArgumentException(
          ("an object of class %s cannot be made: releases make none, so it has no way to be made; "
                  + "let the task's constructor make as many as were stored")
              .formatted(shape.type().getName()));
    }
    return make(plan, (Object) null);
  }

  static Object make(ClassPlan plan, @Nullable Object... arguments) {
    if (plan.maker() == null) {
      throw new IllegalArgumentException(
          "class %s has no constructor that can be called; open its package to dev.takt.persist"
              .formatted(plan.entry().name()));
    }
    try {
      return plan.maker().newInstance(arguments);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "an object of class %s cannot be made of what was stored: %s"
              .formatted(plan.entry().name(), e.getCause() == null ? e : e.getCause()),
          e);
    }
  }

  private Object record(ClassPlan plan) throws IOException {
    int count = plan.targets().length;
    long[] bits = new long[count];
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      FieldEntry stored = plan.entry().fields().get(i);
      if (stored.isPrimitive()) {
        bits[i] = in.primitive(stored.type());
      } else {
        numbers[i] = reference(null);
      }
    }
    return plan.shape() == null
        ? new Unknown(plan.entry().name())
        : new Records.Pending(plan, bits, numbers);
  }

  private Object constant(ClassPlan plan) throws IOException {
    String name = in.utf8();
    ClassShape shape = plan.shape();
    if (shape == null) {
      return new Unknown(plan.entry().name());
    }
    for (Object constant : shape.type().getEnumConstants()) {
      if (((Enum<?>) constant).name().equals(name)) {
        return constant;
      }
    }
    throw new IllegalArgumentException(
        "enum %s has no constant %s any more; keep it for as long as it is stored"
            .formatted(plan.entry().name(), name));
  }

  private Object box(ClassPlan plan) throws IOException {
    ClassShape shape = plan.shape();
    if (shape == null) {
      throw in.damaged("class " + plan.entry().name() + " is no box");
    }
    return Boxes.box(shape.element(), in.primitive(shape.element()));
  }

  /** Takes the length of what follows in chunks, of which each element takes so many bytes. */
  private int length(String what, int elementBytes) throws IOException {
    return in.varint(what, (int) Math.min(MAX_NUMBER, in.left() / elementBytes));
  }

  /** Takes the length of the next chunk. */
  private int chunk(int rest, int limit) throws IOException {
    if (!in.hasNext()) {
      throw in.damaged("an array or string ends early: elements missing=" + rest);
    }
    int count = in.varint("elements of a chunk", Math.min(rest, limit));
    if (count == 0) {
      throw in.damaged("a chunk has no elements");
    }
    return count;
  }

  private String string() throws IOException {
    int length = length("length of a string", 1);
    StringBuilder text = new StringBuilder(length);
    while (text.length() < length) {
      int count = chunk(length - text.length(), Format.CHUNK_BYTES);
      int width = in.oneByte() == 0 ? 1 : 2;
      ByteBuffer bytes = in.bytes(count * width);
      for (int i = 0; i < count; i++) {
        text.append(width == 1 ? (char) Byte.toUnsignedInt(bytes.get()) : bytes.getChar());
      }
    }
    return text.toString();
  }

  private Object array(ClassPlan plan) throws IOException {
    ClassShape shape = plan.shape();
    if (shape == null) {
      if (!plan.entry().name().startsWith("[L") && !plan.entry().name().startsWith("[[")) {
        throw in.damaged("class " + plan.entry().name() + " is no array");
      }
      readReferences(null, length("length of an array", 1));
      return new Unknown(plan.entry().name());
    }
    boolean isReferences = shape.element() == 'L';
    int length = length("length of an array", isReferences ? 1 : shape.elementBytes());
    Object candidate = candidates.get(objects.size());
    Object array =
        isArray(candidate) && Array.getLength(candidate) == length
            ? takeCandidate(shape.type())
            : null;
    if (array == null) {
      array = Array.newInstance(shape.type().getComponentType(), length);
    }
    if (isReferences) {
      int[] numbers = readReferences((Object[]) array, length);
      arrayFixes.add(new ArrayFix((Object[]) array, numbers));
    } else {
      readPrimitives(array, length, shape.elementBytes());
    }
    return array;
  }

  private int[] readReferences(Object @Nullable [] present, int length) throws IOException {
    int[] numbers = new int[length];
    int done = 0;
    while (done < length) {
      int end = done + chunk(length - done, Format.CHUNK_REFERENCES);
      for (; done < end; done++) {
        Object there = present == null ? null : present[done];
        numbers[done] = reference(there instanceof Undoable || isArray(there) ? there : null);
      }
    }
    return numbers;
  }

  private void readPrimitives(Object array, int length, int elementBytes) throws IOException {
    int done = 0;
    while (done < length) {
      int count = chunk(length - done, Format.CHUNK_BYTES / elementBytes);
      Elements.copy(MemorySegment.ofBuffer(in.bytes(count * elementBytes)), array, done, count);
      done += count;
    }
  }

  // ---- fix-up

  private void fixUp() {
    for (ArrayFix fix : arrayFixes) {
      Object[] array = fix.array;
      for (int i = 0; i < array.length; i++) {
        Object value = fix.numbers[i] < 0 ? null : requireKnown(objects.get(fix.numbers[i]));
        if (value != null && !array.getClass().getComponentType().isInstance(value)) {
          throw new IllegalArgumentException(
              "element %s of an array of %s was stored as %s"
                  .formatted(
                      i, array.getClass().getComponentType().getTypeName(), describe(value)));
        }
        array[i] = value;
      }
    }
    for (Fix fix : fixes) {
      fixUp(fix, objects.get(fix.number));
    }
  }

  private static void fixUp(Fix fix, Object value) {
    FieldAccess field = fix.field;
    requireKnown(value);
    if (Modifier.isFinal(field.field().getModifiers())) {
      Object there = field.reference(fix.holder);
      if ((value instanceof Undoable || isArray(value)) && there != value) {
        throw new IllegalArgumentException(
            ("final field %s.%s was stored as %s, and the constructor has made %s; construct the "
                    + "task with the same sizes and classes as when it was stored")
                .formatted(
                    field.field().getDeclaringClass().getName(),
                    field.field().getName(),
                    describeSize(value),
                    describeSize(there)));
      }
    } else if (!field.field().getType().isInstance(value)) {
      throw new IllegalArgumentException(
          "field %s.%s of type %s was stored as %s; declare that class, or give the field another name"
              .formatted(
                  field.field().getDeclaringClass().getName(),
                  field.field().getName(),
                  field.field().getType().getTypeName(),
                  describe(value)));
    } else {
      field.set(fix.holder, value);
    }
  }

  private static String describeSize(@Nullable Object object) {
    return isArray(object)
        ? describe(object) + " of length " + Array.getLength(object)
        : describe(object);
  }
}
