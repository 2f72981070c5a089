package dev.takt.safety.weave;

import static java.lang.constant.ConstantDescs.CD_Class;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_Throwable;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_char;
import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_short;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;

/**
 * The agreement between woven code and the runtime: every name of the runtime that the weaver
 * writes into classes, and every name that it gives to generated members. The weaver has no other
 * tie to the runtime; a test compares this table with the runtime's classes.
 */
public final class Abi {
  /** The agreement that this weaver weaves for; {@code Woven.abi} carries it. */
  public static final int VERSION = 10;

  /**
   * A method of the runtime.
   *
   * @param owner the class that declares it
   * @param name its name
   * @param type its parameters and result
   * @param isStatic whether it is static
   */
  public record Method(ClassDesc owner, String name, MethodTypeDesc type, boolean isStatic) {
    /** Writes a call; the operands are on the stack. */
    void call(CodeBuilder code) {
      if (isStatic) {
        code.invokestatic(owner, name, type);
      } else {
        code.invokevirtual(owner, name, type);
      }
    }
  }

  private static final List<Method> METHODS = new ArrayList<>();

  static final String PREFIX = "$takt$";
  static final String STABLE = "dev/takt/space/Stable";
  static final String EVENT = "dev/takt/space/Event";
  static final String TASK = "dev/takt/reflex/ReflexTask";
  static final String ABORT = "dev/takt/space/Abort";
  static final String RUN_ABORTED = "dev/takt/realtime/stop/RunAborted";
  static final String STOPPABLE = "Ldev/takt/realtime/stop/Stoppable;";
  static final String RELEASE_ERROR = "dev/takt/reflex/limit/ReleaseError";
  static final String STABLE_LIBRARY = "dev/takt/reflex/stable/";
  static final String WOVEN = "Ldev/takt/reflex/woven/Woven;";
  static final String SEAL = "Ldev/takt/reflex/woven/Seal;";
  static final String ATOMIC = "Ldev/takt/reflex/Atomic;";
  static final String MAX_LENGTH = "Ldev/takt/reflex/MaxLength;";

  static final ClassDesc CD_TASK = ClassDesc.ofInternalName(TASK);
  static final ClassDesc CD_EVENT = ClassDesc.ofInternalName(EVENT);
  static final ClassDesc CD_MEMORY = woven("TaskMemory");
  static final ClassDesc CD_SAVED = woven("Undoable");
  static final ClassDesc CD_POOLED = woven("Pooled");
  static final ClassDesc CD_RAW = woven("ZeroedConstructorMarker");
  static final ClassDesc CD_GUARDED = woven("Guarded");
  static final ClassDesc CD_CALL = woven("AtomicCall");
  static final ClassDesc CD_PLAIN_BARRIER = woven("PlainBarrier");
  private static final ClassDesc CD_UPDATE_GATE = woven("UpdateGate");
  private static final ClassDesc CD_UPDATE_SLOT = woven("UpdateGate$Slot");
  private static final ClassDesc CD_ARRAYS = woven("AtomicArrays");
  private static final ClassDesc CD_VALUES = woven("EventValues");
  private static final ClassDesc CD_POOLS = woven("Pools");
  private static final ClassDesc CD_ARRAY_POOLS = woven("ArrayPools");
  private static final ClassDesc CD_STOP_SITES =
      ClassDesc.of("dev.takt.realtime.stop", "StopSwitch");
  private static final ClassDesc CD_DEBUG = woven("Debug");

  static final MethodTypeDesc MTD_RAW = MethodTypeDesc.of(CD_void, CD_RAW);
  static final MethodTypeDesc MTD_MEMORY = MethodTypeDesc.of(CD_void, CD_MEMORY);
  static final MethodTypeDesc MTD_APPLY = MethodTypeDesc.of(CD_void, CD_int, CD_long, CD_Object);
  static final MethodTypeDesc MTD_STAMP = MethodTypeDesc.of(CD_long);
  static final MethodTypeDesc MTD_NUMBER = MethodTypeDesc.of(CD_int);
  static final MethodTypeDesc MTD_SET_NUMBER = MethodTypeDesc.of(CD_void, CD_int);
  static final MethodTypeDesc MTD_FRESH = MethodTypeDesc.of(CD_Object);

