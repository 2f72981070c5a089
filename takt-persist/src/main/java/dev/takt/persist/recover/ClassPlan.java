package dev.takt.persist.recover;

import dev.takt.persist.format.ClassEntry;
import dev.takt.persist.format.ClassEntry.FieldEntry;
import dev.takt.persist.graph.ClassShape;
import dev.takt.persist.graph.ClassShapes;
import dev.takt.persist.graph.DeclaredClasses;
import dev.takt.persist.graph.FieldAccess;
import dev.takt.reflex.woven.ZeroedConstructorMarker;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import org.jspecify.annotations.Nullable;

/**
 * A class of a file, and what this program has for it.
 *
 * @param entry as the file describes it
 * @param shape as it is here; null if no such class is declared
 * @param targets for each field of the entry the field here, or null if there is none any more
 * @param maker of a record the canonical constructor; of a stable class the one that leaves all
 *     fields zero, or null if it has none
 */
record ClassPlan(
    ClassEntry entry,
    @Nullable ClassShape shape,
    @Nullable FieldAccess[] targets,
    @Nullable Constructor<?> maker) {

  /**
   * Finds the class.
   *
   * @throws IllegalArgumentException if it has become something else
   */
  static ClassPlan of(ClassEntry entry, DeclaredClasses declared, ClassShapes shapes) {
    Class<?> type = find(entry, declared);
    FieldAccess[] targets = new FieldAccess[entry.fields().size()];
    ClassShape shape = type == null ? null : shapes.of(type);
    if (shape == null) {
      return new ClassPlan(entry, null, targets, null);
    }
    if (shape.kind() != entry.kind()) {
      throw new IllegalArgumentException(
          "class %s was stored as %s, it is %s now; give it another name, or recover it as what it was"
              .formatted(entry.name(), entry.kind(), shape.kind()));
    }
    for (int i = 0; i < targets.length; i++) {
      targets[i] = target(entry, entry.fields().get(i), shape);
    }
    return new ClassPlan(entry, shape, targets, maker(shape));
  }

  private static @Nullable Class<?> find(ClassEntry entry, DeclaredClasses declared) {
    Class<?> type = declared.find(entry.name());
    if (type != null) {
      return type;
    }
    return switch (entry.kind()) {
      case STRING -> String.class;
      case BOX -> Plain.find(entry.name());
      case ARRAY -> Plain.find(entry.name());
      default -> null;
    };
  }

  /** What needs no declaration. */
  private static final class Plain {
    private static final Class<?>[] TYPES = {
      Boolean.class,
      Byte.class,
      Short.class,
      Character.class,
      Integer.class,
      Long.class,
      Float.class,
      Double.class,
      boolean[].class,
      byte[].class,
      short[].class,
      char[].class,
      int[].class,
      long[].class,
      float[].class,
      double[].class
    };

    static @Nullable Class<?> find(String name) {
      for (Class<?> type : TYPES) {
        if (type.getName().equals(name)) {
          return type;
        }
      }
      return null;
    }
  }

  private static @Nullable FieldAccess target(
      ClassEntry entry, FieldEntry stored, ClassShape shape) {
    for (int i = 0; i < shape.fields().size(); i++) {
      FieldEntry here = shape.entry().fields().get(i);
      if (here.name().equals(stored.name()) && here.above() == stored.above()) {
        if (here.type() != stored.type()) {
          throw new IllegalArgumentException(
              "field %s.%s was stored with type %s, it has type %s now; give it another name, and read the old one never or once"
                  .formatted(entry.name(), stored.name(), stored.type(), here.type()));
        }
        return shape.fields().get(i);
      }
    }
    return null;
  }

  private static @Nullable Constructor<?> maker(ClassShape shape) {
    Constructor<?> maker;
    try {
      switch (shape.kind()) {
        case STABLE -> maker = shape.type().getDeclaredConstructor(ZeroedConstructorMarker.class);
        case RECORD -> {
          RecordComponent[] components = shape.type().getRecordComponents();
          Class<?>[] types = new Class<?>[components.length];
          for (int i = 0; i < types.length; i++) {
            types[i] = components[i].getType();
          }
          maker = shape.type().getDeclaredConstructor(types);
        }
        default -> {
          return null;
        }
      }
    } catch (NoSuchMethodException e) {
      return null;
    }
    return Modifier.isAbstract(shape.type().getModifiers()) || !maker.trySetAccessible()
        ? null
        : maker;
  }
}
