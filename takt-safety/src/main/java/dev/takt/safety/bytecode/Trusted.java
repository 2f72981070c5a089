package dev.takt.safety.bytecode;

import dev.takt.safety.flow.Op;
import java.util.List;
import java.util.Set;

/**
 * The tables of what the analysis takes on trust: methods that it does not follow, each group with
 * the reason.
 */
final class Trusted {
  /** The text that an exception may be given, and the boxes that hold its parts. */
  private static final Set<String> TEXT_BUILDERS =
      Set.of(
          "java/lang/String",
          "java/lang/StringBuilder",
          "java/lang/AbstractStringBuilder",
          "java/lang/Boolean",
          "java/lang/Byte",
          "java/lang/Character",
          "java/lang/Short",
          "java/lang/Integer",
          "java/lang/Long",
          "java/lang/Float",
          "java/lang/Double",
          "java/lang/Math",
          "java/lang/Class",
          "java/lang/Enum",
          "java/util/Arrays",
          "java/util/Objects");

  /**
   * JDK methods that are not followed.
   *
   * <ul>
   *   <li>Enum look-up by name fills a table of the enum class by reflection the first time;
   *       afterwards it is a read of that table.
   *   <li>{@code Math.fma} is an instruction; where the processor has none, the interpreter
   *       computes with BigDecimal.
   *   <li>Sorting an array of primitives runs in the calling thread: parallelism is an argument of
   *       the shared implementation, and is 0 here.
   * </ul>
   */
  private static final Set<String> JDK_LEAVES =
      Set.of(
          "java/lang/Enum.valueOf",
          "java/lang/Class.getEnumConstantsShared",
          "java/lang/Class.enumConstantDirectory",
          "java/lang/Class.getName",
          "java/lang/Class.desiredAssertionStatus",
          "java/lang/Math.fma",
          "java/util/DualPivotQuicksort.sort");

  /** Methods that code of the JDK calls on an exception that it gets or makes. */
  static final List<String> THROWABLE_CALLBACKS =
      List.of(
          "fillInStackTrace()Ljava/lang/Throwable;",
          "getMessage()Ljava/lang/String;",
          "getLocalizedMessage()Ljava/lang/String;",
          "getCause()Ljava/lang/Throwable;",
          "toString()Ljava/lang/String;");

  static final String TO_STRING = "toString()Ljava/lang/String;";

  /** Objects that there are without a {@code new}. */
  static final List<String> ALWAYS_THERE = List.of("java/lang/Object", "java/lang/String");

  /** What takt hands out as an unmodifiable list. */
  static final List<String> LISTS =
      List.of("java/util/ImmutableCollections$ListN", "java/util/ImmutableCollections$List12");

  /** Objects that come out of events. */
  static final List<String> EVENT_VALUES =
      List.of(
          "java/lang/Boolean",
          "java/lang/Byte",
          "java/lang/Character",
          "java/lang/Short",
          "java/lang/Integer",
          "java/lang/Long",
          "java/lang/Float",
          "java/lang/Double");

  /** How the names of methods begin that put something into a collection or map. */
  private static final List<String> KEEPING =
      List.of("add", "put", "offer", "push", "set", "insert", "replace", "merge", "compute");

  private Trusted() {}

  /** Returns whether a class is takt's own and called by a table; its collections are analysed. */
  static boolean isTakt(String name) {
    return name.startsWith("dev/takt/space/")
        || name.startsWith("dev/takt/realtime/")
        || name.startsWith("dev/takt/rtsj/")
        || (name.startsWith("dev/takt/reflex/") && !name.startsWith("dev/takt/reflex/stable/"));
  }

  static boolean isSignaturePolymorphic(String name) {
    return name.equals("java/lang/invoke/MethodHandle")
        || name.equals("java/lang/invoke/VarHandle");
  }

