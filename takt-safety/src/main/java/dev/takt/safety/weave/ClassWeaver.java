package dev.takt.safety.weave;

import java.lang.classfile.AccessFlags;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Interfaces;
import java.lang.classfile.MethodBuilder;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Weaves one class: asks each weaver for its part and puts the parts together. */
final class ClassWeaver implements ClassTransform {
  private final WeavePlan plan;
  private final ClassModel model;
  private final String name;
  private final WovenMark mark;
  private final List<SiteWeaver> sites = new ArrayList<>();
  private final BarrierSites barriers;
  private final ArraySlots slots;
  private final ArraySites arrays;
  private final LambdaWeaver lambdas;
  private final AtomicWeaver atomics;
  private final UpdateWeaver updates;
  private final @Nullable BarrierWeaver barrier;
  private final @Nullable PoolWeaver pool;

  /** The class initializer, which is written last, when it is known what belongs into it. */
  private @Nullable MethodModel initializer;

  private @Nullable RuntimeVisibleAnnotationsAttribute annotations;

  ClassWeaver(
      TypeTable types,
      WeavePlan plan,
      ClassModel model,
      Lambdas lambdas,
      WovenMark mark,
      BiConsumer<MethodCode, String> complaints,
      boolean stopSites) {
    this.plan = plan;
    this.model = model;
    this.mark = mark;
    name = TypeTable.name(model);
    barrier = plan.isBarred(name) ? new BarrierWeaver(types, plan, model) : null;
    pool = plan.isRaw(name) ? new PoolWeaver(types, plan, model) : null;
    sites.add(new HandlerSites(types, plan));
    if (stopSites) {
      sites.add(new StopSites(plan));
    }
    if (plan.isDebug()) {
      sites.add(new DebugSites(plan));
    }
    slots = new ArraySlots(model);
    arrays = new ArraySites(plan.fates(), slots);
    this.lambdas = new LambdaWeaver(types, plan, model, lambdas.of(model));
    atomics = new AtomicWeaver(types, plan, model, lambdas, complaints);
    updates = new UpdateWeaver(model);
    if (plan.isRecoverable(name) && hasFinals()) {
      sites.add(ClassWeaver::publish);
    }
    sites.add(new EventSites(types));
    sites.add(new PoolSites(plan));
    sites.add(arrays);
    sites.add(new LambdaSites(lambdas));
    barriers = new BarrierSites(types, plan);
    sites.add(barriers);
  }

  private boolean hasFinals() {
    return TypeTable.instanceFields(model).stream()
        .anyMatch(each -> each.flags().has(AccessFlag.FINAL));
  }

  /** Keeps what final fields promise to threads that get hold of an object without a lock. */
  private static boolean publish(
      CodeBuilder code, CodeElement element, int index, MethodCode method) {
    if (element instanceof ReturnInstruction && method.isConstructor()) {
      code.invokestatic(
          ClassDesc.of("java.lang.invoke.VarHandle"), "releaseFence", ConstantDescs.MTD_void);
    }
    return false;
  }

  @Override
  public void accept(ClassBuilder to, ClassElement element) {
    switch (element) {
      case MethodModel method when method.methodName().equalsString("<clinit>") ->
          initializer = method;
      case MethodModel method -> weaveMethod(to, method);
      case FieldModel field -> weaveField(to, field);
      case Interfaces interfaces -> to.withInterfaceSymbols(withOwn(interfaces));
      case RuntimeVisibleAnnotationsAttribute found -> annotations = found;
      default -> to.with(element);
    }
  }

  @Override
  public void atEnd(ClassBuilder to) {
    if (barrier != null) {
      barrier.generate(to);
    }
    if (pool != null) {
      pool.generate(to);
    } else if (barrier != null && plan.isRecoverable(name)) {
      PoolWeaver.generateRawConstructor(
          to, model.thisClass().asSymbol(), Objects.requireNonNull(TypeTable.superName(model)));
    }
    atomics.generate(to);
    lambdas.generateBridges(to);
    arrays.generate(to, model);
    slots.generate(to);
    weaveInitializer(to);
    to.with(mark.addTo(annotations, model));
  }

