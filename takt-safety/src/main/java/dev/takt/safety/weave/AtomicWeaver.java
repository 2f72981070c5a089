package dev.takt.safety.weave;

import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.LocalVariableType;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Adds to a class what atomic calls need: the guard in front of each atomic method, the clones, and
 * the accesses to fields by way of a call's log.
 */
final class AtomicWeaver {
  private static final int SYNTHETIC_FINAL = ClassFile.ACC_SYNTHETIC | ClassFile.ACC_FINAL;

  private final TypeTable types;
  private final WeavePlan plan;
  private final ClassModel model;
  private final ClassDesc self;
  private final String name;
  private final AtomicHelpers helpers;
  private final List<SiteWeaver> sites = new ArrayList<>();

  AtomicWeaver(
      TypeTable types,
      WeavePlan plan,
      ClassModel model,
      Lambdas lambdas,
      BiConsumer<MethodCode, String> complaints) {
    this.types = types;
    this.plan = plan;
    this.model = model;
    self = model.thisClass().asSymbol();
    name = TypeTable.name(model);
    helpers = new AtomicHelpers(types, plan, model, complaints);
    sites.add(new HandlerSites(types, plan));
    sites.add(new AtomicSites(types, plan, helpers));
    sites.add(new EventSites(types));
    sites.add(new LambdaSites(lambdas));
    sites.add(AtomicWeaver::shift);
  }

  /** Whether a method is called by ordinary threads through a guard. */
  boolean isGuarded(MethodModel method) {
    return plan.isGuarded(model, method);
  }

  /** Adds the method that decides whether the caller is the task itself or an ordinary thread. */
  void generateGuard(ClassBuilder to, MethodModel method) {
    MethodTypeDesc type = method.methodTypeSymbol();
    String target = method.methodName().stringValue();
    to.withMethod(
        target,
        type,
        method.flags().flagsMask(),
        builder -> {
          method.forEach(
              element -> {
                if (!(element instanceof java.lang.classfile.CodeModel)
                    && !(element instanceof java.lang.classfile.AccessFlags)) {
                  builder.with(element);
                }
              });
          builder.withCode(code -> guard(code, target, type));
        });
  }

  private void guard(CodeBuilder code, String target, MethodTypeDesc type) {
    TypeKind result = TypeKind.from(type.returnType());
    Label attempt = code.newLabel();
    Label end = code.newLabel();
    Label failed = code.newLabel();
    int call = code.allocateLocal(TypeKind.REFERENCE);
    code.aload(0);
    Abi.CALL_BEGIN.call(code);
    code.dup().astore(call).ifnonnull(attempt);
    loadArguments(code, type);
    code.invokespecial(self, target + Abi.BODY, type, model.flags().has(AccessFlag.INTERFACE));
    code.return_(result);
    code.labelBinding(attempt).aload(call);
    Abi.CALL_START.call(code);
    loadArguments(code, type);
    code.aload(call);
    code.invokespecial(self, target + Abi.CLONE, AtomicHelpers.withCall(type));
    int value = result == TypeKind.VOID ? -1 : code.allocateLocal(result);
    if (value >= 0) {
      code.storeLocal(result, value);
    }
    code.aload(call);
    Abi.CALL_COMMIT.call(code);
    code.ifeq(attempt);
    if (value >= 0) {
      code.loadLocal(result, value);
    }
    code.return_(result).labelBinding(end).labelBinding(failed);
    code.aload(call).swap();
    Abi.CALL_FAILED.call(code);
    code.goto_(attempt);
    code.exceptionCatch(attempt, end, failed, java.lang.constant.ConstantDescs.CD_Throwable);
  }

  private static void loadArguments(CodeBuilder code, MethodTypeDesc type) {
    code.aload(0);
    int slot = 1;
    for (ClassDesc parameter : type.parameterList()) {
      code.loadLocal(TypeKind.from(parameter), slot);
      slot += TypeKind.from(parameter).slotSize();
    }
  }

  /** Adds the clone of a method, if it has one. */
  void generateClone(ClassBuilder to, MethodModel method) {
    if (!plan.isAtomic(WeavePlan.id(model, method))
        || method.methodName().equalsString("<clinit>")
        || method.methodName().stringValue().startsWith(Abi.PREFIX)) {
      return;
    }
    boolean isConstructor = method.methodName().equalsString("<init>");
    if (isConstructor && !plan.isRaw(name)) {
      return;
    }
    MethodCode code = plan.code(model, method);
    MethodTypeDesc type = AtomicHelpers.withCall(method.methodTypeSymbol());
    int flags = method.flags().flagsMask();
    if (code == null) {
      if (method.flags().has(AccessFlag.ABSTRACT)) {
        generateForward(to, method);
      }
      return;
    }
    String clone = (isConstructor ? Abi.init(name) : method.methodName().stringValue()) + Abi.CLONE;
    int kept =
        flags
            & (ClassFile.ACC_PUBLIC
                | ClassFile.ACC_PROTECTED
                | ClassFile.ACC_PRIVATE
                | ClassFile.ACC_STATIC
                | ClassFile.ACC_FINAL);
    to.withMethod(
        clone,
        type,
        ClassFile.ACC_SYNTHETIC
            | (isConstructor ? ClassFile.ACC_FINAL | GeneratedAccess.of(flags, model) : kept),
        builder ->
            builder.transformCode(
                code.code(), new MethodWeaver(code, sites, AtomicWeaver::differ)));
  }

