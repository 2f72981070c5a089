package dev.takt.safety.weave;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds to a stable class what its barrier needs: the stamp, the setters, the methods that save and
 * restore its fields, and shadows for its arrays; and the number that a cycle of persistence gives.
 * A persistent class, whose objects plain threads change, gets the same but for the shadows, and
 * for each field a setter that is an update.
 */
final class BarrierWeaver {
  private static final int SYNTHETIC_FINAL = ClassFile.ACC_SYNTHETIC | ClassFile.ACC_FINAL;
  private static final int SYNTHETIC_PUBLIC = ClassFile.ACC_SYNTHETIC | ClassFile.ACC_PUBLIC;

  private final TypeTable types;
  private final ClassModel model;
  private final ClassDesc self;
  private final String name;

  /** The superclass if it has a barrier too. */
  private final @Nullable ClassDesc parent;

  /** Whether plain threads change the objects, and not tasks. */
  private final boolean isPlain;

  private final List<FieldModel> saved = new ArrayList<>();
  private final List<FieldModel> arrays = new ArrayList<>();

  BarrierWeaver(TypeTable types, WeavePlan plan, ClassModel model) {
    this.types = types;
    this.model = model;
    name = TypeTable.name(model);
    self = model.thisClass().asSymbol();
    isPlain = plan.isPersistent(name);
    String above = TypeTable.superName(model);
    parent = above != null && plan.isBarred(above) ? ClassDesc.ofInternalName(above) : null;
    for (FieldModel field : TypeTable.instanceFields(model)) {
      if (!field.flags().has(AccessFlag.FINAL)) {
        saved.add(field);
      }
      if (plan.guards().isGuarded(model, field)) {
        arrays.add(field);
      }
    }
  }

  /** Whether the class is the topmost of its hierarchy that has a barrier. */
  boolean isTop() {
    return parent == null;
  }

  List<FieldModel> arrays() {
    return arrays;
  }

  void generate(ClassBuilder to) {
    if (isTop()) {
      to.withField(Abi.STAMP, CD_long, SYNTHETIC_PUBLIC | ClassFile.ACC_TRANSIENT);
      to.withMethodBody(
          Abi.STAMP,
          Abi.MTD_STAMP,
          SYNTHETIC_PUBLIC | ClassFile.ACC_FINAL,
          code -> code.aload(0).getfield(self, Abi.STAMP, CD_long).lreturn());
      generateNumber(to);
      generateSave(to);
      generateRestore(to);
    }
    generatePush(to);
    generatePop(to);
    generateApply(to);
    for (FieldModel field : saved) {
      generateSetter(to, field);
      if (isPlain) {
        generateUpdater(to, field);
      }
    }
    for (FieldModel array : arrays) {
      int flags = ClassFile.ACC_PRIVATE | ClassFile.ACC_SYNTHETIC | ClassFile.ACC_TRANSIENT;
      String field = array.fieldName().stringValue();
      if (isPlain) {
        generatePlainWriter(to, array);
        continue;
      }
      to.withField(Abi.arrayStamp(field), CD_long, flags);
      to.withField(Abi.arrayShadow(field), array.fieldTypeSymbol(), flags);
      generateWriter(to, array);
      generateShade(to, array);
    }
  }

  /**
   * Writes the check that the JVM's verifier leaves out: that a value stored into a field of an
   * interface's type implements it (rule R10).
   */
  static void checkInterface(CodeBuilder code, ClassDesc type, TypeTable types) {
    if (type.isClassOrInterface() && types.isInterface(TypeTable.internalName(type))) {
      code.checkcast(type);
    }
  }

