package dev.takt.safety.weave;

import java.lang.classfile.AccessFlags;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;

/**
 * Makes an update of a method: its body moves to another one, which it calls between the entrance
 * of the gate and its exit. A monitor that the method takes is taken inside.
 */
final class UpdateWeaver {
  private final ClassModel model;
  private final ClassDesc self;

  UpdateWeaver(ClassModel model) {
    this.model = model;
    self = model.thisClass().asSymbol();
  }

  /** The flags of the method that gets the body. */
  static int bodyFlags(MethodModel method) {
    int kept = ClassFile.ACC_STATIC | ClassFile.ACC_SYNCHRONIZED;
    return method.flags().flagsMask() & kept | ClassFile.ACC_PRIVATE | ClassFile.ACC_SYNTHETIC;
  }

  void generateGuard(ClassBuilder to, MethodModel method) {
    to.withMethod(
        method.methodName().stringValue(),
        method.methodTypeSymbol(),
        method.flags().flagsMask() & ~ClassFile.ACC_SYNCHRONIZED,
        builder -> {
          method.forEach(
              element -> {
                if (!(element instanceof CodeModel) && !(element instanceof AccessFlags)) {
                  builder.with(element);
                }
              });
          builder.withCode(code -> guard(code, method));
        });
  }

  private void guard(CodeBuilder code, MethodModel method) {
    MethodTypeDesc type = method.methodTypeSymbol();
    enclose(code, TypeKind.from(type.returnType()), () -> call(code, method, type));
  }

  /** Writes a body between the entrance of the gate and its exit, and returns what it leaves. */
  static void enclose(CodeBuilder code, TypeKind result, Runnable body) {
    Label begin = code.newLabel();
    Label end = code.newLabel();
    Label failed = code.newLabel();
    int slot = code.allocateLocal(TypeKind.REFERENCE);
    Abi.UPDATE_ENTER.call(code);
    code.astore(slot);
    code.labelBinding(begin);
    body.run();
    code.labelBinding(end);
    code.aload(slot);
    Abi.UPDATE_EXIT.call(code);
    code.return_(result);
    code.labelBinding(failed);
    code.aload(slot);
    Abi.UPDATE_EXIT.call(code);
    code.athrow();
    code.exceptionCatchAll(begin, end, failed);
  }

  private void call(CodeBuilder code, MethodModel method, MethodTypeDesc type) {
    boolean isStatic = method.flags().has(AccessFlag.STATIC);
    int slot = 0;
    if (!isStatic) {
      code.aload(0);
      slot = 1;
    }
    for (ClassDesc parameter : type.parameterList()) {
      code.loadLocal(TypeKind.from(parameter), slot);
      slot += TypeKind.from(parameter).slotSize();
    }
    String body = method.methodName().stringValue() + Abi.BODY;
    boolean isInterface = model.flags().has(AccessFlag.INTERFACE);
    if (isStatic) {
      code.invokestatic(self, body, type, isInterface);
    } else {
      code.invokespecial(self, body, type, isInterface);
    }
  }
}
