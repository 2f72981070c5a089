package dev.takt.persist.graph;

import dev.takt.persist.annotation.FormerName;
import dev.takt.persist.annotation.Persistent;
import dev.takt.reflex.woven.Undoable;
import dev.takt.reflex.woven.Woven;
import dev.takt.space.Stable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The classes that a program has declared to be stored with a root. A file can name others; none of
 * them is loaded or made.
 *
 * <p>Declared are the class of the root and what was named beside it; of a stable or persistent
 * class or record, the types of its fields, with what stands in their angle brackets; the classes
 * whose code the releases of a task run or whose instances they make, as the weaver has noted them;
 * what a sealed class permits; and what arrays consist of.
 *
 * <p><b>Thread rule:</b> any thread; what is declared never changes.
 */
public final class DeclaredClasses {
  private final Map<String, Class<?>> byName = new HashMap<>();
  private final Map<String, Class<?>> byFormerName = new HashMap<>();
  private final Set<Type> seen = new HashSet<>();
  private final ArrayDeque<Type> todo = new ArrayDeque<>();
  private volatile boolean isPrepared;

  /** Whether it is for plain roots: the barrier of plain threads does not see stable objects. */
  private final boolean isOfPlainRoots;

  private DeclaredClasses(boolean isOfPlainRoots) {
    this.isOfPlainRoots = isOfPlainRoots;
  }

  /**
   * Returns what is declared with the class of a root.
   *
   * @param root that of a task, or {@code Object[]} of plain roots
   * @param more other classes, such as subclasses that no field names
   */
  public static DeclaredClasses of(Class<?> root, Collection<Class<?>> more) {
    DeclaredClasses declared = new DeclaredClasses(root == Object[].class);
    declared.todo.add(root);
    declared.todo.add(Object[].class); // of which the roots of a plain program are one
    for (Class<?> each : more) {
      declared.todo.add(each);
    }
    while (!declared.todo.isEmpty()) {
      declared.add(declared.todo.remove());
    }
    return declared;
  }

  /** Returns whether instances of a class may be stored. */
  public boolean contains(Class<?> type) {
    return byName.get(type.getName()) == type || isPlain(type);
  }

  /** Returns how many bytes the descriptions of all records and enums take at most. */
  public long maxBytes() {
    long bytes = 0;
    for (Class<?> each : byName.values()) {
      ClassShape shape = each.isRecord() || each.isEnum() ? ClassShapes.of(each) : null;
      bytes += shape == null ? 0 : shape.entry().maxBytes();
    }
    return bytes;
  }

  /**
   * Returns the class that has a name, or had it formerly, or an array of such; null if none is
   * declared.
   */
  public @Nullable Class<?> find(String name) {
    Class<?> present = byName.get(name);
    if (present == null && name.startsWith("[") && name.endsWith(";")) {
      int component = name.indexOf('L') + 1;
      Class<?> type = byFormerName.get(name.substring(component, name.length() - 1));
      return type == null ? null : byName.get(name.substring(0, component) + type.getName() + ";");
    }
    return present == null ? byFormerName.get(name) : present;
  }

  private void addFormerNames(Class<?> type) {
    FormerName former = type.getDeclaredAnnotation(FormerName.class);
    for (String name : former == null ? new String[0] : former.value()) {
      Class<?> other = byFormerName.putIfAbsent(name, type);
      if (other != null && other != type) {
        throw new IllegalArgumentException(
            "classes %s and %s both have the former name %s; only one can be what was stored"
                .formatted(other.getName(), type.getName(), name));
      }
    }
  }

  /**
   * Finds out how their instances are stored, so that no increment of a cycle has to: that takes
   * milliseconds. What cannot be stored is told to who meets an instance.
   */
  public void prepare() {
    if (isPrepared) {
      return;
    }
    for (Class<?> type : byName.values()) {
      try {
        ClassShape shape = ClassShapes.of(type);
        if (shape != null && !shape.fields().isEmpty()) {
          shape.access().prepare();
        }
      } catch (IllegalArgumentException e) {
        // of a class without instances, perhaps
      }
    }
    isPrepared = true;
  }