  /**
   * Adds the clone of an abstract method. It calls the method itself, for implementations that have
   * no clone: lambdas, which have captured the call, and methods inherited from elsewhere.
   */
  private void generateForward(ClassBuilder to, MethodModel method) {
    String target = method.methodName().stringValue();
    MethodTypeDesc type = method.methodTypeSymbol();
    to.withMethodBody(
        target + Abi.CLONE,
        AtomicHelpers.withCall(type),
        method.flags().flagsMask() & ~ClassFile.ACC_ABSTRACT | ClassFile.ACC_SYNTHETIC,
        code -> {
          loadArguments(code, type);
          if (model.flags().has(AccessFlag.INTERFACE)) {
            code.invokeinterface(self, target, type);
          } else {
            code.invokevirtual(self, target, type);
          }
          code.return_(TypeKind.from(type.returnType()));
        });
  }

  /** Adds the accesses to the fields of a stable class, and what the clones call. */
  void generate(ClassBuilder to) {
    helpers.generate(to);
    if (!plan.isBarred(name) || !plan.hasAtomics()) {
      return;
    }
    List<FieldModel> all = new ArrayList<>();
    List<FieldModel> constant = new ArrayList<>();
    for (FieldModel field : TypeTable.instanceFields(model)) {
      (field.flags().has(AccessFlag.FINAL) ? constant : all).add(field);
    }
    int base = types.depth(name) << 16;
    for (int i = 0; i < all.size(); i++) {
      generateGetter(to, all.get(i), base | i);
      generateSetter(to, all.get(i), base | i);
    }
    int number = all.size();
    for (FieldModel field : constant) {
      if (field.fieldType().stringValue().startsWith("[")) {
        generateGetter(to, field, base | number++);
      }
    }
  }

  private void generateGetter(ClassBuilder to, FieldModel field, int id) {
    ClassDesc type = field.fieldTypeSymbol();
    TypeKind kind = TypeKind.from(type);
    to.withMethodBody(
        Abi.atomicGetter(field.fieldName().stringValue(), name),
        MethodTypeDesc.of(type, Abi.CD_CALL),
        SYNTHETIC_FINAL | GeneratedAccess.of(field.flags().flagsMask(), model),
        code -> {
          code.aload(1).aload(0).loadConstant(id);
          code.aload(0).getfield(self, field.fieldName().stringValue(), type);
          Abi.atomicRead(kind).call(code);
          if (kind == TypeKind.REFERENCE) {
            code.checkcast(type);
          }
          code.return_(kind);
        });
  }

  private void generateSetter(ClassBuilder to, FieldModel field, int id) {
    ClassDesc type = field.fieldTypeSymbol();
    TypeKind kind = TypeKind.from(type);
    to.withMethodBody(
        Abi.atomicSetter(field.fieldName().stringValue(), name),
        MethodTypeDesc.of(CD_void, type, Abi.CD_CALL),
        SYNTHETIC_FINAL | GeneratedAccess.of(field.flags().flagsMask(), model),
        code -> {
          code.aload(1 + kind.slotSize()).aload(0).loadConstant(id).loadLocal(kind, 1);
          BarrierWeaver.checkInterface(code, type, types);
          Abi.atomicWrite(kind).call(code);
          code.return_();
        });
  }

  /**
   * Makes the code of a clone differ from the original: from equal code the class-file API infers
   * an equal number of locals, and the clone has one more.
   */
  private static void differ(CodeBuilder code) {
    code.nop();
  }

  /** Moves the locals of a method up by one, to make room for the call behind the parameters. */
  private static boolean shift(
      CodeBuilder code, CodeElement element, int index, MethodCode method) {
    int from = AtomicSites.callSlot(method);
    switch (element) {
      case LoadInstruction load when load.slot() >= from ->
          code.loadLocal(load.typeKind(), load.slot() + 1);
      case StoreInstruction store when store.slot() >= from ->
          code.storeLocal(store.typeKind(), store.slot() + 1);
      case IncrementInstruction increment when increment.slot() >= from ->
          code.iinc(increment.slot() + 1, increment.constant());
      case LocalVariable local when local.slot() >= from ->
          code.localVariable(
              local.slot() + 1, local.name(), local.type(), local.startScope(), local.endScope());
      case LocalVariableType local when local.slot() >= from ->
          code.localVariableType(
              local.slot() + 1,
              local.name(),
              local.signature(),
              local.startScope(),
              local.endScope());
      default -> {
        return false;
      }
    }
    return true;
  }
}
