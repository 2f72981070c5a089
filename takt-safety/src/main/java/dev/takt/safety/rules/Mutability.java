package dev.takt.safety.rules;

import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.ClassNames;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.Immutability;
import dev.takt.safety.flow.Value;
import java.lang.classfile.ClassFile;
import java.lang.classfile.FieldModel;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which types can lead to numbers that change and that no rollback undoes: neither Takt's own nor
 * stable ones.
 */
final class Mutability {
  static final String ENUM = "java/lang/Enum";

  private final ClassWorld world;
  private final Map<String, Boolean> mutable = new HashMap<>();

  Mutability(ClassWorld world) {
    this.world = world;
  }

  /** Returns whether a value of a type can lead to numbers that change. */
  boolean isMutable(String descriptor) {
    if (descriptor.length() == 1 || descriptor.equals("null")) {
      return false;
    }
    Boolean known = mutable.get(descriptor);
    if (known == null) {
      known = descriptor.charAt(0) == '[' || isMutable(descriptor, new HashSet<>());
      mutable.put(descriptor, known);
    }
    return known;
  }

  private boolean isMutable(String descriptor, Set<String> seen) {
    if (descriptor.charAt(0) == '[') {
      return true;
    }
    String name = ClassNames.inDescriptor(descriptor);
    ClassInfo info = world.info(name);
    if (info == null || !seen.add(name) || Immutability.isAxiom(name)) {
      return false;
    }
    if (info.origin == ClassInfo.Origin.TAKT || info.is(ClassWorld.STABLE)) {
      return false;
    }
    if (info.isJdk()
        && (info.isInterface() || info.isAbstract() || descriptor.equals(Value.OBJECT))) {
      return true;
    }
    if (hasMutableFields(info, seen)) {
      return true;
    }
    return world.subtypes().of(name).stream().anyMatch(subtype -> hasMutableFields(subtype, seen));
  }

  private boolean hasMutableFields(ClassInfo info, Set<String> seen) {
    boolean exception = info.is("java/lang/Throwable");
    for (ClassInfo type : info.chain()) {
      if (Immutability.isAxiom(type.name)) {
        return false;
      }
      if (exception && type.isJdk()) {
        return true; // its cause, its frames, what it has suppressed
      }
      for (FieldModel field : type.fields.values()) {
        int flags = field.flags().flagsMask();
        String descriptor = field.fieldType().stringValue();
        if ((flags & ClassFile.ACC_STATIC) == 0
            && (descriptor.length() > 1
                ? isMutable(descriptor, seen)
                : (flags & ClassFile.ACC_FINAL) == 0 && !type.name.equals(ENUM))) {
          return true;
        }
      }
    }
    return false;
  }
}