  private void weaveMethod(ClassBuilder to, MethodModel method) {
    MethodCode code = plan.code(model, method);
    if (code != null && plan.isUpdate(method)) {
      weaveUpdate(to, method, code);
    } else if (code == null || !code.isLive() && !plan.isPlain(code) && !barriers.concerns(code)) {
      to.with(method);
    } else if (atomics.isGuarded(method)) {
      atomics.generateGuard(to, method);
      to.withMethod(
          method.methodName().stringValue() + Abi.BODY,
          method.methodTypeSymbol(),
          ClassFile.ACC_PRIVATE | ClassFile.ACC_SYNTHETIC,
          builder -> weaveCode(builder, code));
    } else {
      to.transformMethod(
          method,
          (builder, element) -> {
            if (element instanceof CodeAttribute) {
              weaveCode(builder, code);
            } else {
              builder.with(element);
            }
          });
    }
    if (pool != null && code != null && code.isConstructor()) {
      pool.generateInit(to, code, sites, GeneratedAccess.of(method.flags().flagsMask(), model));
    }
    atomics.generateClone(to, method);
  }

  private void weaveUpdate(ClassBuilder to, MethodModel method, MethodCode code) {
    if (code.isConstructor() || code.isLive()) {
      throw new WeavingException(
          String.format(
              "%s.%s cannot be an update: it is a constructor, or code of a task; take its"
                  + " @PersistentUpdate away",
              name.replace('/', '.'), method.methodName().stringValue()));
    }
    updates.generateGuard(to, method);
    to.withMethod(
        method.methodName().stringValue() + Abi.BODY,
        method.methodTypeSymbol(),
        UpdateWeaver.bodyFlags(method),
        builder -> weaveCode(builder, code));
  }

  private void weaveCode(MethodBuilder to, MethodCode code) {
    boolean checksReceiver =
        plan.isTracked(name)
            && !code.isConstructor()
            && !code.method().flags().has(AccessFlag.STATIC);
    to.transformCode(
        code.code(),
        new MethodWeaver(code, sites, checksReceiver ? DebugSites::checkThis : prologue -> {}));
  }

  /** Objects that are used again, or made to be recovered, have no final fields. */
  private void weaveField(ClassBuilder to, FieldModel field) {
    boolean isSet = pool != null || plan.isRecoverable(name);
    if (!isSet || field.flags().has(AccessFlag.STATIC)) {
      to.with(field);
      return;
    }
    to.transformField(
        field,
        (builder, element) -> {
          if (element instanceof AccessFlags flags) {
            builder.withFlags(flags.flagsMask() & ~ClassFile.ACC_FINAL);
          } else {
            builder.with(element);
          }
        });
  }

  private List<ClassDesc> withOwn(Interfaces interfaces) {
    List<ClassDesc> all = new ArrayList<>();
    interfaces.interfaces().forEach(entry -> all.add(entry.asSymbol()));
    if (barrier != null && barrier.isTop()) {
      all.add(Abi.CD_SAVED);
    }
    if (isRegistered()) {
      all.add(Abi.CD_POOLED);
    }
    return all;
  }

  private void weaveInitializer(ClassBuilder to) {
    MethodModel old = initializer;
    if (old == null) {
      if (isRegistered() || !slots.isEmpty()) {
        to.withMethodBody(
            "<clinit>",
            ConstantDescs.MTD_void,
            ClassFile.ACC_STATIC,
            code -> {
              begin(code);
              code.return_();
            });
      }
      return;
    }
    MethodCode code = plan.code(model, old);
    if (code == null) {
      to.with(old);
      return;
    }
    to.transformMethod(
        old,
        (builder, element) -> {
          if (element instanceof CodeAttribute attribute) {
            builder.transformCode(attribute, new MethodWeaver(code, sites, this::begin));
          } else {
            builder.with(element);
          }
        });
  }

  private boolean isRegistered() {
    return pool != null && plan.isPooled(name);
  }

  private void begin(CodeBuilder code) {
    if (isRegistered()) {
      PoolWeaver.register(code, model.thisClass().asSymbol());
    }
    slots.initialize(code);
  }
}