  private void generateNumber(ClassBuilder to) {
    int flags = SYNTHETIC_PUBLIC | ClassFile.ACC_FINAL;
    to.withField(Abi.NUMBER, CD_int, SYNTHETIC_PUBLIC | ClassFile.ACC_TRANSIENT);
    to.withMethodBody(
        Abi.NUMBER,
        Abi.MTD_NUMBER,
        flags,
        code -> code.aload(0).getfield(self, Abi.NUMBER, CD_int).ireturn());
    to.withMethodBody(
        Abi.NUMBER,
        Abi.MTD_SET_NUMBER,
        flags,
        code -> code.aload(0).iload(1).putfield(self, Abi.NUMBER, CD_int).return_());
  }

  private void generateSave(ClassBuilder to) {
    to.withMethodBody(
        Abi.SAVE,
        Abi.MTD_MEMORY,
        SYNTHETIC_PUBLIC | ClassFile.ACC_FINAL,
        code -> {
          code.aload(0).aload(1).invokevirtual(self, Abi.PUSH, Abi.MTD_MEMORY);
          code.aload(1).aload(0);
          Abi.SAVED.call(code);
          code.aload(0).aload(1).getfield(Abi.CD_MEMORY, Abi.EPOCH, CD_long);
          code.putfield(self, Abi.STAMP, CD_long).return_();
        });
  }

  private void generateRestore(ClassBuilder to) {
    to.withMethodBody(
        Abi.RESTORE,
        Abi.MTD_MEMORY,
        SYNTHETIC_PUBLIC | ClassFile.ACC_FINAL,
        code -> code.aload(0).aload(1).invokevirtual(self, Abi.POP, Abi.MTD_MEMORY).return_());
  }

  private void generatePush(ClassBuilder to) {
    to.withMethodBody(
        Abi.PUSH,
        Abi.MTD_MEMORY,
        SYNTHETIC_PUBLIC,
        code -> {
          if (parent != null) {
            code.aload(0).aload(1).invokespecial(parent, Abi.PUSH, Abi.MTD_MEMORY);
          }
          for (FieldModel field : saved) {
            code.aload(1).aload(0);
            code.getfield(self, field.fieldName().stringValue(), field.fieldTypeSymbol());
            Abi.save(kind(field)).call(code);
          }
          code.return_();
        });
  }

  private void generatePop(ClassBuilder to) {
    to.withMethodBody(
        Abi.POP,
        Abi.MTD_MEMORY,
        SYNTHETIC_PUBLIC,
        code -> {
          for (FieldModel field : saved.reversed()) {
            restore(code, field);
          }
          if (parent != null) {
            code.aload(0).aload(1).invokespecial(parent, Abi.POP, Abi.MTD_MEMORY);
          }
          code.return_();
        });
  }

  private void restore(CodeBuilder code, FieldModel field) {
    String name = field.fieldName().stringValue();
    ClassDesc type = field.fieldTypeSymbol();
    code.aload(0).aload(1);
    Abi.restore(kind(field)).call(code);
    if (kind(field) == TypeKind.REFERENCE) {
      code.checkcast(field.fieldTypeSymbol());
    }
    if (arrays.contains(field) && !isPlain) {
      Label same = code.newLabel();
      code.dup().aload(0).getfield(self, name, type).if_acmpeq(same);
      forgetShadow(code, field);
      code.labelBinding(same);
    }
    code.putfield(self, name, type);
  }

  private void generateApply(ClassBuilder to) {
    int depth = types.depth(name);
    to.withMethodBody(
        Abi.APPLY,
        Abi.MTD_APPLY,
        SYNTHETIC_PUBLIC,
        code -> {
          List<SwitchCase> cases = new ArrayList<>();
          for (int i = 0; i < saved.size(); i++) {
            cases.add(SwitchCase.of(depth << 16 | i, code.newLabel()));
          }
          Label otherwise = code.newLabel();
          code.iload(1).lookupswitch(otherwise, cases);
          for (int i = 0; i < saved.size(); i++) {
            FieldModel field = saved.get(i);
            code.labelBinding(cases.get(i).target()).aload(0);
            loadApplied(code, field);
            code.putfield(self, field.fieldName().stringValue(), field.fieldTypeSymbol()).return_();
          }
          code.labelBinding(otherwise);
          if (parent != null) {
            code.aload(0)
                .iload(1)
                .lload(2)
                .aload(4)
                .invokespecial(parent, Abi.APPLY, Abi.MTD_APPLY);
          }
          code.return_();
        });
  }

