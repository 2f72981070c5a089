package dev.takt.safety.classes;

import dev.takt.safety.JdkTable;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.FieldModel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which classes are reference-immutable (RefImm): no path of references that starts at an instance
 * ever changes.
 *
 * <p>The greatest fixpoint: a class is, if each of its instance fields, inherited and synthetic
 * ones included, is primitive, or final and of a type that is an array of primitives or
 * reference-immutable; and if all its subclasses are. Of an exception, the fields of the user's
 * classes count, so that one can be kept and thrown again. Elements of arrays of primitives may
 * change, and so may primitive fields: there are no references in them.
 */
public final class Immutability {
  private static final Set<String> AXIOMS = JdkTable.under("immutable");

  private final ClassWorld world;
  private final Map<String, Boolean> known = new HashMap<>();

  Immutability(ClassWorld world) {
    this.world = world;
  }

  public static boolean isAxiom(String name) {
    return AXIOMS.contains(name);
  }

  /** Returns whether all values of a type, by descriptor, are primitive or reference-immutable. */
  public boolean isImmutable(String descriptor) {
    if (descriptor.charAt(0) == '[') {
      return descriptor.length() == 2;
    }
    return descriptor.length() == 1 || isImmutableClass(ClassNames.inDescriptor(descriptor));
  }

  /** Returns whether all instances of a class, and of its subclasses, are reference-immutable. */
  public boolean isImmutableClass(String name) {
    Boolean answer = known.get(name);
    if (answer == null) {
      decide(name);
      answer = known.get(name);
    }
    return Boolean.TRUE.equals(answer);
  }

  /** Looks at all classes that the answer depends on, and takes away those that are not. */
  private void decide(String start) {
    Map<String, List<String>> dependants = new LinkedHashMap<>();
    Set<String> refuted = new HashSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(start));
    dependants.put(start, new ArrayList<>());
    while (!open.isEmpty()) {
      String name = open.remove();
      List<String> needs = new ArrayList<>();
      if (!look(name, needs)) {
        refuted.add(name);
        continue;
      }
      for (String need : needs) {
        Boolean answer = known.get(need);
        if (Boolean.FALSE.equals(answer)) {
          refuted.add(name);
        } else if (answer == null) {
          if (!dependants.containsKey(need)) {
            dependants.put(need, new ArrayList<>());
            open.add(need);
          }
          dependants.get(need).add(name);
        }
      }
    }
    Deque<String> work = new ArrayDeque<>(refuted);
    while (!work.isEmpty()) {
      for (String dependant : dependants.getOrDefault(work.remove(), List.of())) {
        if (refuted.add(dependant)) {
          work.add(dependant);
        }
      }
    }
    for (String name : dependants.keySet()) {
      known.put(name, !refuted.contains(name));
    }
  }

  /** Returns whether nothing about a class itself speaks against it; collects what it needs. */
  private boolean look(String name, List<String> needs) {
    ClassInfo info = world.info(name);
    if (info == null || info.is(ClassWorld.STABLE)) {
      return false;
    }
    boolean open = info.isInterface() || info.isAbstract();
    if (open && (!info.isUser() && !name.equals("java/lang/Record") || isFunctional(info))) {
      return false; // nobody knows all implementations
    }
    if (name.equals("java/lang/Object")) {
      return false;
    }
    if (!AXIOMS.contains(name) && !hasImmutableFields(info, needs)) {
      return false;
    }
    for (ClassInfo subtype : world.subtypes().of(name)) {
      if (subtype != info) {
        needs.add(subtype.name);
      }
    }
    return true;
  }

  /** Returns whether no field of a class is refuted by itself; collects the types of the fields. */
  private static boolean hasImmutableFields(ClassInfo info, List<String> needs) {
    boolean exception = info.is("java/lang/Throwable");
    for (ClassInfo type : info.chain()) {
      if (exception && type.isJdk() || AXIOMS.contains(type.name)) {
        break; // what an axiom says; message, cause and frames are the JDK's affair
      }
      for (FieldModel field : type.fields.values()) {
        int flags = field.flags().flagsMask();
        String descriptor = field.fieldType().stringValue();
        if ((flags & ClassFile.ACC_STATIC) != 0 || descriptor.length() == 1) {
          continue;
        }
        boolean array = descriptor.charAt(0) == '[';
        if ((flags & ClassFile.ACC_FINAL) == 0 || (array && descriptor.length() > 2)) {
          return false;
        }
        if (!array) {
          needs.add(ClassNames.inDescriptor(descriptor));
        }
      }
    }
    return true;
  }

  /** Returns whether lambdas, which can capture anything, may implement an interface. */
  private static boolean isFunctional(ClassInfo info) {
    if (!info.isInterface()
        || info.model.findAttribute(Attributes.permittedSubclasses()).isPresent()) {
      return false;
    }
    int open = 0;
    for (String name : info.supertypes()) {
      ClassInfo type = info.world.info(name);
      if (type != null && type.isInterface()) {
        for (MethodInfo method : type.methods.values()) {
          MethodInfo best = info.resolve(method.selector);
          open += method.isAbstract() && best == method ? 1 : 0;
        }
      }
    }
    return open == 1;
  }
}
