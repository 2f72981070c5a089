package dev.takt.persist.recover;

import dev.takt.persist.annotation.FormerName;
import dev.takt.persist.format.ClassEntry;
import dev.takt.persist.format.ClassEntry.FieldEntry;
import dev.takt.persist.format.Kind;
import dev.takt.persist.graph.ClassShape;
import dev.takt.persist.graph.ClassShapes;
import dev.takt.persist.graph.DeclaredClasses;
import dev.takt.persist.graph.Immutables;
import dev.takt.persist.graph.JdkValues;
import dev.takt.persist.graph.Mutables;
import dev.takt.persist.graph.ObjectAccess;
import dev.takt.persist.graph.StoredField;
import java.lang.constant.ClassDesc;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A class of a file, and what this program has for it.
 *
 * @param entry as the file describes it
 * @param shape as it is here; null if no such class is declared, or it has become something else
 * @param misfit what it has become then; null: nothing
 * @param targets for each field of the entry the number of the field here, or -1 if there is none
 *     any more
 * @param isPartial whether what is in a new object before matters: there are fields here that the
 *     file does not have, or references in final ones
 * @param isWidened whether a primitive has another type here
 * @param isSame whether all fields are as here, in the same order, and none is final
 * @param makers if all is the same, for each field that is a reference, what makes that to which it
 *     refers, if its class is final and stable; else null
 */