  static final String SAVE = PREFIX + "save";
  static final String RESTORE = PREFIX + "restore";
  static final String APPLY = PREFIX + "apply";
  static final String FRESH = PREFIX + "fresh";
  static final String PUSH = PREFIX + "push";
  static final String POP = PREFIX + "pop";
  static final String NEW = PREFIX + "new";
  static final String SLOT = PREFIX + "slot";
  static final String STAMP = PREFIX + "stamp";
  static final String NUMBER = PREFIX + "number";
  static final String EPOCH = "epoch";
  static final String CLONE = PREFIX + "atomic";
  static final String BODY = PREFIX + "body";

  static final Method CURRENT = fixed(CD_MEMORY, "current", CD_MEMORY);
  static final Method NEXT = bound(CD_MEMORY, "next", CD_Object, CD_int);
  static final Method NEXT_STABLE = bound(CD_MEMORY, "nextStable", CD_Object, CD_int);
  static final Method SAVED = bound(CD_MEMORY, "saved", CD_void, CD_SAVED);
  static final Method SAVE_ARRAY =
      bound(CD_MEMORY, "saveArray", CD_void, CD_Object, CD_Object, CD_int);
  static final Method SHADOW = fixed(CD_MEMORY, "shadow", CD_Object, CD_Object, CD_Object);
  static final Method NEW_ARRAY = fixed(CD_MEMORY, "newArray", CD_Object, CD_int, CD_int);
  static final Method NEW_STABLE_ARRAY =
      fixed(CD_MEMORY, "newStableArray", CD_Object, CD_int, CD_int);
  static final Method NEW_EVENT = fixed(CD_VALUES, "newEvent", CD_EVENT);
  static final Method BOXED = fixed(CD_VALUES, "boxed", CD_Object, CD_EVENT, CD_String);
  static final Method UNBOX_DOUBLE =
      fixed(CD_VALUES, "unboxDouble", CD_double, CD_EVENT, CD_String);
  static final Method UNBOX_LONG = fixed(CD_VALUES, "unboxLong", CD_long, CD_EVENT, CD_String);
  static final Method UNBOX_BOOLEAN =
      fixed(CD_VALUES, "unboxBoolean", CD_boolean, CD_EVENT, CD_String);
  static final Method AS_DOUBLE = fixed(CD_VALUES, "asDouble", CD_double, CD_EVENT, CD_String);
  static final Method PASS_ABORT = fixed(CD_MEMORY, "passAbort", CD_void, CD_Throwable);
  static final Method STOP = fixed(CD_MEMORY, "stop", ClassDesc.of("java.lang.Error"));

  /** What plain code calls, which no task runs. */
  static final Method STOP_PLAIN = fixed(CD_STOP_SITES, "stop", CD_void);

  /** The barrier of plain code, and the gate of its updates. */
  static final Method PLAIN_SAVE = fixed(CD_PLAIN_BARRIER, "save", CD_void, CD_SAVED);

  static final Method PLAIN_SAVE_ARRAY = fixed(CD_PLAIN_BARRIER, "saveArray", CD_void, CD_Object);
  static final Method PLAIN_SAVE_COLLECTION =
      fixed(CD_PLAIN_BARRIER, "saveCollection", CD_void, CD_Object);
  static final Method UPDATE_ENTER = fixed(CD_UPDATE_GATE, "enter", CD_UPDATE_SLOT);
  static final Method UPDATE_EXIT = fixed(CD_UPDATE_GATE, "exit", CD_void, CD_UPDATE_SLOT);

