package dev.takt.persist.graph;

import dev.takt.persist.annotation.PersistentField;
import dev.takt.persist.format.ClassEntry;
import dev.takt.persist.format.ClassEntry.FieldEntry;
import dev.takt.persist.format.Format;
import dev.takt.persist.format.Kind;
import dev.takt.reflex.woven.StableLayout;
import dev.takt.reflex.woven.StableLayout.StableField;
import dev.takt.reflex.woven.Undoable;
import dev.takt.space.Handle;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the classes whose instances are stored: computed by reflection at the first
 * instance of a class, and kept for as long as the class.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class ClassShapes {
  private static final ClassValue<@Nullable ClassShape> SHAPES =
      new ClassValue<>() {
        @Override
        protected @Nullable ClassShape computeValue(Class<?> type) {
          return newShape(type);
        }
      };

  private ClassShapes() {}

  /**
   * Returns the shape of a class, or null if its instances cannot be stored.
   *
   * @throws IllegalArgumentException if the class has too many fields
   */
  public static @Nullable ClassShape of(Class<?> type) {
    return SHAPES.get(type);
  }

  private static @Nullable ClassShape newShape(Class<?> type) {
    char box = Boxes.typeOf(type);
    Class<?> value = JdkValues.typeOf(type);
    Class<?> immutable = Immutables.typeOf(type);
    if (immutable != null) {
      return simple(Kind.COLLECTION, immutable, 'L');
    } else if (Mutables.isType(type)) {
      return simple(Kind.MUTABLE, type, 'L');
    } else if (value != null) {
      return simple(Kind.VALUE, value, (char) 0);
    } else if (type == String.class) {
      return simple(Kind.STRING, type, 'C');
    } else if (box != 0) {
      return simple(Kind.BOX, type, box);
    } else if (type.isArray()) {
      Class<?> component = type.getComponentType();
      return simple(Kind.ARRAY, type, AccessCode.typeOf(component));
    } else if (type.isEnum()) {
      return simple(Kind.ENUM, type, (char) 0);
    } else if (Enum.class.isAssignableFrom(type)) {
      return of(type.getSuperclass()); // a constant with a body
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
    List<StoredField> fields = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      try {
        Field field = type.getDeclaredField(component.getName());
        add(0, field, StableLayout.FINAL, false, entries, fields);
      } catch (NoSuchFieldException e) {
        throw new IllegalStateException(e);
      }
    }
    return withFields(Kind.RECORD, type, entries, fields);
  }

  private static ClassShape stable(Class<? extends Undoable> type) {
    List<FieldEntry> entries = new ArrayList<>();
    List<StoredField> fields = new ArrayList<>();
    boolean isSetUp = ObjectAccess.ownConstructor(type) != null;
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
        add(above, field, each.index(), isSetUp, entries, fields);
      }
    }
    return withFields(Kind.STABLE, type, entries, fields);
  }

  /**
   * Handles belong to the space; they are made anew in {@code initialize()}. If a class says of
   * some fields that they are persistent, the others are not.
   */
  static boolean isStored(Field field) {
    return isStorable(field)
        && (field.isAnnotationPresent(PersistentField.class)
            || !namesFields(field.getDeclaringClass()));
  }

  private static boolean namesFields(Class<?> type) {
    for (Field each : type.getDeclaredFields()) {
      if (each.isAnnotationPresent(PersistentField.class)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isStorable(Field field) {
    return !Modifier.isTransient(field.getModifiers())
        && !Modifier.isStatic(field.getModifiers())
        && !field.isSynthetic()
        && !Handle.class.isAssignableFrom(field.getType());
  }

  private static ClassShape withFields(
      Kind kind, Class<?> type, List<FieldEntry> entries, List<StoredField> fields) {
    ClassEntry entry = new ClassEntry(kind, type.getName(), List.copyOf(entries));
    int maxBytes = 2 * Format.MAX_VARINT + Format.MAX_VARLONG * fields.size();
    if (Math.max(maxBytes, entry.maxBytes()) > Format.MIN_BLOCK_BYTES) {
      throw new IllegalArgumentException(
          ("class %s has too many fields to be stored: record=%s bytes, class=%s bytes, limit of"
                  + " both=%s; split it")
              .formatted(type.getName(), maxBytes, entry.maxBytes(), Format.MIN_BLOCK_BYTES));
    }
    return new ClassShape(type, entry, fields, (char) 0, maxBytes);
  }

  private static void add(
      int above,
      Field field,
      int saved,
      boolean isSetUp,
      List<FieldEntry> entries,
      List<StoredField> fields) {
    char type = AccessCode.typeOf(field.getType());
    entries.add(new FieldEntry(above, field.getName(), type));
    fields.add(new StoredField(field, type, saved, isSetUp));
  }
}
