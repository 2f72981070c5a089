package dev.takt.safety.reach;

import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.ClassNames;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.classes.TrustedMethods;
import dev.takt.safety.flow.Op;
import dev.takt.safety.reach.ReachedMethod.Mode;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.invoke.LambdaMetafactory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the {@code invokedynamic} sites of the Java language run. */
public final class DynamicSites {
  /** The features of the language behind a site. */
  public enum Kind {
    LAMBDA,
    RECORD_METHOD,
    SWITCH,
    CONCAT,
    /** What the weaver has added. */
    WOVEN,
    /** None of the Java language. */
    OTHER
  }

  private final RapidTypeAnalysis reach;

  DynamicSites(RapidTypeAnalysis reach) {
    this.reach = reach;
  }

  public static Kind kind(InvokeDynamicInstruction site) {
    DirectMethodHandleDesc bootstrap = site.bootstrapMethod();
    return switch (ClassNames.internal(bootstrap.owner())) {
      case "java/lang/invoke/LambdaMetafactory" -> Kind.LAMBDA;
      case "java/lang/runtime/ObjectMethods" -> Kind.RECORD_METHOD;
      case "java/lang/runtime/SwitchBootstraps" -> Kind.SWITCH;
      case "java/lang/invoke/StringConcatFactory" -> Kind.CONCAT;
      case "dev/takt/realtime/stop/StopSwitch" -> Kind.WOVEN;
      default -> Kind.OTHER;
    };
  }

  /** Returns the name of a lambda's call site in {@link Closure#lambdas()}. */
  static String id(MethodInfo method, Op.Dynamic dynamic) {
    return method.owner.name + "#" + method.selector + "#" + dynamic.index();
  }

  void follow(ReachedMethod visit, Op.Dynamic dynamic, Mode mode) {
    switch (kind(dynamic.site())) {
      case LAMBDA -> lambda(visit, dynamic, mode);
      case RECORD_METHOD -> recordMethod(visit, dynamic, mode);
      case SWITCH -> switchOn(visit, dynamic, mode);
      case CONCAT -> concat(visit, dynamic, mode);
      case WOVEN, OTHER -> {} // of others, a finding says so
    }
  }

  private void lambda(ReachedMethod visit, Op.Dynamic dynamic, Mode mode) {
    if (mode != Mode.ABORT) {
      reach.lambdas.add(id(visit.method, dynamic));
    }
    ClassInfo type =
        reach.world.info(ClassNames.internal(dynamic.site().typeSymbol().returnType()));
    if (type != null) {
      reach.arrive(type, visit, mode);
    }
    for (ConstantDesc argument : dynamic.site().bootstrapArgs()) {
      if (argument instanceof DirectMethodHandleDesc implementation) {
        handle(visit, implementation, dynamic.line(), mode);
        note(type, dynamic.site().name().stringValue(), implementation);
      } else if (argument instanceof ClassDesc marker && !marker.isPrimitive()) {
        ClassInfo info = reach.world.info(ClassNames.internal(marker));
        if (info != null) {
          reach.arrive(info, visit, mode);
        }
      }
    }
  }

  /** Notes what a call of a lambda's interface runs. */
  private void note(@Nullable ClassInfo type, String name, DirectMethodHandleDesc implementation) {
    Op.Call call = call(implementation, 0, false);
    ClassInfo owner = call == null ? null : reach.world.info(call.owner());
    MethodInfo body = owner == null || call == null ? null : owner.resolve(call.selector());
    if (type != null && call != null && body != null) {
      if (call.kind() == Op.CallKind.VIRTUAL && !body.isPrivate()) {
        reach.graph.addReference(type, name, call.owner(), call.selector());
      } else {
        reach.graph.addLambda(type, name, body);
      }
    }
  }

