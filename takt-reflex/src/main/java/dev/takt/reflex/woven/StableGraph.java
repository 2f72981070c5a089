package dev.takt.reflex.woven;

import dev.takt.space.Handle;
import dev.takt.space.Stable;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The stable objects that hang together in the fields of a task when it is registered, with their
 * arrays: how many there are, what they count, and how much of them a release can change.
 *
 * <p>Other objects in final fields (strings, records, what measures a task) are shared, immutable
 * or not the task's own: they do not count. They are followed to see that each is of a class that
 * the verifier knows, since it has followed the calls to those alone. Handles belong to the space.
 *
 * <p><b>Thread rule:</b> one thread at a time, before the task is released.
 *
 * <p><b>Memory:</b> while it lives, about 50 bytes an object.
 */
public final class StableGraph {
  /** What is known of a class, for all its instances. */
  private record Shape(
      int sizeBytes, int primitives, int references, int arrays, List<Field> leadingOn) {}

  /** What is known of classes that were seen before; one thread at a time. */
  public static final class Shapes {
    private final Map<Class<?>, Shape> known = new HashMap<>();

    /** Makes it without knowledge. */
    public Shapes() {}
  }

  private static final String GENERATED = "$takt$";

  private final String task;
  private final Map<Class<?>, Shape> shapes;
  private final Predicate<Class<?>> known;
  private final Set<Object> shared = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Object> objects = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Object> seenArrays = Collections.newSetFromMap(new IdentityHashMap<>());
  private final ArrayDeque<Object> todo = new ArrayDeque<>();
  private long sizeBytes;
  private int primitives;
  private int references;
  private int arrays;

  /**
   * Looks at all stable objects of a task.
   *
   * @param shapes what is known of classes, and is added to
   * @param task the name of the task, for messages
   * @param root the task
   * @param known whether the verifier has seen a class outside of the JDK with the task
   * @throws IllegalArgumentException if an object is of a class that the verifier has not seen, a
   *     stable one of a class that is not woven, or the fields of a class are not accessible
   */
  public StableGraph(Shapes shapes, String task, Object root, Predicate<Class<?>> known) {
    this.shapes = shapes.known;
    this.task = task;
    this.known = known;
    objects.add(root);
    todo.add(root);
    while (!todo.isEmpty()) {
      Object next = todo.remove();
      if (objects.contains(next)) {
        scan(next);
      } else {
        scanShared(next);
      }
    }
  }

  private void scan(Object object) {
    Shape shape = shape(object.getClass());
    sizeBytes += shape.sizeBytes;
    primitives += shape.primitives;
    references += shape.references;
    arrays += shape.arrays;
    for (Field field : shape.leadingOn) {
      Object value = get(field, object);
      if (value != null && value.getClass().isArray()) {
        scanArray(value);
      } else {
        follow(value);
      }
    }
  }

  /** What is immutable has no arrays but of primitives. */
  private void scanShared(Object object) {
    for (Field field : shape(object.getClass()).leadingOn) {
      Object value = get(field, object);
      if (value != null && !value.getClass().isArray()) {
        follow(value);
      }
    }
  }

  private void scanArray(Object array) {
    if (seenArrays.add(array)) {
      sizeBytes += Layout.arraySize(array.getClass().getComponentType(), Array.getLength(array));
      if (array instanceof Object[] elements) {
        for (Object element : elements) {
          follow(element);
        }
      }
    }
  }

  private void follow(@Nullable Object value) {
    if (value == null || value instanceof Handle || isJdk(value.getClass())) {
      return;
    }
    if (!(value instanceof Stable)) {
      if (shared.add(value)) {
        requireKnown(value.getClass());
        todo.add(value);
      }
      return;
    }
    if (!(value instanceof Undoable)) {
      throw new IllegalArgumentException(
          ("task %s: stable class %s is not woven, so its instances could not be "
                  + "restored when a release is undone; %s")
              .formatted(task, value.getClass().getName(), Woven.REMEDY));
    }
    requireKnown(value.getClass());
    if (objects.add(value)) {
      todo.add(value);
    }
  }

  private void requireKnown(Class<?> type) {
    if (!known.test(type)) {
      throw new IllegalArgumentException(
          ("task %s: rule R1: it holds an object of class %s, which was not there when "
                  + "the task was verified, or was another one; check and weave the program with "
                  + "the class path that it runs with")
              .formatted(task, type.getName()));
    }
  }

  /** What the JDK's own loaders define; a proxy of its making for others is none. */
  private static boolean isJdk(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null || loader == ClassLoader.getPlatformClassLoader();
  }

  private Shape shape(Class<?> type) {
    return shapes.computeIfAbsent(type, this::newShape);
  }

  private Shape newShape(Class<?> type) {
    int primitives = 0;
    int references = 0;
    int arrays = 0;
    List<Field> leadingOn = new ArrayList<>();
    for (Class<?> c = type; c != null && !isLibrary(c) && !isJdk(c); c = c.getSuperclass()) {
      for (Field field : c.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) || field.getName().startsWith(GENERATED)) {
          continue;
        }
        boolean isFinal = Modifier.isFinal(field.getModifiers());
        if (field.getType().isPrimitive()) {
          primitives += isFinal ? 0 : 1;
          continue;
        }
        references += isFinal ? 0 : 1;
        arrays += field.getType().isArray() ? 1 : 0;
        if (mayLeadOn(field.getType())) {
          open(field);
          leadingOn.add(field);
        }
      }
    }
    return new Shape(Layout.sizeOf(type), primitives, references, arrays, List.copyOf(leadingOn));
  }

  private void open(Field field) {
    Class<?> owner = field.getDeclaringClass();
    if (!field.trySetAccessible()) {
      throw new IllegalArgumentException(
          ("task %s: field %s.%s is not accessible, so it cannot be checked; add 'opens "
                  + "%s to dev.takt.reflex;' to module %s")
              .formatted(
                  task,
                  owner.getName(),
                  field.getName(),
                  owner.getPackageName(),
                  owner.getModule().getName()));
    }
  }

  private static @Nullable Object get(Field field, Object object) {
    try {
      return field.get(object);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("cannot read " + field, e);
    }
  }

  /** The fields of the base class of all tasks are the runtime's. */
  private static boolean isLibrary(Class<?> type) {
    return type == Object.class || type.getName().equals("dev.takt.reflex.ReflexTask");
  }

  /** Only what leads to objects of the JDK and of no other class is skipped. */
  private static boolean mayLeadOn(Class<?> type) {
    return type.isArray()
        || Stable.class.isAssignableFrom(type)
        || !Modifier.isFinal(type.getModifiers())
        || !isJdk(type);
  }

  /** Returns the objects without their arrays, in no order. */
  public Set<Object> objects() {
    return objects;
  }

  /** Returns what all of them count. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /**
   * Reserves room in a log for all these objects, and for those of other classes of which a task
   * may make as many as a number of bytes allows.
   */
  void reserve(UndoLog log, List<Class<?>> classes, long restBytes) {
    long[] most = new long[4];
    for (Class<?> type : classes) {
      Shape shape = shape(type);
      long count = restBytes / shape.sizeBytes;
      most[0] = Math.max(most[0], count * shape.primitives);
      most[1] = Math.max(most[1], count * shape.references);
      most[2] = Math.max(most[2], count);
      most[3] = Math.max(most[3], count * shape.arrays);
    }
    log.reserve(
        bounded(primitives + most[0]),
        bounded(references + most[1]),
        bounded(objects.size() + most[2]),
        bounded(arrays + most[3]));
  }

  private static int bounded(long count) {
    return (int) Math.min(count, 1 << 27);
  }
}
