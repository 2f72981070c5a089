package dev.takt.safety.weave;

import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the pooled class of a lambda: a field for each captured value, and the interface's method,
 * which calls the lambda's body with the conversions that the JVM's lambdas do.
 *
 * <p>Where the body is out of the class's reach, because it is private, the class that holds the
 * lambda gets a static bridge to it.
 */
final class LambdaWeaver {
  static final String MAKE = Abi.PREFIX + "make";

  private final TypeTable types;
  private final WeavePlan plan;
  private final ClassModel owner;
  private final List<Lambdas.Lambda> lambdas;

  LambdaWeaver(TypeTable types, WeavePlan plan, ClassModel owner, List<Lambdas.Lambda> lambdas) {
    this.types = types;
    this.plan = plan;
    this.owner = owner;
    this.lambdas = lambdas;
  }

  /** Adds the bridges to the class that holds the lambdas. */
  void generateBridges(ClassBuilder to) {
    int access = owner.flags().has(AccessFlag.INTERFACE) ? ClassFile.ACC_PUBLIC : 0;
    for (int i = 0; i < lambdas.size(); i++) {
      DirectMethodHandleDesc implementation = lambdas.get(i).implementation();
      if (!needsBridge(implementation)) {
        continue;
      }
      MethodTypeDesc type = bridgeType(implementation);
      to.withMethodBody(
          bridge(i),
          type,
          ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC | access,
          code -> {
            beginCall(code, implementation);
            int slot = 0;
            for (ClassDesc parameter : type.parameterList()) {
              code.loadLocal(TypeKind.from(parameter), slot);
              slot += TypeKind.from(parameter).slotSize();
            }
            endCall(code, implementation);
            code.return_(TypeKind.from(type.returnType()));
          });
    }
  }