  private static void loadApplied(CodeBuilder code, FieldModel field) {
    switch (kind(field).asLoadable()) {
      case LONG -> code.lload(2);
      case DOUBLE ->
          code.lload(2)
              .invokestatic(
                  ConstantDescs.CD_Double,
                  "longBitsToDouble",
                  MethodTypeDesc.of(ConstantDescs.CD_double, CD_long));
      case FLOAT ->
          code.lload(2)
              .l2i()
              .invokestatic(
                  ConstantDescs.CD_Float,
                  "intBitsToFloat",
                  MethodTypeDesc.of(ConstantDescs.CD_float, CD_int));
      case REFERENCE -> code.aload(4).checkcast(field.fieldTypeSymbol());
      default -> code.lload(2).l2i();
    }
  }

  private void generateSetter(ClassBuilder to, FieldModel field) {
    ClassDesc type = field.fieldTypeSymbol();
    to.withMethodBody(
        Abi.setter(field.fieldName().stringValue(), name),
        MethodTypeDesc.of(CD_void, type),
        SYNTHETIC_FINAL | GeneratedAccess.of(field.flags().flagsMask(), model),
        code -> {
          Label store = code.newLabel();
          if (isPlain) {
            skipIfIdle(code, store);
            code.aload(0);
            Abi.PLAIN_SAVE.call(code);
          } else {
            int memory = code.allocateLocal(TypeKind.REFERENCE);
            Abi.CURRENT.call(code);
            code.dup().astore(memory).ifnull(store);
            code.aload(0).getfield(self, Abi.STAMP, CD_long);
            code.aload(memory).getfield(Abi.CD_MEMORY, Abi.EPOCH, CD_long);
            code.lcmp().ifeq(store);
            code.aload(0).aload(memory).invokevirtual(self, Abi.SAVE, Abi.MTD_MEMORY);
          }
          code.labelBinding(store);
          if (arrays.contains(field) && !isPlain) {
            forgetShadow(code, field);
          }
          code.aload(0).loadLocal(kind(field), 1);
          checkInterface(code, type, types);
          code.putfield(self, field.fieldName().stringValue(), type).return_();
        });
  }

  /**
   * The field gets another array: the log may still need the shadow of the one before, and the new
   * one has not been saved.
   */
  private void forgetShadow(CodeBuilder code, FieldModel array) {
    String field = array.fieldName().stringValue();
    code.aload(0).lconst_0().putfield(self, Abi.arrayStamp(field), CD_long);
    code.aload(0).aconst_null();
    code.putfield(self, Abi.arrayShadow(field), array.fieldTypeSymbol());
  }

  /** Goes to a label while no cycle stores objects of plain threads. */
  private static void skipIfIdle(CodeBuilder code, Label ifIdle) {
    code.getstatic(Abi.CD_PLAIN_BARRIER, Abi.EPOCH, CD_long).lconst_0().lcmp().ifeq(ifIdle);
  }

  /** A store outside of an update is one of its own. */
  private void generateUpdater(ClassBuilder to, FieldModel field) {
    String stored = field.fieldName().stringValue();
    MethodTypeDesc type = MethodTypeDesc.of(CD_void, field.fieldTypeSymbol());
    to.withMethodBody(
        Abi.updater(stored, name),
        type,
        SYNTHETIC_FINAL | GeneratedAccess.of(field.flags().flagsMask(), model),
        code ->
            UpdateWeaver.enclose(
                code,
                TypeKind.VOID,
                () ->
                    code.aload(0)
                        .loadLocal(kind(field), 1)
                        .invokevirtual(self, Abi.setter(stored, name), type)));
  }

