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
import java.util.HashSet;
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
 * <p><b>How.</b> Woven classes show their references themselves, by what saves them before a change
 * ({@link Undoable#$takt$save}), and their stamp marks those that were met. Reflection is left for
 * final fields, which are never saved, and for objects that are not stable. With reflection and a
 * table of identities for all, a million objects took seconds.
 *
 * <p><b>Why the stamp may be set.</b> Its number is of this walk alone, and less than that of each
 * cycle and attempt of the task that is to come. An object that has a stamp already may be of a
 * task whose cycle goes by it: such a one is refused before it is touched, if it is in {@link
 * Registered}.
 *
 * <p><b>Thread rule:</b> one thread at a time, before the task is released.
 *
 * <p><b>Memory:</b> a reference for each object, and about 50 bytes for each array and each object
 * that is not stable.
 */
public final class StableGraph {
  /**
   * What is known of a class, for all its instances.
   *
   * @param leadingOn the fields that can lead to other objects
   * @param unsaved those of them that a woven instance does not save
   */
  private record Shape(
      int sizeBytes,
      int primitives,
      int references,
      int arrays,
      List<Field> leadingOn,
      List<Field> unsaved) {}

  /**
   * What is known of the tasks of a runtime: classes that were seen, and who has which objects; one
   * thread at a time.
   *
   * <p><b>Memory:</b> a reference for each object; about 50 bytes more for each once a task comes
   * with an object that a task had before, maybe of another runtime.
   */
  public static final class Registered {
    private record Owned(String task, List<Object> objects) {}

    private final Map<Class<?>, Shape> shapes = new HashMap<>();
    private final List<Owned> all = new ArrayList<>();
    private @Nullable Map<Object, String> owners;

    /** Makes it without knowledge. */
    public Registered() {}

    /** Remembers the objects of a task, which no other one may have. */
    public void add(StableGraph graph) {
      Owned owned = new Owned(graph.task, graph.objects());
      all.add(owned);
      if (owners != null) {
        enter(owned, owners);
      }
    }

    private static void enter(Owned owned, Map<Object, String> owners) {
      for (Object each : owned.objects) {
        owners.put(each, owned.task);
      }
    }

    private @Nullable String owner(Object object) {
      Map<Object, String> owners = this.owners;
      if (owners == null) {
        owners = new IdentityHashMap<>();
        for (Owned each : all) {
          enter(each, owners);
        }
        this.owners = owners;
      }
      return owners.get(object);
    }
  }

  /** Receives the references of an object. */
  private final class References implements SaveSink {
    @Override
    public void saved(
        Undoable object,
        long[] primitives,
        int primitivesEnd,
        @Nullable Object[] references,
        int referencesEnd) {
      for (int i = 0; i < referencesEnd; i++) {
        followField(references[i]);
      }
    }

    @Override
    public void savedArray(Object array, Object copy, int length) {
      throw new IllegalStateException("an object saves no array by itself");
    }
  }

  private static final String GENERATED = "$takt$";

  private final Registered registered;
  private final String task;
  private final Predicate<Class<?>> known;
  private final Set<Class<?>> seenClasses = new HashSet<>();

  /** Takes what objects save, and its epoch marks those that were met. */
  private final TaskMemory walk;

  /** For how many values of an object it has room. */
  private int room = UndoLog.SPARE;

  private final List<Object> objects = new ArrayList<>();
  private final Set<Object> shared = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Object> seenArrays = Collections.newSetFromMap(new IdentityHashMap<>());
  private final ArrayDeque<Object> todo = new ArrayDeque<>();
  private long sizeBytes;
  private int primitives;
  private int references;
  private int arrays;

  /**
   * Looks at all stable objects of a task.
   *
   * @param registered the tasks that are there, none of which has one of these objects; its
   *     knowledge of classes is added to
   * @param task the name of the task, for messages
   * @param root the task
   * @param known whether the verifier has seen a class outside of the JDK with the task
   * @throws IllegalArgumentException if an object is of a class that the verifier has not seen, or
   *     belongs to another task, if a stable one is of a class that is not woven, or if the fields
   *     of a class are not accessible
   */
  public StableGraph(Registered registered, String task, Object root, Predicate<Class<?>> known) {
    this.registered = registered;
    this.task = task;
    this.known = known;
    this.walk = new TaskMemory(task, 0, 0);
    walk.sink(new References());
    if (root instanceof Undoable woven) {
      scanOnce(woven);
    } else {
      objects.add(root);
      count(root, shape(root.getClass()).leadingOn);
    }
    while (!todo.isEmpty()) {
      Object next = todo.removeLast(); // the last one, which the cache has
      if (next instanceof Stable) {
        scanOnce((Undoable) next);
      } else {
        scanShared(next);
      }
    }
  }

  private void scanOnce(Undoable object) {
    long stamp = object.$takt$stamp();
    if (stamp == walk.epoch) {
      return;
    }
    if (stamp != 0) {
      requireFree(object);
    }
    Shape shape = shape(object.getClass());
    int needed = Math.max(shape.primitives, shape.references);
    if (needed > room) {
      room = needed;
      walk.reserve(needed, needed, 0, 0);
    }
    walk.clear();
    object.$takt$save(walk);
    objects.add(object);
    count(object, shape.unsaved);
  }

  private void count(Object object, List<Field> fields) {
    Shape shape = shape(object.getClass());
    sizeBytes += shape.sizeBytes;
    primitives += shape.primitives;
    references += shape.references;
    arrays += shape.arrays;
    for (int i = 0; i < fields.size(); i++) {
      followField(get(fields.get(i), object));
    }
  }

  private void followField(@Nullable Object value) {
    if (value != null && value.getClass().isArray()) {
      scanArray(value);
    } else {
      follow(value);
    }
  }

  private void requireFree(Object object) {
    String owner = registered.owner(object);
    if (owner != null) {
      throw new IllegalArgumentException(
          ("task %s: an object of %s belongs to task %s already; give each task "
                  + "stable objects of its own, and let tasks share events")
              .formatted(task, object.getClass().getTypeName(), owner));
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
    if (value == null || value instanceof Handle) {
      return;
    }
    if (value instanceof Stable) {
      followStable(value);
    } else if (!isJdk(value.getClass()) && shared.add(value)) {
      requireKnown(value.getClass());
      todo.add(value);
    }
  }

  private void followStable(Object value) {
    if (!(value instanceof Undoable woven)) {
      throw new IllegalArgumentException(
          ("task %s: stable class %s is not woven, so its instances could not be "
                  + "restored when a release is undone; %s")
              .formatted(task, value.getClass().getName(), Woven.REMEDY));
    }
    if (woven.$takt$stamp() != walk.epoch) {
      requireKnown(value.getClass());
      todo.add(value);
    }
  }

  private void requireKnown(Class<?> type) {
    if (seenClasses.add(type) && !known.test(type)) {
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
    Shape shape = registered.shapes.get(type);
    if (shape == null) {
      shape = newShape(type);
      registered.shapes.put(type, shape);
    }
    return shape;
  }

  private Shape newShape(Class<?> type) {
    int primitives = 0;
    int references = 0;
    int arrays = 0;
    List<Field> leadingOn = new ArrayList<>();
    List<Field> unsaved = new ArrayList<>();
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
          if (isFinal || !isWoven(c)) {
            unsaved.add(field);
          }
        }
      }
    }
    return new Shape(Layout.sizeOf(type), primitives, references, arrays, leadingOn, unsaved);
  }

  private static boolean isWoven(Class<?> type) {
    return Undoable.class.isAssignableFrom(type) && type.isAnnotationPresent(Woven.class);
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
  public List<Object> objects() {
    return Collections.unmodifiableList(objects);
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
