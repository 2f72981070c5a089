package dev.takt.safety.rules;

import static dev.takt.safety.rules.FindingCollector.place;

import dev.takt.safety.Rule;
import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.ClassNames;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.reach.TaskEntries;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.FieldModel;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/** What a task class offers to others: public members (R16), signatures of atomic methods (R17). */
final class TaskRules {
  private final ClassWorld world;
  private final FindingCollector report;

  TaskRules(ClassWorld world, FindingCollector report) {
    this.world = world;
    this.report = report;
  }

  /** Checks a class of the application, if it is a task, abstract or not. */
  void check(ClassInfo type) {
    if (type.isInterface() || !type.is(ClassWorld.TASK)) {
      return;
    }
    for (FieldModel field : type.fields.values()) {
      int flags = field.flags().flagsMask();
      if ((flags & ClassFile.ACC_PUBLIC) != 0
          && (flags & (ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC)) == 0) {
        String name = field.fieldName().stringValue();
        report.error(
            Rule.R16, place(type, name), type.name, "the field %s.%s is public", type, name);
      }
    }
    for (MethodInfo method : type.methods.values()) {
      if (method.has(TaskEntries.ATOMIC)) {
        checkSignature(method);
      } else if (isOffered(method)) {
        int line = method.code().firstLine();
        report.error(
            Rule.R16,
            place(method, line),
            type.name,
            "the method %s.%s is public, but not annotated with @Atomic",
            type,
            ClassNames.method(method.name, method.descriptor));
      }
    }
  }

  /** Returns whether others could call a method that is not made for it. */
  private boolean isOffered(MethodInfo method) {
    if ((method.flags & ClassFile.ACC_PUBLIC) == 0
        || method.isStatic()
        || method.isConstructor()
        || (method.flags & ClassFile.ACC_SYNTHETIC) != 0) {
      return false;
    }
    ClassInfo task = world.info(ClassWorld.TASK);
    if (task != null && task.resolve(method.selector) != null) {
      return false;
    }
    // An overriding method is what the overridden one is: that one has the annotation, or a
    // finding.
    for (String above : method.owner.supertypes()) {
      ClassInfo info = world.info(above);
      MethodInfo overridden = info == null ? null : info.methods.get(method.selector);
      if (overridden != null && overridden != method && overridden.has(TaskEntries.ATOMIC)) {
        return false;
      }
    }
    return true;
  }

  private void checkSignature(MethodInfo method) {
    int line = method.code().firstLine();
    String name = ClassNames.of(method);
    MethodTypeDesc type = MethodTypeDesc.ofDescriptor(method.descriptor);
    for (int i = 0; i < type.parameterCount(); i++) {
      String descriptor = type.parameterType(i).descriptorString();
      if (!world.immutability().isImmutable(descriptor)) {
        report.error(
            Rule.R17,
            place(method, line),
            method.owner.name,
            "the atomic method %s has the parameter %s of type %s, which is neither primitive, an"
                + " array of primitives nor reference-immutable",
            name,
            parameterName(method, i),
            ClassNames.type(descriptor));
      }
    }
    ClassDesc result = type.returnType();
    if (result.isArray() || !isResult(result.descriptorString())) {
      report.error(
          Rule.R17,
          place(method, line),
          method.owner.name,
          "the atomic method %s returns %s, which is neither primitive nor reference-immutable in"
              + " all its fields",
          name,
          ClassNames.type(result.descriptorString()));
    }
  }

  /**
   * Returns whether a result may go to an ordinary thread: reference-immutable, and of the user's
   * classes, those without fields that change, which the task might share with it.
   */
  private boolean isResult(String descriptor) {
    if (!world.immutability().isImmutable(descriptor)) {
      return false;
    }
    if (descriptor.length() == 1) {
      return true;
    }
    for (ClassInfo type : world.subtypes().of(ClassNames.inDescriptor(descriptor))) {
      for (FieldModel field : type.fields.values()) {
        if ((field.flags().flagsMask() & (ClassFile.ACC_FINAL | ClassFile.ACC_STATIC)) == 0) {
          return false;
        }
      }
    }
    return true;
  }

  /** Returns the name of a parameter if the compiler has written it down, else its number. */
  static String parameterName(MethodInfo method, int index) {
    MethodTypeDesc type = MethodTypeDesc.ofDescriptor(method.descriptor);
    int slot = method.isStatic() ? 0 : 1;
    for (int i = 0; i < index; i++) {
      slot += TypeKind.from(type.parameterType(i)).slotSize();
    }
    int wanted = slot;
    return method
        .model
        .code()
        .flatMap(code -> code.findAttribute(Attributes.localVariableTable()))
        .flatMap(
            table ->
                table.localVariables().stream()
                    .filter(variable -> variable.slot() == wanted && variable.startPc() == 0)
                    .map(variable -> variable.name().stringValue())
                    .findFirst())
        .orElse("number " + (index + 1));
  }
}