  static final Method PASS_PLAIN = fixed(CD_STOP_SITES, "pass", CD_void, CD_Throwable);
  static final Method REGISTER = fixed(CD_POOLS, "register", CD_int, CD_POOLED);
  static final Method ARRAY_SLOT =
      fixed(CD_ARRAY_POOLS, "slot", CD_int, CD_Class, CD_int, CD_boolean);
  static final Method DEBUG_MADE = fixed(CD_DEBUG, "made", CD_void, CD_Object, CD_String);
  static final Method DEBUG_USED = fixed(CD_DEBUG, "used", CD_void, CD_Object);
  static final Method CALL_BEGIN = fixed(CD_CALL, "begin", CD_CALL, CD_GUARDED);
  static final Method CALL_START = bound(CD_CALL, "start", CD_void);
  static final Method CALL_COMMIT = bound(CD_CALL, "commit", CD_boolean);
  static final Method CALL_FAILED = bound(CD_CALL, "failed", CD_void, CD_Throwable);
  static final Method CALL_FRESH = bound(CD_CALL, "fresh", CD_Object, CD_Object);
  static final Method CALL_MADE = bound(CD_CALL, "made", CD_void, CD_Object);
  static final Method EVENT_ADD = bound(CD_EVENT, "add", CD_EVENT, CD_String, CD_Object);
  static final Method EVENT_GET = bound(CD_EVENT, "get", CD_Object, CD_String);

  /** The bootstrap of the call sites that can end a runaway release. */
  static final DynamicCallSiteDesc STOP_SITE =
      DynamicCallSiteDesc.of(
          MethodHandleDesc.ofMethod(
              DirectMethodHandleDesc.Kind.STATIC,
              CD_STOP_SITES,
              "bootstrap",
              MethodTypeDesc.of(
                  ClassDesc.of("java.lang.invoke.CallSite"),
                  ClassDesc.of("java.lang.invoke.MethodHandles$Lookup"),
                  CD_String,
                  ClassDesc.of("java.lang.invoke.MethodType"))),
          PREFIX + "stop",
          MethodTypeDesc.of(CD_boolean));

  private Abi() {}

  /** Returns all methods of the runtime that woven code calls. */
  public static List<Method> methods() {
    return List.copyOf(METHODS);
  }

  /** The kind under which the runtime keeps values of a kind: small integers are int. */
  static String suffix(TypeKind kind) {
    return switch (kind.asLoadable()) {
      case LONG -> "Long";
      case FLOAT -> "Float";
      case DOUBLE -> "Double";
      case REFERENCE -> "Ref";
      default -> "Int";
    };
  }

  /** The type that goes with {@link #suffix}. */
  static ClassDesc carrier(TypeKind kind) {
    return switch (kind.asLoadable()) {
      case LONG -> CD_long;
      case FLOAT -> CD_float;
      case DOUBLE -> CD_double;
      case REFERENCE -> CD_Object;
      default -> CD_int;
    };
  }

  /** Pushes a value onto the undo log. */
  static Method save(TypeKind kind) {
    return new Method(
        CD_MEMORY, "save" + suffix(kind), MethodTypeDesc.of(CD_void, carrier(kind)), false);
  }

  /** Pops a value from the undo log. */
  static Method restore(TypeKind kind) {
    return new Method(CD_MEMORY, "restore" + suffix(kind), MethodTypeDesc.of(carrier(kind)), false);
  }

  /** Reads a field by way of an atomic call's log: of an object, by number, as it is in memory. */
  static Method atomicRead(TypeKind kind) {
    return atomic("read" + suffix(kind), carrier(kind), CD_Object, CD_int, carrier(kind));
  }

  /** Writes a field into an atomic call's log. */
  static Method atomicWrite(TypeKind kind) {
    return atomic("write" + suffix(kind), CD_void, CD_Object, CD_int, carrier(kind));
  }

