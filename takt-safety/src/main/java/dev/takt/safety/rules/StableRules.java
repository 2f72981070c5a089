package dev.takt.safety.rules;

import static dev.takt.safety.rules.FindingCollector.place;

import dev.takt.safety.Rule;
import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.ClassNames;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.Immutability;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.FieldModel;
import org.jspecify.annotations.Nullable;

/**
 * What the fields of a stable class may hold: R8, inherited ones R9, arrays R11, those of inner
 * classes R21, those of a type variable R23, capsules R24.
 */
final class StableRules {
  static final String CAPSULE = "dev/takt/space/Capsule";
  private static final String COLLECTIONS = "dev/takt/reflex/stable/";

  private final ClassWorld world;
  private final Immutability immutability;
  private final FindingCollector report;

  StableRules(ClassWorld world, FindingCollector report) {
    this.world = world;
    this.immutability = world.immutability();
    this.report = report;
  }

  /** Checks a class of the application, if it is stable. */
  void check(ClassInfo type) {
    if (type.isInterface() || !type.is(ClassWorld.STABLE)) {
      return;
    }
    boolean local = type.model.findAttribute(Attributes.enclosingMethod()).isPresent();
    if (local) {
      report.error(
          Rule.R21,
          place(type, null),
          null,
          "the class %s, a %s, is stable, but local or anonymous",
          type,
          supertype(type));
    }
    String task = type.is(ClassWorld.TASK) && !type.isAbstract() ? type.name : null;
    for (FieldModel field : type.fields.values()) {
      LocalFinding problem = check(type, field);
      if (problem != null && !(local && problem.rule() == Rule.R21)) {
        report.add(problem, place(type, field.fieldName().stringValue()), task);
      }
    }
    checkInherited(type);
  }

  /** Checks any class of the application: none may keep a capsule in a field. */
  void checkCapsules(ClassInfo type) {
    for (FieldModel field : type.fields.values()) {
      String descriptor = field.fieldType().stringValue();
      String element = descriptor.substring(descriptor.lastIndexOf('[') + 1);
      if (element.length() > 1 && world.isSubtype(ClassNames.inDescriptor(element), CAPSULE)) {
        String name = field.fieldName().stringValue();
        report.error(
            Rule.R24,
            place(type, name),
            null,
            "the field %s.%s of type %s would keep a capsule",
            type,
            name,
            ClassNames.type(descriptor));
      }
    }
  }

  /** Returns what makes a class stable, as the source names it. */
  private static String supertype(ClassInfo type) {
    ClassInfo above = type.superclass();
    if (above != null && above.is(ClassWorld.STABLE)) {
      return above.displayName();
    }
    for (String name : type.interfaces) {
      if (type.world.isSubtype(name, ClassWorld.STABLE)) {
        return ClassNames.display(name);
      }
    }
    return ClassNames.display(ClassWorld.STABLE);
  }

  /** The superclasses that are not stable themselves: a stable one answers for itself. */
  private void checkInherited(ClassInfo type) {
    for (ClassInfo above : type.chain()) {
      if (above == type) {
        continue;
      }
      if (above.is(ClassWorld.STABLE)) {
        return;
      }
      FieldModel field = worstField(above);
      if (field != null) {
        String name = field.fieldName().stringValue();
        report.error(
            Rule.R9,
            place(type, name),
            null,
            "the stable class %s inherits from %s the field %s of type %s, which %s",
            type,
            above,
            name,
            ClassNames.type(field.fieldType().stringValue()),
            (check(above, field) == null
                ? "changes, in a class that is not woven"
                : "a stable class may not have"));
        return;
      }
    }
  }

  /** Returns a field that a stable class may not inherit, or null. */
  private @Nullable FieldModel worstField(ClassInfo above) {
    for (FieldModel field : above.fields.values()) {
      if (check(above, field) != null) {
        return field;
      }
    }
    return above.fields.values().stream()
        .filter(field -> isUnsaved(above, field))
        .findFirst()
        .orElse(null);
  }

  /** A field that changes, of a superclass that nobody weaves. */
  private static boolean isUnsaved(ClassInfo above, FieldModel field) {
    return above.origin != ClassInfo.Origin.APPLICATION
        && !above.isEnum()
        && !above.name.equals("java/lang/Enum")
        && (field.flags().flagsMask() & (ClassFile.ACC_STATIC | ClassFile.ACC_FINAL)) == 0;
  }

  private @Nullable LocalFinding check(ClassInfo type, FieldModel field) {
    int flags = field.flags().flagsMask();
    String name = field.fieldName().stringValue();
    String descriptor = field.fieldType().stringValue();
    if ((flags & ClassFile.ACC_STATIC) != 0 || descriptor.length() == 1) {
      return null;
    }
    boolean synthetic = (flags & ClassFile.ACC_SYNTHETIC) != 0;
    String what =
        "the field " + type.displayName() + "." + name + " of type " + ClassNames.type(descriptor);
    if (synthetic && !isHarmlessCapture(descriptor)) {
      return LocalFinding.error(
          Rule.R21, 0, "%s keeps what the inner class has captured, which is not stable", what);
    }
    if (descriptor.charAt(0) == '[') {
      return array(type, flags, descriptor, what);
    }
    String fieldType = ClassNames.inDescriptor(descriptor);
    if (world.isSubtype(fieldType, ClassWorld.STABLE) || world.isSubtype(fieldType, CAPSULE)) {
      return null;
    }
    boolean isFinal = (flags & ClassFile.ACC_FINAL) != 0;
    boolean immutable = immutability.isImmutable(descriptor);
    if (isFinal && immutable) {
      return null;
    }
    if (isTypeVariable(field)) {
      return LocalFinding.error(
          Rule.R23, 0, "%s has a type variable as its type, whose bound is not stable", what);
    }
    return LocalFinding.error(
        Rule.R8,
        0,
        "%s is %s",
        what,
        immutable
            ? "reference-immutable, but not final"
            : "neither stable nor final and reference-immutable");
  }

  /** A stable object, or one of the JDK's immutable ones, which are never pooled. */
  private boolean isHarmlessCapture(String descriptor) {
    if (descriptor.charAt(0) == '[') {
      return false;
    }
    String type = ClassNames.inDescriptor(descriptor);
    ClassInfo info = world.info(type);
    return world.isSubtype(type, ClassWorld.STABLE)
        || info != null && (info.isJdk() || info.isEnum()) && immutability.isImmutableClass(type);
  }

  private static @Nullable LocalFinding array(
      ClassInfo type, int flags, String descriptor, String what) {
    boolean isPrivate = (flags & ClassFile.ACC_PRIVATE) != 0;
    if (isPrivate && (descriptor.length() == 2 || type.name.startsWith(COLLECTIONS))) {
      return null;
    }
    return LocalFinding.error(
        Rule.R11,
        0,
        "%s %s",
        what,
        descriptor.length() == 2 ? "is not private" : "holds references");
  }

  private static boolean isTypeVariable(FieldModel field) {
    return field
        .findAttribute(Attributes.signature())
        .map(signature -> signature.signature().stringValue().startsWith("T"))
        .orElse(false);
  }
}