  /** Makes the classes. */
  List<byte[]> generateClasses(ClassFile classFile, WovenMark mark) {
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < lambdas.size(); i++) {
      Lambdas.Lambda lambda = lambdas.get(i);
      int number = i;
      all.add(
          classFile.build(
              lambda.name(),
              to -> {
                to.withVersion(owner.majorVersion(), 0);
                to.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC | ClassFile.ACC_SUPER);
                List<ClassDesc> interfaces = new ArrayList<>();
                interfaces.add(lambda.type());
                lambda.markers().stream()
                    .filter(marker -> !interfaces.contains(marker))
                    .forEach(interfaces::add);
                interfaces.add(Abi.CD_POOLED);
                to.withInterfaceSymbols(interfaces);
                owner
                    .findAttribute(Attributes.sourceFile())
                    .ifPresent(
                        file -> to.with(SourceFileAttribute.of(file.sourceFile().stringValue())));
                generate(to, lambda, number);
                to.with(mark.plain());
              }));
    }
    return all;
  }

  private void generate(ClassBuilder to, Lambdas.Lambda lambda, int number) {
    ClassDesc self = lambda.name();
    for (int i = 0; i < lambda.captured().size(); i++) {
      to.withField(
          field(i), lambda.captured().get(i), ClassFile.ACC_PRIVATE | ClassFile.ACC_SYNTHETIC);
    }
    PoolWeaver.generateRawConstructor(to, self, "java/lang/Object");
    PoolWeaver.generateAccess(to, self, false, false);
    to.withMethodBody(
        "<clinit>",
        ConstantDescs.MTD_void,
        ClassFile.ACC_STATIC,
        code -> {
          PoolWeaver.register(code, self);
          code.return_();
        });
    generateMake(to, lambda);
    String name = lambda.call().name().stringValue();
    generateMethod(to, lambda, number, name, lambda.erased());
    for (MethodTypeDesc bridge : lambda.bridges()) {
      if (!bridge.equals(lambda.erased())) {
        generateMethod(to, lambda, number, name, bridge);
      }
    }
  }

  private void generateMake(ClassBuilder to, Lambdas.Lambda lambda) {
    ClassDesc self = lambda.name();
    to.withMethodBody(
        MAKE,
        lambda.call().typeSymbol(),
        ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC,
        code -> {
          code.invokestatic(self, Abi.NEW, MethodTypeDesc.of(self));
          int slot = 0;
          for (int i = 0; i < lambda.captured().size(); i++) {
            ClassDesc type = lambda.captured().get(i);
            code.dup().loadLocal(TypeKind.from(type), slot).putfield(self, field(i), type);
            slot += TypeKind.from(type).slotSize();
          }
          code.areturn();
        });
  }

  private void generateMethod(
      ClassBuilder to, Lambdas.Lambda lambda, int number, String name, MethodTypeDesc type) {
    DirectMethodHandleDesc implementation = lambda.implementation();
    MethodTypeDesc target = bridgeType(implementation);
    to.withMethodBody(
        name,
        type,
        ClassFile.ACC_PUBLIC,
        code -> {
          boolean isBridged = needsBridge(implementation);
          if (!isBridged) {
            beginCall(code, implementation);
          }
          int given = lambda.captured().size();
          for (int i = 0; i < given; i++) {
            code.aload(0).getfield(lambda.name(), field(i), lambda.captured().get(i));
            Conversions.convert(code, lambda.captured().get(i), target.parameterType(i));
          }
          int slot = 1;
          for (int i = 0; i < type.parameterCount(); i++) {
            ClassDesc parameter = type.parameterType(i);
            ClassDesc actual = lambda.actual().parameterType(i);
            code.loadLocal(TypeKind.from(parameter), slot);
            Conversions.convert(code, parameter, actual);
            Conversions.convert(code, actual, target.parameterType(given + i));
            slot += TypeKind.from(parameter).slotSize();
          }
          if (isBridged) {
            code.invokestatic(
                owner.thisClass().asSymbol(),
                bridge(number),
                target,
                owner.flags().has(AccessFlag.INTERFACE));
          } else {
            endCall(code, implementation);
          }
          giveBack(code, target.returnType(), lambda.actual().returnType(), type.returnType());
        });
  }

  private static void giveBack(CodeBuilder code, ClassDesc from, ClassDesc via, ClassDesc to) {
    if (to.equals(CD_void)) {
      switch (TypeKind.from(from).slotSize()) {
        case 1 -> code.pop();
        case 2 -> code.pop2();
        default -> {}
      }
      code.return_();
      return;
    }
    Conversions.convert(code, from, via);
    Conversions.convert(code, via, to);
    code.return_(TypeKind.from(to));
  }

  /** Writes what comes before the arguments. */
  private void beginCall(CodeBuilder code, DirectMethodHandleDesc implementation) {
    if (implementation.kind() != DirectMethodHandleDesc.Kind.CONSTRUCTOR) {
      return;
    }
    ClassDesc made = implementation.owner();
    if (TypeTable.internalName(made).equals(Abi.EVENT)) {
      Abi.NEW_EVENT.call(code);
    } else if (plan.isPooled(TypeTable.internalName(made))) {
      code.invokestatic(made, Abi.NEW, MethodTypeDesc.of(made));
    } else {
      code.new_(made);
    }
    code.dup();
  }

  /** Writes the call; the arguments are on the stack. */
  private void endCall(CodeBuilder code, DirectMethodHandleDesc implementation) {
    ClassDesc target = implementation.owner();
    MethodTypeDesc type = implementation.invocationType();
    if (implementation.kind() == DirectMethodHandleDesc.Kind.CONSTRUCTOR) {
      MethodTypeDesc constructor = type.changeReturnType(CD_void);
      String name = TypeTable.internalName(target);
      if (name.equals(Abi.EVENT)) {
        fillEvent(code, constructor);
      } else if (plan.isPooled(name)) {
        code.invokevirtual(target, Abi.init(name), constructor);
      } else {
        code.invokespecial(target, "<init>", constructor);
      }
      return;
    }
    MethodTypeDesc called = Lambdas.isStatic(implementation) ? type : type.dropParameterTypes(0, 1);
    code.invoke(
        Lambdas.opcode(implementation),
        target,
        implementation.methodName(),
        called,
        implementation.isOwnerInterface());
  }

  private static void fillEvent(CodeBuilder code, MethodTypeDesc constructor) {
    if (constructor.parameterCount() > 0) {
      Abi.EVENT_ADD.call(code);
    }
    code.pop();
  }

  /** The parameters of a body, the receiver first, and its result. */
  private static MethodTypeDesc bridgeType(DirectMethodHandleDesc implementation) {
    return implementation.invocationType();
  }

  /** Whether the body cannot be called from another class of the same package. */
  private boolean needsBridge(DirectMethodHandleDesc implementation) {
    if (implementation.kind() == DirectMethodHandleDesc.Kind.SPECIAL
        || implementation.kind() == DirectMethodHandleDesc.Kind.INTERFACE_SPECIAL) {
      return true;
    }
    String name =
        implementation.kind() == DirectMethodHandleDesc.Kind.CONSTRUCTOR
            ? "<init>"
            : implementation.methodName();
    MethodModel method =
        declared(
            TypeTable.internalName(implementation.owner()),
            name,
            implementation.lookupDescriptor());
    return method != null
        && !method.flags().has(AccessFlag.PUBLIC)
        && (method.flags().has(AccessFlag.PRIVATE) || method.flags().has(AccessFlag.PROTECTED));
  }

  private @Nullable MethodModel declared(String from, String name, String descriptor) {
    for (String at = from; at != null; at = types.superName(at)) {
      ClassModel model = types.find(at);
      if (model == null) {
        return null;
      }
      MethodModel method = TypeTable.method(model, name, descriptor);
      if (method != null) {
        return method;
      }
    }
    return null;
  }

  private static String field(int number) {
    return "captured" + number;
  }

  private static String bridge(int number) {
    return Abi.PREFIX + "lambda$" + number;
  }
}