  private static Method atomic(String name, ClassDesc result, ClassDesc... parameters) {
    return new Method(CD_CALL, name, MethodTypeDesc.of(result, parameters), false);
  }

  /** What stands for access to arrays in atomic calls; the call comes last. */
  static Method atomicArrays(String name, ClassDesc result, ClassDesc... parameters) {
    MethodTypeDesc type = MethodTypeDesc.of(result, parameters);
    return new Method(CD_ARRAYS, name, type.insertParameterTypes(parameters.length, CD_CALL), true);
  }

  static String atomicGetter(String field, String declaring) {
    return PREFIX + "get$" + field + "$" + mangled(declaring);
  }

  static String atomicSetter(String field, String declaring) {
    return PREFIX + "put$" + field + "$" + mangled(declaring);
  }

  static String setter(String field, String declaring) {
    return PREFIX + "set$" + field + "$" + mangled(declaring);
  }

  /** Stores as an update of its own. */
  static String updater(String field, String declaring) {
    return PREFIX + "update$" + field + "$" + mangled(declaring);
  }

  /** Gives the array of a field to code that may store into it. */
  static String writer(String field, String declaring) {
    return PREFIX + "write$" + field + "$" + mangled(declaring);
  }

  static String arrayStamp(String field) {
    return STAMP + "$" + field;
  }

  static String arrayShadow(String field) {
    return PREFIX + "shadow$" + field;
  }

  /** Makes the shadow of an array beforehand. */
  static String shade(String field) {
    return PREFIX + "shade$" + field;
  }

  static String init(String declaring) {
    return PREFIX + "init$" + mangled(declaring);
  }

  /**
   * A class name as a part of a member's name: a minus sign is legal there, and in no Java name.
   */
  private static String mangled(String internalName) {
    return internalName.replace('/', '-');
  }

  private static ClassDesc woven(String simpleName) {
    return ClassDesc.of("dev.takt.reflex.woven", simpleName);
  }

  private static Method fixed(
      ClassDesc owner, String name, ClassDesc result, ClassDesc... parameters) {
    return listed(new Method(owner, name, MethodTypeDesc.of(result, parameters), true));
  }

  private static Method bound(
      ClassDesc owner, String name, ClassDesc result, ClassDesc... parameters) {
    return listed(new Method(owner, name, MethodTypeDesc.of(result, parameters), false));
  }

  private static Method listed(Method method) {
    METHODS.add(method);
    return method;
  }

  static {
    for (TypeKind kind :
        List.of(TypeKind.INT, TypeKind.LONG, TypeKind.FLOAT, TypeKind.DOUBLE, TypeKind.REFERENCE)) {
      listed(save(kind));
      listed(restore(kind));
      listed(atomicRead(kind));
      listed(atomicWrite(kind));
    }
    listed(
        new Method(CD_STOP_SITES, "bootstrap", STOP_SITE.bootstrapMethod().invocationType(), true));
    for (ClassDesc type :
        List.of(CD_int, CD_long, CD_float, CD_double, CD_short, CD_char, CD_Object)) {
      String kind =
          type.equals(CD_short)
              ? "Short"
              : type.equals(CD_char) ? "Char" : suffix(TypeKind.from(type));
      listed(atomicArrays("load" + kind, type, type.arrayType(), CD_int));
      listed(atomicArrays("store" + kind, CD_void, type.arrayType(), CD_int, type));
    }
    listed(atomicArrays("loadByteOrBoolean", CD_int, CD_Object, CD_int));
    listed(atomicArrays("storeByteOrBoolean", CD_void, CD_Object, CD_int, CD_int));
    listed(atomicArrays("arraycopy", CD_void, CD_Object, CD_int, CD_Object, CD_int, CD_int));
    listed(atomicArrays("fill", CD_void, CD_Object, CD_Object));
    listed(atomicArrays("fill", CD_void, CD_Object, CD_int, CD_int, CD_Object));
  }
}