  /** What no release has to restore needs no shadow: the cycle copies it. */
  private void generatePlainWriter(ClassBuilder to, FieldModel array) {
    String field = array.fieldName().stringValue();
    ClassDesc type = array.fieldTypeSymbol();
    to.withMethodBody(
        Abi.writer(field, name),
        MethodTypeDesc.of(type),
        SYNTHETIC_FINAL | GeneratedAccess.of(array.flags().flagsMask(), model),
        code -> {
          Label done = code.newLabel();
          int value = code.allocateLocal(TypeKind.REFERENCE);
          code.aload(0).getfield(self, field, type).astore(value);
          skipIfIdle(code, done);
          code.aload(value).ifnull(done).aload(value);
          (type.isArray() ? Abi.PLAIN_SAVE_ARRAY : Abi.PLAIN_SAVE_COLLECTION).call(code);
          code.labelBinding(done).aload(value).areturn();
        });
  }

  private void generateWriter(ClassBuilder to, FieldModel array) {
    String field = array.fieldName().stringValue();
    ClassDesc type = array.fieldTypeSymbol();
    to.withMethodBody(
        Abi.writer(field, name),
        MethodTypeDesc.of(type),
        SYNTHETIC_FINAL | GeneratedAccess.of(array.flags().flagsMask(), model),
        code -> {
          Label done = code.newLabel();
          int memory = code.allocateLocal(TypeKind.REFERENCE);
          int value = code.allocateLocal(TypeKind.REFERENCE);
          int shadow = code.allocateLocal(TypeKind.REFERENCE);
          code.aload(0).getfield(self, field, type).dup().astore(value).ifnull(done);
          Abi.CURRENT.call(code);
          code.dup().astore(memory).ifnull(done);
          code.aload(0).getfield(self, Abi.arrayStamp(field), CD_long);
          code.aload(memory).getfield(Abi.CD_MEMORY, Abi.EPOCH, CD_long).lcmp().ifeq(done);
          code.aload(value).aload(0).getfield(self, Abi.arrayShadow(field), type);
          Abi.SHADOW.call(code);
          code.checkcast(type).astore(shadow);
          code.aload(value).iconst_0().aload(shadow).iconst_0().aload(value).arraylength();
          code.invokestatic(ClassDesc.of("java.lang.System"), "arraycopy", ARRAYCOPY);
          code.aload(0).aload(shadow).putfield(self, Abi.arrayShadow(field), type);
          code.aload(memory).aload(value).aload(shadow).aload(value).arraylength();
          Abi.SAVE_ARRAY.call(code);
          code.aload(0).aload(memory).getfield(Abi.CD_MEMORY, Abi.EPOCH, CD_long);
          code.putfield(self, Abi.arrayStamp(field), CD_long);
          code.labelBinding(done).aload(value).areturn();
        });
  }

  private void generateShade(ClassBuilder to, FieldModel array) {
    String field = array.fieldName().stringValue();
    ClassDesc type = array.fieldTypeSymbol();
    to.withMethodBody(
        Abi.shade(field),
        ConstantDescs.MTD_void,
        SYNTHETIC_FINAL,
        code -> {
          Label done = code.newLabel();
          code.aload(0).getfield(self, field, type).ifnull(done);
          code.aload(0).aload(0).getfield(self, field, type);
          code.aload(0).getfield(self, Abi.arrayShadow(field), type);
          Abi.SHADOW.call(code);
          code.checkcast(type).putfield(self, Abi.arrayShadow(field), type);
          code.labelBinding(done).return_();
        });
  }

  private static final MethodTypeDesc ARRAYCOPY =
      MethodTypeDesc.of(
          CD_void, ConstantDescs.CD_Object, CD_int, ConstantDescs.CD_Object, CD_int, CD_int);

  private static TypeKind kind(FieldModel field) {
    return TypeKind.from(field.fieldTypeSymbol());
  }
}