public record ClassPlan(
    ClassEntry entry,
    @Nullable ClassShape shape,
    @Nullable String misfit,
    int[] targets,
    boolean isPartial,
    boolean isWidened,
    boolean isSame,
    @Nullable ObjectAccess[] makers) {
  private static final int NONE = 4;
  private static final @Nullable ObjectAccess[] NO_MAKERS = {};

  /**
   * Finds the class. One that is of another kind here is as one that is gone: it is refused where a
   * field that is there leads to it.
   *
   * @throws IllegalArgumentException if a field has become something else
   */
  public static ClassPlan of(ClassEntry entry, DeclaredClasses declared) {
    Class<?> type = find(entry, declared);
    int[] targets = new int[entry.fields().size()];
    Arrays.fill(targets, -1);
    ClassShape shape = type == null ? null : ClassShapes.of(type);
    if (shape == null || shape.kind() != entry.kind()) {
      String misfit = type == null ? null : misfit(entry, type, shape);
      return new ClassPlan(entry, null, misfit, targets, false, false, false, NO_MAKERS);
    }
    BitSet found = new BitSet();
    boolean isPartial = false;
    boolean isWidened = false;
    for (int i = 0; i < targets.length; i++) {
      int target = target(entry, entry.fields().get(i), shape);
      targets[i] = target;
      if (target >= 0) {
        StoredField here = shape.fields().get(target);
        if (found.get(target)) {
          throw new IllegalArgumentException(
              "two fields that class %s was stored with are field %s now, one of them %s; one field can be what one was"
                  .formatted(entry.name(), here.field().getName(), entry.fields().get(i).name()));
        }
        found.set(target);
        isPartial |= here.isFinal() || here.canBeLeft();
        isWidened |= here.type() != entry.fields().get(i).type();
      }
    }
    isPartial |= found.cardinality() < shape.fields().size();
    boolean isSame = !isPartial && entry.fields().equals(shape.entry().fields());
    @Nullable ObjectAccess[] makers = isSame ? makers(shape, declared) : NO_MAKERS;
    return new ClassPlan(entry, shape, null, targets, isPartial, isWidened, isSame, makers);
  }

  private static String misfit(ClassEntry entry, Class<?> type, @Nullable ClassShape shape) {
    String now = shape == null ? "nothing that can be stored" : shape.kind().toString();
    String name = entry.name().equals(type.getName()) ? "" : ", " + type.getName() + ",";
    return "class %s was stored as %s, it%s is %s now; give it another name, or recover it as what it was"
        .formatted(entry.name(), entry.kind(), name, now);
  }

  private static @Nullable ObjectAccess[] makers(ClassShape shape, DeclaredClasses declared) {
    @Nullable ObjectAccess[] makers = new ObjectAccess[shape.references()];
    int reference = 0;
    for (StoredField each : shape.fields()) {
      if (!each.isPrimitive()) {
        makers[reference++] = maker(each.field().getType(), declared);
      }
    }
    return makers;
  }

  private static @Nullable ObjectAccess maker(Class<?> type, DeclaredClasses declared) {
    ClassShape shape =
        Modifier.isFinal(type.getModifiers()) && declared.contains(type)
            ? ClassShapes.of(type)
            : null;
    return shape != null && shape.kind() == Kind.STABLE ? shape.access() : null;
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
      case VALUE -> JdkValues.find(entry.name());
      case COLLECTION -> Immutables.find(entry.name());
      case MUTABLE -> Mutables.find(entry.name());
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

  /**
   * Finds the field here: that of the same name and depth, or that which had this name, or if the
   * classes above have become others the only one of this name.
   */
  private static int target(ClassEntry entry, FieldEntry stored, ClassShape shape) {
    int found = -1;
    int rank = NONE;
    for (int i = 0; i < shape.fields().size(); i++) {
      int each = rank(stored, shape.entry().fields().get(i), shape.fields().get(i).field());
      if (each < rank) {
        rank = each;
        found = i;
      } else if (each == rank && each != NONE) {
        found = -1;
      }
    }
    if (found >= 0 && !fits(stored.type(), shape.fields().get(found).type())) {
      throw new IllegalArgumentException(
          "field %s.%s was stored as %s, it is of type %s now; give it another name, and what was stored is skipped, or the type from before"
              .formatted(
                  entry.name(),
                  stored.name(),
                  typeName(stored.type()),
                  shape.fields().get(found).field().getType().getTypeName()));
    }
    return found;
  }

  private static String typeName(char type) {
    return type == 'L' ? "a reference" : ClassDesc.ofDescriptor(String.valueOf(type)).displayName();
  }

  private static int rank(FieldEntry stored, FieldEntry here, Field field) {
    boolean isSame = here.name().equals(stored.name());
    if (isSame && here.above() == stored.above()) {
      return 0;
    }
    FormerName former = field.getAnnotation(FormerName.class);
    boolean wasSame = former != null && Arrays.asList(former.value()).contains(stored.name());
    if (wasSame) {
      return here.above() == stored.above() ? 1 : 3;
    }
    return isSame ? 2 : NONE;
  }

  /** Whether each value of one type is one of another type, too. */
  private static boolean fits(char stored, char here) {
    return stored == here
        || switch (stored) {
          case 'B' -> "SIJFD".indexOf(here) >= 0;
          case 'S' -> "IJFD".indexOf(here) >= 0;
          case 'C' -> "IJFD".indexOf(here) >= 0;
          case 'I' -> "JD".indexOf(here) >= 0;
          case 'F' -> here == 'D';
          default -> false;
        };
  }

  /** Returns the bits of a value as the field here has it, which is as wide or wider. */
  public long widened(int field, long bits) {
    char stored = entry.fields().get(field).type();
    if (!isWidened || shape == null || targets[field] < 0) {
      return bits;
    }
    char here = shape.fields().get(targets[field]).type();
    if (stored == here || here != 'D' && here != 'F') {
      return bits;
    }
    return here == 'F'
        ? Float.floatToRawIntBits(bits)
        : Double.doubleToRawLongBits(
            stored == 'F' ? (double) Float.intBitsToFloat((int) bits) : (double) bits);
  }

  /**
   * Returns the constant of an enum that has a name, or had it formerly.
   *
   * @throws IllegalArgumentException if there is none
   */
  public Object constant(String name) {
    Object found = constantOrNull(name);
    if (found == null) {
      throw new IllegalArgumentException(missing(entry.name(), name));
    }
    return found;
  }

  static String missing(String type, String constant) {
    return "enum %s has no constant %s any more; keep it for as long as it is stored, or name what it is now with @FormerName"
        .formatted(type, constant);
  }

  /** Does so; returns null if there is none. */
  @Nullable Object constantOrNull(String name) {
    Object formerly = null;
    for (Object each : Objects.requireNonNull(shape).type().getEnumConstants()) {
      Enum<?> constant = (Enum<?>) each;
      if (constant.name().equals(name)) {
        return constant;
      }
      formerly = formerly == null && hadName(constant, name) ? constant : formerly;
    }
    return formerly;
  }

  /**
   * Returns a value of the JDK.
   *
   * @throws IllegalArgumentException if its text is none of its class
   */
  Object value(String text) {
    return JdkValues.parse(Objects.requireNonNull(shape).type(), text);
  }

  private static boolean hadName(Enum<?> constant, String name) {
    try {
      FormerName former =
          constant
              .getDeclaringClass()
              .getDeclaredField(constant.name())
              .getAnnotation(FormerName.class);
      return former != null && Arrays.asList(former.value()).contains(name);
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException(e);
    }
  }
}