  /** Returns whether a call makes text of an object whose class is not known at the call. */
  static boolean makesTextOfAnything(Op.Call call) {
    return (TEXT_BUILDERS.contains(call.owner()) || call.name().equals("toString"))
        && (call.descriptor().contains("Ljava/lang/Object;")
            || (call.name().equals("toString") && call.owner().equals("java/lang/Object")));
  }

  /** Returns whether a method makes the text of an exception: not followed on abort paths. */
  static boolean isTextBuilder(MethodInfo method) {
    return method.owner.isJdk()
        && (TEXT_BUILDERS.contains(method.owner.name) || method.selector.equals(TO_STRING));
  }

  /** Returns whether a text builder can call {@code toString} of any object. */
  static boolean callsBack(MethodInfo textBuilder) {
    return textBuilder.descriptor.contains("Ljava/lang/Object;")
        || !TEXT_BUILDERS.contains(textBuilder.owner.name);
  }

  /** Returns whether a method is not followed although it is live. */
  static boolean isLeaf(MethodInfo method) {
    ClassInfo owner = method.owner;
    if (owner.origin == ClassInfo.Origin.TAKT) {
      return true;
    }
    return owner.isJdk()
        && (JDK_LEAVES.contains(owner.name + "." + method.name)
            || isExceptionMethod(method)
            || makesException(method));
  }

  /**
   * Returns whether it is a method of the JDK whose result is an exception. It makes one: somebody
   * is about to throw it.
   */
  private static boolean makesException(MethodInfo method) {
    String descriptor = method.descriptor;
    if (!descriptor.endsWith("Exception;")
        && !descriptor.endsWith("Error;")
        && !descriptor.endsWith("Throwable;")) {
      return false;
    }
    String result = descriptor.substring(descriptor.indexOf(')') + 2, descriptor.length() - 1);
    return method.owner.world.isSubtype(result, "java/lang/Throwable");
  }

  /**
   * Returns whether it is a method of a JDK exception. They lock the exception itself, which no
   * other thread knows.
   */
  static boolean isExceptionMethod(MethodInfo method) {
    return method.owner.isJdk()
        && method.owner.is("java/lang/Throwable")
        && !method.name.equals("printStackTrace");
  }

  /**
   * Returns whether a call does no more with arrays that it is given than read and write their
   * elements.
   */
  static boolean onlyReadsOrWritesArrays(Op.Call call) {
    return call.owner().startsWith("[")
        || call.owner().equals("java/lang/System") && call.name().equals("arraycopy")
        || call.owner().equals("java/util/Arrays")
            && !call.name().equals("asList")
            && !call.name().equals("stream")
        || call.owner().equals("java/lang/Object")
        || call.owner().equals("java/util/Objects") && call.name().startsWith("requireNonNull")
        || call.owner().equals("java/lang/String")
        || call.owner().equals("java/lang/StringBuilder")
        || call.owner().startsWith("dev/takt/space/")
        || call.owner().startsWith("dev/takt/reflex/woven/");
  }

  /** Returns whether the result of a call of the JDK refers to what the call was given. */
  static boolean wraps(Op.Call call) {
    return call.owner().startsWith("java/util/")
        && (call.name().equals("of")
            || call.name().equals("ofNullable")
            || call.name().equals("entry")
            || call.name().equals("asList")
            || call.name().startsWith("requireNonNull")
            || call.name().startsWith("unmodifiable")
            || call.name().startsWith("singleton"));
  }

  /** Returns whether a call of the JDK puts what it is given into the receiver. */
  static boolean keeps(ClassInfo owner, Op.Call call) {
    if (call.kind() == Op.CallKind.STATIC || !call.descriptor().contains("Ljava/lang/Object;")) {
      return false;
    }
    boolean container = owner.is("java/util/Collection") || owner.is("java/util/Map");
    return container && KEEPING.stream().anyMatch(call.name()::startsWith)
        || owner.is("java/util/ListIterator") && call.name().equals("set");
  }
}