  /** Returns whether a field of one of them can hold a collection that changes. */
  public boolean hasMutables() {
    return byName.values().stream().anyMatch(Mutables::isType);
  }

  /** Of the JDK are always declared: strings, boxes, values, collections, arrays. */
  private static boolean isPlain(Class<?> type) {
    return type == String.class
        || Boxes.typeOf(type) != 0
        || JdkValues.typeOf(type) != null
        || Immutables.typeOf(type) != null
        || Mutables.isType(type)
        || type.isArray() && type.getComponentType().isPrimitive();
  }

  private void add(Type type) {
    if (!seen.add(type)) {
      return;
    }
    // No switch: the JVM would generate the code of one over patterns at a program's start.
    if (type instanceof Class<?> c) {
      addClass(c);
    } else if (type instanceof ParameterizedType parameterized) {
      todo.add(parameterized.getRawType());
      addAll(parameterized.getActualTypeArguments());
    } else if (type instanceof GenericArrayType array) {
      todo.add(array.getGenericComponentType());
    } else if (type instanceof WildcardType wildcard) {
      addAll(wildcard.getUpperBounds());
    } else if (type instanceof TypeVariable<?> variable) {
      addAll(variable.getBounds());
    }
  }

  private void addAll(Type[] types) {
    for (Type each : types) {
      todo.add(each);
    }
  }

  private void addClass(Class<?> type) {
    if (isOfPlainRoots && Stable.class.isAssignableFrom(type)) {
      return;
    }
    byName.putIfAbsent(type.getName(), type);
    addFormerNames(type);
    if (type.isArray()) {
      todo.add(type.getComponentType());
    } else if (type.isRecord()) {
      for (RecordComponent component : type.getRecordComponents()) {
        todo.add(component.getType());
        todo.add(component.getGenericType());
      }
    } else if (Stable.class.isAssignableFrom(type)) {
      addStable(type);
    } else if (Undoable.class.isAssignableFrom(type) || isPersistent(type)) {
      requireWoven(type);
      addStable(type);
    }
    if (type.isSealed()) {
      addAll(type.getPermittedSubclasses());
    }
  }

  private static boolean isPersistent(Class<?> type) {
    return type.isAnnotationPresent(Persistent.class) && !type.isInterface() && !type.isEnum();
  }

  /** A subclass that is not woven would change its own fields past the barrier. */
  private static void requireWoven(Class<?> type) {
    Woven woven = type.getDeclaredAnnotation(Woven.class);
    if (woven == null || woven.abi() != Woven.ABI) {
      throw new IllegalArgumentException(
          "the persistent class %s is not woven (abi=%s, expected: %s); %s"
              .formatted(
                  type.getName(), woven == null ? "none" : woven.abi(), Woven.ABI, Woven.REMEDY));
    }
  }

  private void addStable(Class<?> type) {
    for (Field field : type.getDeclaredFields()) {
      if (ClassShapes.isStored(field)) {
        todo.add(field.getType());
        todo.add(field.getGenericType());
      }
    }
    if (type.getSuperclass() != null) {
      todo.add(type.getSuperclass());
    }
    Woven woven = type.getAnnotation(Woven.class);
    if (woven != null) {
      addAll(woven.stables());
      addNamed(type.getClassLoader(), woven.live());
      addNamed(type.getClassLoader(), woven.code());
    }
  }

  private void addNamed(@Nullable ClassLoader loader, String[] names) {
    for (String name : names) {
      try {
        todo.add(Class.forName(name, false, loader));
      } catch (ClassNotFoundException | LinkageError e) {
        throw new IllegalArgumentException(
            "class " + name + ", which the weaver has noted, cannot be loaded: " + e, e);
      }
    }
  }
}
