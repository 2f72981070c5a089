package dev.takt.safety.rules;

import dev.takt.safety.JdkTable;
import dev.takt.safety.Rule;
import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.ClassNames;
import dev.takt.safety.classes.Immutability;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.flow.Op;
import java.lang.classfile.ClassFile;
import java.lang.classfile.FieldModel;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a task may read (R14) and write (R15) of static fields.
 *
 * <p>The JDK's own code has more freedom with its own constants: a task cannot get at them, and
 * what they can do wrong (lock, park, call natives) is found where they do it. They must not be
 * containers that could keep an object of a task, so their types are limited.
 */
final class StaticRules {
  private static final Set<String> JDK_CONSTANTS = JdkTable.under("constants");

  /** Classes that hold what the start of the JVM has set, in fields that are not final. */
  private static final Set<String> SET_AT_START =
      Set.of("jdk/internal/access/SharedSecrets", "java/lang/Integer$IntegerCache");

  private final Immutability immutability;
  private final StaticConstants constants;

  StaticRules(Immutability immutability) {
    this.immutability = immutability;
    this.constants = new StaticConstants(immutability);
  }

  /** Returns what is wrong with an access to a static field, or null. */
  @Nullable LocalFinding check(MethodInfo method, Op.StaticField field) {
    ClassInfo declaring = method.owner.world.declaring(field.owner(), field.name());
    FieldModel model = declaring == null ? null : declaring.fields.get(field.name());
    if (declaring == null || model == null) {
      return null; // missing: R1
    }
    if (declaring.origin == ClassInfo.Origin.TAKT) {
      return null;
    }
    int flags = model.flags().flagsMask();
    return field.write() ? write(method, declaring, field) : read(method, declaring, field, flags);
  }

  private static @Nullable LocalFinding write(
      MethodInfo method, ClassInfo declaring, Op.StaticField field) {
    String what = "writes the static field " + describe(declaring, field);
    if (field.descriptor().length() > 1) {
      return LocalFinding.error(Rule.R15, field.line(), "%s", what);
    }
    return method.owner.isJdk()
        ? null
        : LocalFinding.error(
            Rule.R15, field.line(), "%s, which all tasks share and no rollback undoes", what);
  }

  private @Nullable LocalFinding read(
      MethodInfo method, ClassInfo declaring, Op.StaticField field, int flags) {
    if (field.descriptor().length() == 1) {
      return null;
    }
    boolean isFinal = (flags & ClassFile.ACC_FINAL) != 0;
    if (isFinal && immutability.isImmutable(field.descriptor())
        || isValuesOfEnum(declaring, field, flags) && isImmutableEnum(declaring)
        || isFinal && declaring.isUser() && constants.isImmutable(declaring, field.name())
        || isFinal && isConstantOfEnum(declaring, field) && isImmutableEnum(declaring)
        || method.owner.isJdk() && declaring.isJdk() && isJdkConstant(declaring, field, isFinal)) {
      return null;
    }
    return LocalFinding.error(
        Rule.R14,
        field.line(),
        "reads the static field %s, which is not %s",
        describe(declaring, field),
        isFinal ? "reference-immutable" : "final");
  }

  /** Returns what is wrong with a method that looks a constant of an enum up by name, or null. */
  @Nullable LocalFinding checkLookUp(MethodInfo method) {
    ClassInfo owner = method.owner;
    if (!owner.isUser()
        || !owner.isEnum()
        || !method.isStatic()
        || !method.selector.equals("valueOf(Ljava/lang/String;)L" + owner.name + ";")
        || isImmutableEnum(owner)) {
      return null;
    }
    return LocalFinding.error(
        Rule.R14,
        method.code().firstLine(),
        "looks up constants of %s, which is not reference-immutable",
        owner);
  }

  private boolean isImmutableEnum(ClassInfo type) {
    return immutability.isImmutableClass(type.name) || constants.isImmutableEnum(type);
  }

  private static boolean isConstantOfEnum(ClassInfo declaring, Op.StaticField field) {
    return declaring.isUser()
        && declaring.isEnum()
        && field.descriptor().equals("L" + declaring.name + ";");
  }

  /** The constants of an enum: only its own code has the array, and it hands out copies. */
  private static boolean isValuesOfEnum(ClassInfo declaring, Op.StaticField field, int flags) {
    return declaring.isEnum()
        && (flags & ClassFile.ACC_SYNTHETIC) != 0
        && (flags & ClassFile.ACC_PRIVATE) != 0
        && field.descriptor().equals("[L" + declaring.name + ";");
  }

  private static boolean isJdkConstant(ClassInfo declaring, Op.StaticField field, boolean isFinal) {
    if (SET_AT_START.contains(declaring.name)) {
      return true;
    }
    if (!isFinal) {
      return false;
    }
    if (field.descriptor().charAt(0) == '[') {
      return true;
    }
    return JDK_CONSTANTS.stream().anyMatch(field.descriptor()::startsWith);
  }

  private static String describe(ClassInfo declaring, Op.StaticField field) {
    return "%s.%s of type %s"
        .formatted(declaring.displayName(), field.name(), ClassNames.type(field.descriptor()));
  }
}
