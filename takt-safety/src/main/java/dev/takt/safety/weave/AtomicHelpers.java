package dev.takt.safety.weave;

import dev.takt.safety.classes.MethodId;
import dev.takt.safety.flow.Op;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The static methods that the clones of one class call: those that choose among clones where the
 * static type is a foreign interface, and the clones of lambdas' bodies.
 */
final class AtomicHelpers {
  /** A choice among clones, or the clone of a lambda's body. */
  private sealed interface Helper {
    record Choice(
        Opcode opcode, ClassDesc owner, String name, MethodTypeDesc type, boolean isInterface)
        implements Helper {}

    record Body(DirectMethodHandleDesc implementation, int captured) implements Helper {}
  }

  private final TypeTable types;
  private final WeavePlan plan;
  private final ClassModel owner;
  private final BiConsumer<MethodCode, String> complaints;
  private final Map<Helper, Integer> numbers = new LinkedHashMap<>();

  AtomicHelpers(
      TypeTable types,
      WeavePlan plan,
      ClassModel owner,
      BiConsumer<MethodCode, String> complaints) {
    this.types = types;
    this.plan = plan;
    this.owner = owner;
    this.complaints = complaints;
  }

  void complain(MethodCode method, String message) {
    complaints.accept(method, message);
  }

  /** Writes the call of a method's clone, if it has one or some of those that it may call have. */
  boolean callClone(CodeBuilder code, InvokeInstruction call, MethodCode method) {
    int callSlot = AtomicSites.callSlot(method);
    String target = call.owner().asInternalName();
    String name = call.name().stringValue();
    MethodTypeDesc type = call.typeSymbol();
    if (hasClone(target, name, type.descriptorString())) {
      code.aload(callSlot);
      code.invoke(
          call.opcode(),
          call.owner().asSymbol(),
          name + Abi.CLONE,
          withCall(type),
          call.isInterface());
      return true;
    }
    boolean isVirtual =
        call.opcode() == Opcode.INVOKEVIRTUAL || call.opcode() == Opcode.INVOKEINTERFACE;
    if (!isVirtual || target.startsWith("[")) {
      return false;
    }
    List<String> candidates = candidates(target, name, type);
    for (String candidate : candidates) {
      if (!isAccessible(candidate)) {
        complain(
            method,
            String.format(
                "%s.%s is called through %s past the log of an atomic call; make the class"
                    + " public, or call it by its own type",
                candidate.replace('/', '.'), name, target.replace('/', '.')));
      }
    }
    if (candidates.stream().noneMatch(this::isAccessible)) {
      return false;
    }
    code.aload(callSlot);
    Helper.Choice choice =
        new Helper.Choice(call.opcode(), call.owner().asSymbol(), name, type, call.isInterface());
    invoke(code, choice, type.insertParameterTypes(0, call.owner().asSymbol()));
    return true;
  }

  /**
   * Writes the evaluation of a lambda whose body has a clone: the lambda captures the call, too.
   * Ordinary threads run it, so the JVM may make the object.
   */
  boolean callFactory(CodeBuilder code, InvokeDynamicInstruction lambda, int callSlot) {
    if (!Op.isLambda(lambda)) {
      return false;
    }
    List<ConstantDesc> arguments = new ArrayList<>(lambda.bootstrapArgs());
    DirectMethodHandleDesc body = (DirectMethodHandleDesc) arguments.get(1);
    if (body.kind() == DirectMethodHandleDesc.Kind.CONSTRUCTOR
        || !hasClone(
            TypeTable.internalName(body.owner()), body.methodName(), body.lookupDescriptor())) {
      return false;
    }
    Helper.Body helper = new Helper.Body(body, lambda.typeSymbol().parameterCount());
    arguments.set(
        1,
        MethodHandleDesc.ofMethod(
            owner.flags().has(AccessFlag.INTERFACE)
                ? DirectMethodHandleDesc.Kind.INTERFACE_STATIC
                : DirectMethodHandleDesc.Kind.STATIC,
            owner.thisClass().asSymbol(),
            name(number(helper)),
            helperType(helper)));
    code.aload(callSlot);
    code.invokedynamic(
        DynamicCallSiteDesc.of(
            lambda.bootstrapMethod(),
            lambda.name().stringValue(),
            withCall(lambda.typeSymbol()),
            arguments.toArray(ConstantDesc[]::new)));
    return true;
  }

  /** Whether code that names a method in a class can call its clone there. */
  boolean hasClone(String from, String name, String descriptor) {
    ClassModel declaring = declaring(from, name, descriptor);
    if (declaring == null) {
      return false;
    }
    if (types.isWeavable(TypeTable.name(declaring))) {
      return plan.isAtomic(new MethodId(TypeTable.name(declaring), name, descriptor));
    }
    MethodTypeDesc type = withCall(MethodTypeDesc.ofDescriptor(descriptor));
    String clone = name.equals("<init>") ? Abi.init(TypeTable.name(declaring)) : name;
    return TypeTable.method(declaring, clone + Abi.CLONE, type.descriptorString()) != null;
  }

  /** Adds what the clones have asked for. */
  void generate(ClassBuilder to) {
    int access = owner.flags().has(AccessFlag.INTERFACE) ? ClassFile.ACC_PUBLIC : 0;
    numbers.forEach(
        (helper, number) ->
            to.withMethodBody(
                name(number),
                helperType(helper),
                ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC | access,
                code -> {
                  switch (helper) {
                    case Helper.Choice choice -> generateChoice(code, choice);
                    case Helper.Body body -> generateBody(code, body);
                  }
                }));
  }

