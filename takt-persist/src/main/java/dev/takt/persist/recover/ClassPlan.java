package dev.takt.persist.recover;

import dev.takt.persist.format.ClassEntry;
import dev.takt.persist.format.ClassEntry.FieldEntry;
import dev.takt.persist.graph.ClassShape;
import dev.takt.persist.graph.ClassShapes;
import dev.takt.persist.graph.DeclaredClasses;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A class of a file, and what this program has for it.
 *
 * @param entry as the file describes it
 * @param shape as it is here; null if no such class is declared
 * @param targets for each field of the entry the number of the field here, or -1 if there is none
 *     any more
 * @param isPartial whether what is in a new object before matters: there are fields here that the
 *     file does not have, or references in final ones
 */
record ClassPlan(ClassEntry entry, @Nullable ClassShape shape, int[] targets, boolean isPartial) {

  /**
   * Finds the class.
   *
   * @throws IllegalArgumentException if it has become something else
   */
  static ClassPlan of(ClassEntry entry, DeclaredClasses declared) {
    Class<?> type = find(entry, declared);
    int[] targets = new int[entry.fields().size()];
    Arrays.fill(targets, -1);
    ClassShape shape = type == null ? null : ClassShapes.of(type);
    if (shape == null) {
      return new ClassPlan(entry, null, targets, false);
    }
    if (shape.kind() != entry.kind()) {
      throw new IllegalArgumentException(
          "class %s was stored as %s, it is %s now; give it another name, or recover it as what it was"
              .formatted(entry.name(), entry.kind(), shape.kind()));
    }
    BitSet found = new BitSet();
    boolean isPartial = false;
    for (int i = 0; i < targets.length; i++) {
      targets[i] = target(entry, entry.fields().get(i), shape);
      if (targets[i] >= 0) {
        found.set(targets[i]);
        isPartial |= shape.fields().get(targets[i]).isFinal();
      }
    }
    isPartial |= found.cardinality() < shape.fields().size();
    return new ClassPlan(entry, shape, targets, isPartial);
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

  private static int target(ClassEntry entry, FieldEntry stored, ClassShape shape) {
    for (int i = 0; i < shape.fields().size(); i++) {
      FieldEntry here = shape.entry().fields().get(i);
      if (here.name().equals(stored.name()) && here.above() == stored.above()) {
        if (here.type() != stored.type()) {
          throw new IllegalArgumentException(
              "field %s.%s was stored with type %s, it has type %s now; give it another name, and read the old one never or once"
                  .formatted(entry.name(), stored.name(), stored.type(), here.type()));
        }
        return i;
      }
    }
    return -1;
  }
}
