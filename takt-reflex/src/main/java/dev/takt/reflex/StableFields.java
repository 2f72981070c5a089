package dev.takt.reflex;

import dev.takt.reflex.memory.FieldLookups;
import dev.takt.reflex.memory.Saved;
import dev.takt.space.Handle;
import dev.takt.space.Stable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one task, saved before a release and put back when it is undone.
 *
 * <p>Purpose: in tests and IDE runs ({@link RuntimeSettings#DEVELOPMENT}) tasks run without being
 * woven: no store is seen. So everything that a task may change is copied before each release, and
 * a task with a field that cannot be copied cheaply and completely is refused at registration.
 *
 * <table>
 *   <caption>What happens to a field</caption>
 *   <tr><th>field</th><th>treatment</th></tr>
 *   <tr><td>static, or {@code transient}</td><td>none: not the state of a task</td></tr>
 *   <tr><td>primitive, immutable object or {@link Handle}</td><td>the value is saved, unless final</td></tr>
 *   <tr><td>primitive array</td><td>the elements are saved, and the reference unless final</td></tr>
 *   <tr><td>final reference to a {@link Stable} object</td><td>the fields of that object are treated likewise</td></tr>
 *   <tr><td>anything else</td><td>the task is refused</td></tr>
 * </table>
 *
 * <p><b>Thread rule:</b> for the thread that runs the task.
 *
 * <p><b>Memory:</b> saving and restoring allocates nothing, except when an array field has been
 * given an array of another length.
 */
final class StableFields {
  /**
   * How many objects can hang together in the fields of one task; each costs about 3 ns a release.
   */
  static final int MAX_OBJECTS = 1_000;

  private static final Set<Class<?>> IMMUTABLE =
      Set.of(
          String.class,
          Boolean.class,
          Byte.class,
          Short.class,
          Character.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          BigInteger.class,
          BigDecimal.class,
          Handle.class);

  private final Object[] objects;
  private final FieldImage[] images;
  private final ArrayImage[] arrays;

  private StableFields(List<Object> objects, List<FieldImage> images, List<ArrayImage> arrays) {
    this.objects = objects.toArray();
    this.images = images.toArray(FieldImage[]::new);
    this.arrays = arrays.toArray(ArrayImage[]::new);
  }

  /** Copies all fields. */
  void save() {
    FieldImage[] images = this.images;
    for (int i = 0; i < images.length; i++) {
      images[i].save(objects[i]);
    }
    for (ArrayImage array : arrays) {
      array.save();
    }
  }

  /** Puts all fields back as they were at the last {@link #save}; may be called again. */
  void restore() {
    FieldImage[] images = this.images;
    for (int i = 0; i < images.length; i++) {
      images[i].restore(objects[i]);
    }
    for (ArrayImage array : arrays) {
      array.restore();
    }
  }

  /** What is known of a class, for all its instances. */
  private record ClassPlan(
      @Nullable MethodHandle newImage, List<MethodHandle> nested, List<ArrayPlan> arrays) {}

  private record ArrayPlan(Field field, MethodHandle getter, boolean isFinal) {}

  /**
   * Makes the plans, and keeps those of classes seen before.
   *
   * <p><b>Thread rule:</b> one thread at a time.
   */
  static final class Planner {
    private final Map<Class<?>, ClassPlan> plans = new HashMap<>();
    private final int maxArrayBytes;

    Planner(int maxArrayBytes) {
      this.maxArrayBytes = maxArrayBytes;
    }

    /**
     * Plans the fields of a task.
     *
     * @return the plan, or null when the task has nothing to save
     * @throws IllegalArgumentException if the task has a field that cannot be restored
     */
    @Nullable StableFields plan(String taskName, ReflexTask task) {
      List<Object> objects = new ArrayList<>();
      List<FieldImage> images = new ArrayList<>();
      List<ArrayImage> arrays = new ArrayList<>();
      Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
      ArrayDeque<Object> todo = new ArrayDeque<>();
      seen.add(task);
      todo.add(task);
      while (!todo.isEmpty()) {
        Object object = todo.remove();
        ClassPlan plan = classPlan(taskName, object.getClass());
        if (plan.newImage != null) {
          objects.add(object);
          images.add(newImage(plan));
        }
        for (ArrayPlan array : plan.arrays) {
          arrays.add(new ArrayImage(taskName, array, object, maxArrayBytes));
        }
        for (MethodHandle getter : plan.nested) {
          Object next = FieldLookups.get(getter, object);
          // What is woven is undone by the log.
          if (next != null && !(next instanceof Saved) && seen.add(next)) {
            todo.add(next);
          }
        }
        if (seen.size() > MAX_OBJECTS) {
          throw new IllegalArgumentException(
              "task "
                  + taskName
                  + ": more than "
                  + MAX_OBJECTS
                  + " stable objects hang together in its fields; use"
                  + " primitive arrays, or make fields transient that are scratch");
        }
      }
      checkArrayBytes(taskName, arrays);
      return images.isEmpty() && arrays.isEmpty()
          ? null
          : new StableFields(objects, images, arrays);
    }

    private void checkArrayBytes(String taskName, List<ArrayImage> arrays) {
      long bytes = 0;
      for (ArrayImage array : arrays) {
        bytes += array.bytes();
      }
      if (bytes > maxArrayBytes) {
        throw arraysTooLarge(taskName, bytes, maxArrayBytes);
      }
    }

    private ClassPlan classPlan(String taskName, Class<?> type) {
      ClassPlan plan = plans.get(type);
      if (plan == null) {
        plan = newClassPlan(taskName, type);
        plans.put(type, plan);
      }
      return plan;
    }
  }

  private static ClassPlan newClassPlan(String taskName, Class<?> type) {
    List<Field> saved = new ArrayList<>();
    List<MethodHandles.Lookup> lookups = new ArrayList<>();
    List<MethodHandle> nested = new ArrayList<>();
    List<ArrayPlan> arrays = new ArrayList<>();
    for (Class<?> c = type; c != ReflexTask.class && c != Object.class; c = c.getSuperclass()) {
      MethodHandles.Lookup lookup = null;
      for (Field field : c.getDeclaredFields()) {
        int modifiers = field.getModifiers();
        boolean isFinal = Modifier.isFinal(modifiers);
        Class<?> fieldType = field.getType();
        if (Modifier.isStatic(modifiers)
            || Modifier.isTransient(modifiers)
            || isFinal && isImmutable(fieldType)) {
          continue;
        }
        lookup = lookup == null ? FieldLookups.privateLookup(taskName, field) : lookup;
        boolean isArray = fieldType.isArray() && fieldType.getComponentType().isPrimitive();
        if (isArray) {
          arrays.add(new ArrayPlan(field, FieldLookups.getter(lookup, field), isFinal));
        } else if (!isImmutable(fieldType)) {
          checkNested(taskName, field);
          nested.add(FieldLookups.getter(lookup, field));
        }
        if (!isFinal) {
          saved.add(field);
          lookups.add(lookup);
        }
      }
    }
    return new ClassPlan(
        saved.isEmpty() ? null : FieldImage.generate(saved, lookups), nested, arrays);
  }

  private static void checkNested(String taskName, Field field) {
    Class<?> type = field.getType();
    boolean isStable =
        Stable.class.isAssignableFrom(type) && !ReflexTask.class.isAssignableFrom(type);
    if (isStable && Modifier.isFinal(field.getModifiers())) {
      return;
    }
    String remedy;
    if (isStable) {
      remedy = "make it final, so that the runtime knows the object whose fields it has to restore";
    } else if (field.isSynthetic()) {
      remedy = "make the class static or top-level and pass what it needs to its constructor";
    } else {
      remedy =
          "make it transient if it is scratch or shared on purpose; otherwise use primitives, primitive arrays, strings,"
              + " enums, records of these, or final references to Stable objects made of them";
    }
    throw new IllegalArgumentException(
        "task "
            + taskName
            + ": field "
            + FieldLookups.describe(field)
            + " of type "
            + type.getTypeName()
            + " cannot be restored when a release is undone; "
            + remedy);
  }

  private static boolean isImmutable(Class<?> type) {
    return isImmutable(type, 0);
  }

  private static boolean isImmutable(Class<?> type, int depth) {
    if (type.isPrimitive() || IMMUTABLE.contains(type) || type.isEnum()) {
      return true;
    }
    // A record that contains itself ends at some depth with a null; eight levels are enough for
    // data.
    if (!type.isRecord() || depth == 8) {
      return false;
    }
    for (RecordComponent component : type.getRecordComponents()) {
      if (component.getType() != type && !isImmutable(component.getType(), depth + 1)) {
        return false;
      }
    }
    return true;
  }

  @SuppressWarnings("NullAway") // asked for only if the class has fields to save
  private static FieldImage newImage(ClassPlan plan) {
    try {
      return (FieldImage) plan.newImage.invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException("cannot make a field image", e);
    }
  }

  private static RuntimeException arraysTooLarge(String taskName, long bytes, int limit) {
    return new IllegalArgumentException(
        "task "
            + taskName
            + ": its array fields hold "
            + bytes
            + " bytes, limit="
            + limit
            + "; raise RuntimeSettings.maxStableArrayBytes, or make arrays transient that are scratch");
  }

  /** The elements of the array in one field. */
  private static final class ArrayImage {
    private final String taskName;
    private final MethodHandle getter;
    private final Object owner;
    private final int maxBytes;
    private final int elementBytes;
    private final boolean isFinal;
    private Object array;
    private Object copy;
    private int length;

    ArrayImage(String taskName, ArrayPlan plan, Object owner, int maxBytes) {
      this.taskName = taskName;
      this.getter = plan.getter;
      this.owner = owner;
      this.maxBytes = maxBytes;
      this.isFinal = plan.isFinal;
      this.elementBytes = elementBytes(plan.field.getType().getComponentType());
      adopt(FieldLookups.get(getter, owner));
    }

    long bytes() {
      return array == null ? 0 : (long) length * elementBytes;
    }

    void save() {
      if (!isFinal) {
        Object now = FieldLookups.get(getter, owner);
        if (now != array) {
          adopt(now);
        }
        if (bytes() > maxBytes) {
          throw arraysTooLarge(taskName, bytes(), maxBytes);
        }
      }
      if (array != null) {
        System.arraycopy(array, 0, copy, 0, length);
      }
    }

    void restore() {
      if (array != null) {
        System.arraycopy(copy, 0, array, 0, length);
      }
    }

    private void adopt(Object now) {
      array = now;
      length = now == null ? 0 : Array.getLength(now);
      boolean fits = copy != null && Array.getLength(copy) == length;
      if (now != null && !fits && bytes() <= maxBytes) {
        copy = Array.newInstance(now.getClass().getComponentType(), length);
      }
    }

    private static int elementBytes(Class<?> type) {
      if (type == long.class || type == double.class) {
        return 8;
      }
      if (type == int.class || type == float.class) {
        return 4;
      }
      return type == short.class || type == char.class ? 2 : 1;
    }
  }
}