  private static MethodTypeDesc helperType(Helper helper) {
    return switch (helper) {
      case Helper.Choice choice -> withCall(choice.type().insertParameterTypes(0, choice.owner()));
      case Helper.Body body ->
          body.implementation().invocationType().insertParameterTypes(body.captured(), Abi.CD_CALL);
    };
  }

  static MethodTypeDesc withCall(MethodTypeDesc type) {
    return type.insertParameterTypes(type.parameterCount(), Abi.CD_CALL);
  }

  private void invoke(CodeBuilder code, Helper helper, MethodTypeDesc type) {
    code.invokestatic(
        owner.thisClass().asSymbol(),
        name(number(helper)),
        withCall(type),
        owner.flags().has(AccessFlag.INTERFACE));
  }

  private int number(Helper helper) {
    return numbers.computeIfAbsent(helper, _ -> numbers.size());
  }

  private static String name(int number) {
    return Abi.PREFIX + "call$" + number;
  }

  private void generateChoice(CodeBuilder code, Helper.Choice choice) {
    TypeKind result = TypeKind.from(choice.type().returnType());
    List<ClassDesc> arguments = choice.type().parameterList();
    int callSlot = 1 + MethodCode.words(choice.type());
    for (String target :
        candidates(TypeTable.internalName(choice.owner()), choice.name(), choice.type())) {
      if (!isAccessible(target)) {
        continue;
      }
      Label next = code.newLabel();
      ClassDesc type = ClassDesc.ofInternalName(target);
      code.aload(0).instanceOf(type).ifeq(next).aload(0).checkcast(type);
      loadAll(code, arguments, 1);
      code.aload(callSlot);
      code.invokevirtual(type, choice.name() + Abi.CLONE, withCall(choice.type()));
      code.return_(result).labelBinding(next);
    }
    code.aload(0);
    loadAll(code, arguments, 1);
    code.invoke(
        choice.opcode(), choice.owner(), choice.name(), choice.type(), choice.isInterface());
    code.return_(result);
  }

  private static void generateBody(CodeBuilder code, Helper.Body helper) {
    DirectMethodHandleDesc body = helper.implementation();
    MethodTypeDesc type = body.invocationType();
    List<ClassDesc> captured = type.parameterList().subList(0, helper.captured());
    List<ClassDesc> given = type.parameterList().subList(helper.captured(), type.parameterCount());
    int callSlot = 0;
    for (ClassDesc parameter : captured) {
      callSlot += TypeKind.from(parameter).slotSize();
    }
    loadAll(code, captured, 0);
    loadAll(code, given, callSlot + 1);
    code.aload(callSlot);
    MethodTypeDesc called = Lambdas.isStatic(body) ? type : type.dropParameterTypes(0, 1);
    code.invoke(
        Lambdas.opcode(body),
        body.owner(),
        body.methodName() + Abi.CLONE,
        withCall(called),
        body.isOwnerInterface());
    code.return_(TypeKind.from(type.returnType()));
  }

  private static void loadAll(CodeBuilder code, List<ClassDesc> parameters, int from) {
    int slot = from;
    for (ClassDesc parameter : parameters) {
      code.loadLocal(TypeKind.from(parameter), slot);
      slot += TypeKind.from(parameter).slotSize();
    }
  }

  /** The classes that implement a method of a foreign type and have a clone of it, sorted. */
  private List<String> candidates(String foreign, String name, MethodTypeDesc type) {
    TreeSet<String> found = new TreeSet<>();
    for (MethodId method : plan.atomicMethods(name, type.descriptorString())) {
      if (!types.isInterface(method.owner())
          && types.isSubtype(method.owner(), foreign)
          && hasClone(method.owner(), name, method.descriptor())) {
        found.add(method.owner());
      }
    }
    return new ArrayList<>(found);
  }

  private boolean isAccessible(String name) {
    ClassModel model = types.find(name);
    return model != null
        && (model.flags().has(AccessFlag.PUBLIC)
            || packageOf(name).equals(packageOf(TypeTable.name(owner))));
  }

  private static String packageOf(String name) {
    return name.substring(0, name.lastIndexOf('/') + 1);
  }

  /** The class or interface whose method a name means. */
  private @Nullable ClassModel declaring(String from, String name, String descriptor) {
    for (String at = from; at != null; at = name.equals("<init>") ? null : types.superName(at)) {
      ClassModel model = types.find(at);
      if (model == null) {
        return null;
      }
      if (TypeTable.method(model, name, descriptor) != null) {
        return model;
      }
    }
    return name.equals("<init>") ? null : declaringInterface(from, name, descriptor);
  }

  private @Nullable ClassModel declaringInterface(String from, String name, String descriptor) {
    for (String at = from; at != null; at = types.superName(at)) {
      ClassModel model = types.find(at);
      if (model == null) {
        return null;
      }
      for (var entry : model.interfaces()) {
        ClassModel implemented = types.find(entry.asInternalName());
        if (implemented == null) {
          continue;
        }
        MethodModel method = TypeTable.method(implemented, name, descriptor);
        if (method != null) {
          return implemented;
        }
        ClassModel above = declaringInterface(entry.asInternalName(), name, descriptor);
        if (above != null) {
          return above;
        }
      }
    }
    return null;
  }
}
