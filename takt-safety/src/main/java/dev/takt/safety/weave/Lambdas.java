package dev.takt.safety.weave;

import dev.takt.safety.flow.Op;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.LambdaMetafactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The capturing lambdas and method references of live code. The JVM makes an object for each
 * evaluation of one; the weaver makes a pooled class for each.
 */
final class Lambdas {
  /** What the name of a lambda's class begins with, after that of the class that makes it. */
  static final String SUFFIX = "$TaktLambda$";

  /**
   * One of them.
   *
   * @param name the class that is made for it
   * @param call where it is evaluated
   * @param erased the type of the interface's method
   * @param implementation what it does
   * @param actual the type with the interface's type arguments put in
   * @param markers further interfaces
   * @param bridges further types of the interface's method
   */
  record Lambda(
      ClassDesc name,
      InvokeDynamicInstruction call,
      MethodTypeDesc erased,
      DirectMethodHandleDesc implementation,
      MethodTypeDesc actual,
      List<ClassDesc> markers,
      List<MethodTypeDesc> bridges) {
    List<ClassDesc> captured() {
      return call.typeSymbol().parameterList();
    }

    ClassDesc type() {
      return call.typeSymbol().returnType();
    }
  }

  private final WeavePlan plan;
  private final TypeTable types;
  private final Set<String> generated;

  /** By class, then by method and position. */
  private final Map<String, Map<Site, Lambda>> found = new HashMap<>();

  /** Where a lambda is evaluated; instructions have no identity. */
  private record Site(MethodModel method, int index) {}

  Lambdas(TypeTable types, WeavePlan plan, Set<String> generated) {
    this.types = types;
    this.plan = plan;
    this.generated = generated;
  }

  /** The lambdas of a class, in the order of the class file. */
  List<Lambda> of(ClassModel owner) {
    return List.copyOf(found(owner).values());
  }

  /** The lambda that an instruction evaluates, or null if it stays as it is. */
  @Nullable Lambda at(MethodCode method, int index) {
    return found(method.owner()).get(new Site(method.method(), index));
  }

  /** The lambdas of a method. */
  List<Lambda> of(ClassModel owner, MethodModel method) {
    List<Lambda> all = new ArrayList<>();
    found(owner)
        .forEach(
            (site, lambda) -> {
              if (site.method() == method) {
                all.add(lambda);
              }
            });
    return all;
  }

  private Map<Site, Lambda> found(ClassModel owner) {
    return found.computeIfAbsent(TypeTable.name(owner), name -> find(owner));
  }

  private Map<Site, Lambda> find(ClassModel owner) {
    Map<Site, Lambda> all = new LinkedHashMap<>();
    if (plan.isDebug()) {
      return all;
    }
    for (MethodModel method : owner.methods()) {
      MethodCode code = plan.code(owner, method);
      if (code == null || !code.isLive()) {
        continue;
      }
      for (int i = 0; i < code.size(); i++) {
        if (code.element(i) instanceof InvokeDynamicInstruction call && code.isLive(i)) {
          Lambda lambda = read(owner, call, all.size());
          if (lambda != null) {
            all.put(new Site(method, i), lambda);
            generated.add(TypeTable.internalName(lambda.name()));
          }
        }
      }
    }
    return all;
  }

  private @Nullable Lambda read(ClassModel owner, InvokeDynamicInstruction call, int number) {
    DirectMethodHandleDesc bootstrap = call.bootstrapMethod();
    if (!Op.isLambda(call) || call.typeSymbol().parameterCount() == 0) {
      return null;
    }
    List<ConstantDesc> arguments = call.bootstrapArgs();
    List<ClassDesc> markers = new ArrayList<>();
    List<MethodTypeDesc> bridges = new ArrayList<>();
    if (bootstrap.methodName().equals("altMetafactory")) {
      int flags = (Integer) arguments.get(3);
      if ((flags & LambdaMetafactory.FLAG_SERIALIZABLE) != 0) {
        if (plan.isLibrary()) {
          return null; // the verifier reports it where a task reaches it (rule R22)
        }
        throw new WeavingException(
            String.format(
                "%s: a lambda of a task is serializable (%s); take a functional interface that"
                    + " does not extend Serializable",
                TypeTable.name(owner).replace('/', '.'),
                call.typeSymbol().returnType().displayName()));
      }
      int at = 4;
      if ((flags & LambdaMetafactory.FLAG_MARKERS) != 0) {
        int count = (Integer) arguments.get(at++);
        for (int i = 0; i < count; i++) {
          markers.add((ClassDesc) arguments.get(at++));
        }
      }
      if ((flags & LambdaMetafactory.FLAG_BRIDGES) != 0) {
        int count = (Integer) arguments.get(at++);
        for (int i = 0; i < count; i++) {
          bridges.add((MethodTypeDesc) arguments.get(at++));
        }
      }
    }
    return new Lambda(
        unused(owner, number),
        call,
        (MethodTypeDesc) arguments.get(0),
        (DirectMethodHandleDesc) arguments.get(1),
        (MethodTypeDesc) arguments.get(2),
        markers,
        bridges);
  }

  private ClassDesc unused(ClassModel owner, int number) {
    String name = TypeTable.name(owner) + SUFFIX + number;
    if (types.find(name) != null) {
      throw new WeavingException(
          String.format(
              "%s is already there, from an earlier weaving; compile %s again into an empty folder",
              name.replace('/', '.'), TypeTable.name(owner).replace('/', '.')));
    }
    return ClassDesc.ofInternalName(name);
  }

  static boolean isStatic(DirectMethodHandleDesc implementation) {
    return implementation.kind() == DirectMethodHandleDesc.Kind.STATIC
        || implementation.kind() == DirectMethodHandleDesc.Kind.INTERFACE_STATIC
        || implementation.kind() == DirectMethodHandleDesc.Kind.CONSTRUCTOR;
  }

  static Opcode opcode(DirectMethodHandleDesc implementation) {
    return switch (implementation.kind()) {
      case STATIC, INTERFACE_STATIC -> Opcode.INVOKESTATIC;
      case INTERFACE_VIRTUAL -> Opcode.INVOKEINTERFACE;
      case SPECIAL, INTERFACE_SPECIAL, CONSTRUCTOR -> Opcode.INVOKESPECIAL;
      default -> Opcode.INVOKEVIRTUAL;
    };
  }
}