  /** What a method handle runs is live from the moment it is made. */
  private void handle(ReachedMethod visit, DirectMethodHandleDesc handle, int line, Mode mode) {
    Op.Call call = call(handle, line, mode == Mode.ABORT);
    if (call != null) {
      reach.references.add(new RapidTypeAnalysis.Reference(visit, call));
      if (call.name().equals("<init>")) {
        reach.instantiate(call.owner(), visit, line, mode);
      }
      reach.call(visit, call, mode);
    }
  }

  /** Returns the call that a method handle stands for, or null if it accesses a field. */
  private static Op.@Nullable Call call(DirectMethodHandleDesc handle, int line, boolean abort) {
    Op.CallKind kind =
        switch (handle.kind()) {
          case STATIC, INTERFACE_STATIC -> Op.CallKind.STATIC;
          case CONSTRUCTOR, SPECIAL, INTERFACE_SPECIAL -> Op.CallKind.SPECIAL;
          case VIRTUAL, INTERFACE_VIRTUAL -> Op.CallKind.VIRTUAL;
          case GETTER, SETTER, STATIC_GETTER, STATIC_SETTER -> null;
        };
    if (kind == null) {
      return null;
    }
    boolean constructor = handle.kind() == DirectMethodHandleDesc.Kind.CONSTRUCTOR;
    return new Op.Call(
        kind,
        ClassNames.internal(handle.owner()),
        constructor ? "<init>" : handle.methodName(),
        handle.lookupDescriptor(),
        line,
        abort);
  }

  /** Returns the calls behind a lambda or method reference. */
  public static List<Op.Call> implementations(Op.Dynamic dynamic) {
    List<Op.Call> calls = new ArrayList<>();
    for (ConstantDesc argument : dynamic.site().bootstrapArgs()) {
      if (argument instanceof DirectMethodHandleDesc implementation) {
        Op.Call call = call(implementation, dynamic.line(), dynamic.abort());
        if (call != null) {
          calls.add(call);
        }
      }
    }
    return calls;
  }

  /** Returns whether a lambda is made by the general factory with the flag for serialization. */
  public static boolean isSerializable(Op.Dynamic dynamic) {
    List<ConstantDesc> arguments = dynamic.site().bootstrapArgs();
    return dynamic.site().bootstrapMethod().methodName().equals("altMetafactory")
        && arguments.size() > 3
        && arguments.get(3) instanceof Integer flags
        && (flags & LambdaMetafactory.FLAG_SERIALIZABLE) != 0;
  }

  /** {@code toString}, {@code hashCode} and {@code equals} of a record ask its components. */
  private void recordMethod(ReachedMethod visit, Op.Dynamic dynamic, Mode mode) {
    String selector =
        switch (dynamic.site().name().stringValue()) {
          case "hashCode" -> "hashCode()I";
          case "equals" -> "equals(Ljava/lang/Object;)Z";
          default -> TrustedMethods.TO_STRING;
        };
    for (ConstantDesc argument : dynamic.site().bootstrapArgs()) {
      if (argument instanceof DirectMethodHandleDesc component) {
        ask(visit, component.invocationType().returnType(), selector, dynamic.line(), mode);
      }
    }
  }

  private void ask(ReachedMethod visit, ClassDesc type, String selector, int line, Mode mode) {
    if (!type.isPrimitive() && !type.isArray()) {
      reach.virtual(ClassNames.internal(type), selector, visit, line, mode);
    }
  }

  /** A switch with constant labels compares them; its types are only tested. */
  private void switchOn(ReachedMethod visit, Op.Dynamic dynamic, Mode mode) {
    for (ConstantDesc label : dynamic.site().bootstrapArgs()) {
      if (label instanceof String) {
        reach.virtual(
            "java/lang/String", "equals(Ljava/lang/Object;)Z", visit, dynamic.line(), mode);
      }
    }
  }

  private void concat(ReachedMethod visit, Op.Dynamic dynamic, Mode mode) {
    List<ClassDesc> parts = dynamic.site().typeSymbol().parameterList();
    for (ClassDesc part : parts) {
      ask(visit, part, TrustedMethods.TO_STRING, dynamic.line(), mode);
    }
  }
}
