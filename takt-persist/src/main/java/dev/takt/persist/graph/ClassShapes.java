package dev.takt.persist.graph;

import dev.takt.persist.format.ClassEntry;
import dev.takt.persist.format.ClassEntry.FieldEntry;
import dev.takt.persist.format.Format;
import dev.takt.persist.format.Kind;
import dev.takt.reflex.woven.StableLayout;
import dev.takt.reflex.woven.StableLayout.StableField;
import dev.takt.reflex.woven.Undoable;
import dev.takt.space.Handle;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the classes whose instances are stored. Computed by reflection at the first
 * instance of a class; after that, none is used for writing.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
public final class ClassShapes {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final MethodType BITS = MethodType.methodType(long.class, Object.class);
  private static final MethodType REFERENCE = MethodType.methodType(Object.class, Object.class);
  private static final MethodHandle FLOAT_BITS =
      conversion(Float.class, "floatToRawIntBits", float.class, int.class);
  private static final MethodHandle DOUBLE_BITS =
      conversion(Double.class, "doubleToRawLongBits", double.class, long.class);
  private static final MethodHandle BOOLEAN_BITS =
      conversion(ClassShapes.class, "bits", boolean.class, long.class);

  private final Map<Class<?>, ClassShape> shapes = new HashMap<>();
  private @Nullable Class<?> lastType;
  private @Nullable ClassShape last;

  /** Makes it without knowledge. */
  public ClassShapes() {}

  private static MethodHandle conversion(Class<?> owner, String name, Class<?> from, Class<?> to) {
    try {
      return LOOKUP.findStatic(owner, name, MethodType.methodType(to, from));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static long bits(boolean value) {
    return value ? 1 : 0;
  }

  /**
   * Returns the shape of a class, or null if its instances cannot be stored.
   *
   * @throws IllegalArgumentException if the fields of the class are not accessible, or there are
   *     too many
   */
  public @Nullable ClassShape of(Class<?> type) {
    if (type == lastType) {
      return last;
    }
    ClassShape shape = shapes.get(type);
    if (shape == null) {
      shape = newShape(type);
      if (shape == null) {
        return null;
      }
      shapes.put(type, shape);
    }
    lastType = type;
    last = shape;
    return shape;
  }

  private static @Nullable ClassShape newShape(Class<?> type) {
    char box = Boxes.typeOf(type);
    if (type == String.class) {
      return simple(Kind.STRING, type, 'C');
    } else if (box != 0) {
      return simple(Kind.BOX, type, box);
    } else if (type.isArray()) {
      Class<?> component = type.getComponentType();
      return simple(
          Kind.ARRAY, type, component.isPrimitive() ? component.descriptorString().charAt(0) : 'L');
    } else if (type.isEnum()) {
      return simple(Kind.ENUM, type, (char) 0);
    } else if (Enum.class.isAssignableFrom(type)) {
      return newShape(type.getSuperclass()); // a constant with a body
    } else if (type.isRecord()) {
      return record(type);
    } else {
      return Undoable.class.isAssignableFrom(type) ? stable(type.asSubclass(Undoable.class)) : null;
    }
  }

  private static ClassShape simple(Kind kind, Class<?> type, char element) {
    ClassEntry entry = new ClassEntry(kind, type.getName(), List.of());
    return new ClassShape(type, entry, List.of(), element, 3 * Format.MAX_VARLONG);
  }

  private static ClassShape record(Class<?> type) {
    List<FieldEntry> entries = new ArrayList<>();
    List<FieldAccess> fields = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      try {
        Field field = type.getDeclaredField(component.getName());
        add(0, field, StableLayout.FINAL, entries, fields);
      } catch (NoSuchFieldException e) {
        throw new IllegalStateException(e);
      }
    }
    return withFields(Kind.RECORD, type, entries, fields);
  }

  private static ClassShape stable(Class<? extends Undoable> type) {
    List<FieldEntry> entries = new ArrayList<>();
    List<FieldAccess> fields = new ArrayList<>();
    for (StableField each : StableLayout.of(type).fields()) {
      Field field;
      try {
        field = each.owner().getDeclaredField(each.name());
      } catch (NoSuchFieldException e) {
        throw new IllegalStateException(e);
      }
      if (isStored(field)) {
        int above = 0;
        for (Class<?> c = type; c != each.owner(); c = c.getSuperclass()) {
          above++;
        }
        add(above, field, each.index(), entries, fields);
      }
    }
    return withFields(Kind.STABLE, type, entries, fields);
  }

  /** Handles belong to the space; they are made anew in {@code initialize()}. */
  static boolean isStored(Field field) {
    return !Modifier.isTransient(field.getModifiers())
        && !Modifier.isStatic(field.getModifiers())
        && !field.isSynthetic()
        && !Handle.class.isAssignableFrom(field.getType());
  }

  private static ClassShape withFields(
      Kind kind, Class<?> type, List<FieldEntry> entries, List<FieldAccess> fields) {
    ClassEntry entry = new ClassEntry(kind, type.getName(), List.copyOf(entries));
    int maxBytes = Format.MAX_VARINT + Format.MAX_VARLONG * fields.size();
    if (Math.max(maxBytes, entry.maxBytes()) > Format.MIN_BLOCK_BYTES) {
      throw new IllegalArgumentException(
          ("class %s has too many fields to be stored: record=%s bytes, class=%s bytes, limit of"
                  + " both=%s; split it")
              .formatted(type.getName(), maxBytes, entry.maxBytes(), Format.MIN_BLOCK_BYTES));
    }
    return new ClassShape(type, entry, List.copyOf(fields), (char) 0, maxBytes);
  }

  private static void add(
      int above, Field field, int saved, List<FieldEntry> entries, List<FieldAccess> fields) {
    if (!field.trySetAccessible()) {
      Class<?> owner = field.getDeclaringClass();
      throw new IllegalArgumentException(
          "field %s.%s is not accessible, so it cannot be stored; add 'opens %s to dev.takt.persist;' to module %s"
              .formatted(
                  owner.getName(),
                  field.getName(),
                  owner.getPackageName(),
                  owner.getModule().getName()));
    }
    char type = field.getType().isPrimitive() ? field.getType().descriptorString().charAt(0) : 'L';
    entries.add(new FieldEntry(above, field.getName(), type));
    fields.add(new FieldAccess(field, type, saved, getter(field, type)));
  }

  private static MethodHandle getter(Field field, char type) {
    try {
      MethodHandle plain = LOOKUP.unreflectGetter(field);
      return switch (type) {
        case 'L' -> plain.asType(REFERENCE);
        case 'Z' -> MethodHandles.filterReturnValue(plain, BOOLEAN_BITS).asType(BITS);
        case 'F' -> MethodHandles.filterReturnValue(plain, FLOAT_BITS).asType(BITS);
        case 'D' -> MethodHandles.filterReturnValue(plain, DOUBLE_BITS).asType(BITS);
        default -> plain.asType(BITS);
      };
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
