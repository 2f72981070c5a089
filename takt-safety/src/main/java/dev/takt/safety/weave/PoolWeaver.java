package dev.takt.safety.weave;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Adds to a class what its pool needs: a constructor that leaves all fields zero, the way to get an
 * instance, and for each constructor a method that does the same to an instance that has been used
 * before.
 */
final class PoolWeaver {
  private static final int SYNTHETIC_PUBLIC = ClassFile.ACC_SYNTHETIC | ClassFile.ACC_PUBLIC;

  private final WeavePlan plan;
  private final ClassModel model;
  private final ClassDesc self;
  private final String name;
  private final boolean isStable;

  /** The arrays that are fresh when the object is. */
  private final List<FieldModel> guardedArrays;

  PoolWeaver(TypeTable types, WeavePlan plan, ClassModel model) {
    this.plan = plan;
    this.model = model;
    this.name = TypeTable.name(model);
    this.self = model.thisClass().asSymbol();
    this.isStable = types.isStable(name);
    this.guardedArrays =
        TypeTable.instanceFields(model).stream()
            .filter(field -> plan.guards().isGuarded(model, field))
            .toList();
  }

  /** Adds the raw constructor, and to a pooled class the access to its pool. */
  void generate(ClassBuilder to) {
    generateRawConstructor(to, self, Objects.requireNonNull(TypeTable.superName(model)));
    if (plan.isPooled(name)) {
      generateAccess(to, self, isStable, plan.isBarred(name));
    }
  }

  static void generateRawConstructor(ClassBuilder to, ClassDesc self, String superName) {
    ClassDesc parent = ClassDesc.ofInternalName(superName);
    to.withMethodBody(
        "<init>",
        Abi.MTD_RAW,
        SYNTHETIC_PUBLIC,
        code -> {
          code.aload(0);
          if (WeavePlan.isRoot(superName)) {
            code.invokespecial(parent, "<init>", ConstantDescs.MTD_void);
          } else {
            code.aload(1).invokespecial(parent, "<init>", Abi.MTD_RAW);
          }
          code.return_();
        });
  }

  /** Adds the slot of the pool, the way to get an instance, and the way to fill the pool. */
  static void generateAccess(ClassBuilder to, ClassDesc self, boolean isStable, boolean isBarred) {
    to.withField(
        Abi.SLOT,
        CD_int,
        ClassFile.ACC_PRIVATE
            | ClassFile.ACC_STATIC
            | ClassFile.ACC_FINAL
            | ClassFile.ACC_SYNTHETIC);
    to.withMethodBody(
        Abi.FRESH,
        Abi.MTD_FRESH,
        SYNTHETIC_PUBLIC,
        code -> {
          newRaw(code, self);
          code.areturn();
        });
    to.withMethodBody(
        Abi.NEW,
        MethodTypeDesc.of(self),
        SYNTHETIC_PUBLIC | ClassFile.ACC_STATIC,
        code -> {
          Label ordinary = code.newLabel();
          int memory = code.allocateLocal(TypeKind.REFERENCE);
          Abi.CURRENT.call(code);
          code.dup().astore(memory).ifnull(ordinary);
          code.aload(memory).getstatic(self, Abi.SLOT, CD_int);
          (isStable ? Abi.NEXT_STABLE : Abi.NEXT).call(code);
          code.checkcast(self);
          if (isBarred) {
            code.dup().aload(memory).getfield(Abi.CD_MEMORY, Abi.EPOCH, CD_long);
            code.putfield(self, Abi.STAMP, CD_long);
          }
          code.areturn().labelBinding(ordinary);
          newRaw(code, self);
          code.areturn();
        });
  }

  /** Writes the beginning of the class initializer: the pool is there before any instance. */
  static void register(CodeBuilder code, ClassDesc self) {
    newRaw(code, self);
    Abi.REGISTER.call(code);
    code.putstatic(self, Abi.SLOT, CD_int);
  }

  private static void newRaw(CodeBuilder code, ClassDesc self) {
    code.new_(self).dup().aconst_null().checkcast(Abi.CD_RAW);
    code.invokespecial(self, "<init>", Abi.MTD_RAW);
  }

  /** Adds the counterpart of a constructor, for an instance that may have been used before. */
  void generateInit(ClassBuilder to, MethodCode constructor, List<SiteWeaver> sites, int access) {
    List<SiteWeaver> all = new ArrayList<>(sites);
    all.addFirst(PoolWeaver::delegate);
    Consumer<CodeBuilder> zero =
        delegatesToThis(constructor)
            ? code -> {}
            : code -> zero(code, DefiniteAssignments.of(constructor));
    to.withMethod(
        Abi.init(name),
        constructor.method().methodTypeSymbol(),
        ClassFile.ACC_SYNTHETIC | ClassFile.ACC_FINAL | access,
        method ->
            method.transformCode(constructor.code(), new MethodWeaver(constructor, all, zero)));
  }

  /** The call of {@code super(..)} or {@code this(..)} becomes one of the counterpart. */
  private static boolean delegate(
      CodeBuilder code, CodeElement element, int index, MethodCode method) {
    if (!(element instanceof InvokeInstruction call)
        || !PoolSites.isDelegation(call, index, method)) {
      return false;
    }
    String owner = call.owner().asInternalName();
    if (WeavePlan.isRoot(owner)) {
      code.pop();
    } else {
      code.invokevirtual(call.owner().asSymbol(), Abi.init(owner), call.typeSymbol());
    }
    return true;
  }

  private boolean delegatesToThis(MethodCode constructor) {
    for (int i = 0; i < constructor.size(); i++) {
      if (constructor.element(i) instanceof InvokeInstruction call
          && PoolSites.isDelegation(call, i, constructor)) {
        return call.owner().asInternalName().equals(name);
      }
    }
    return false;
  }

  private void zero(CodeBuilder code, Predicate<FieldModel> isStoredFirst) {
    for (FieldModel field : TypeTable.instanceFields(model)) {
      if (isStoredFirst.test(field)) {
        continue;
      }
      ClassDesc type = field.fieldTypeSymbol();
      code.aload(0);
      switch (TypeKind.from(type).asLoadable()) {
        case LONG -> code.lconst_0();
        case FLOAT -> code.fconst_0();
        case DOUBLE -> code.dconst_0();
        case REFERENCE -> code.aconst_null();
        default -> code.iconst_0();
      }
      code.putfield(self, field.fieldName().stringValue(), type);
    }
    for (FieldModel array : guardedArrays) {
      code.aload(0).aload(0).getfield(self, Abi.STAMP, CD_long);
      code.putfield(self, Abi.arrayStamp(array.fieldName().stringValue()), CD_long);
    }
  }
}
