package dev.takt.safety.classes;

import dev.takt.safety.JdkTable;
import dev.takt.safety.TaskApi;
import dev.takt.safety.flow.Op;
import java.util.List;
import java.util.Set;

/**
 * The tables of what the analysis takes on trust: methods that it does not follow, each group with
 * the reason.
 */
public final class TrustedMethods {
  private static final Set<String> TEXT_BUILDERS = JdkTable.under("text");
  private static final Set<String> JDK_LEAVES = JdkTable.under("leaves");

  /** Methods that code of the JDK calls on an exception that it gets or makes. */
  public static final List<String> THROWABLE_CALLBACKS =
      List.of(
          "fillInStackTrace()Ljava/lang/Throwable;",
          "getMessage()Ljava/lang/String;",
          "getLocalizedMessage()Ljava/lang/String;",
          "getCause()Ljava/lang/Throwable;",
          "toString()Ljava/lang/String;");

  public static final String TO_STRING = "toString()Ljava/lang/String;";

  /** Objects that there are without a {@code new}. */
  public static final List<String> ALWAYS_THERE = List.of("java/lang/Object", "java/lang/String");

  /** What takt hands out as an unmodifiable list. */
  public static final List<String> LISTS =
      List.of("java/util/ImmutableCollections$ListN", "java/util/ImmutableCollections$List12");

  /** Objects that come out of events. */
  public static final Set<String> EVENT_VALUES = JdkTable.under("values of events");

  /** How the names of methods begin that put something into a collection or map. */
  private static final List<String> KEEPING =
      List.of("add", "put", "offer", "push", "set", "insert", "replace", "merge", "compute");

  private TrustedMethods() {}

  /**
   * Returns whether a class is takt's own and called by a table; its collections are analysed. No
   * task may call the CPU manager or persistence, but an application may bundle them.
   */
  static boolean isTakt(String name) {
    return TaskApi.isTrusted(name.replace('/', '.'))
        || name.startsWith("dev/takt/cpu/")
        || name.startsWith("dev/takt/persist/");
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
  public static boolean isTextBuilder(MethodInfo method) {
    return method.owner.isJdk()
        && (TEXT_BUILDERS.contains(method.owner.name) || method.selector.equals(TO_STRING));
  }

  /** Returns whether a text builder can call {@code toString} of any object. */
  public static boolean callsBack(MethodInfo textBuilder) {
    return textBuilder.descriptor.contains("Ljava/lang/Object;")
        || !TEXT_BUILDERS.contains(textBuilder.owner.name);
  }

  /** Returns whether a method is not followed although it is live. */
  public static boolean isLeaf(MethodInfo method) {
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
  public static boolean isExceptionMethod(MethodInfo method) {
    return method.owner.isJdk()
        && method.owner.is("java/lang/Throwable")
        && !method.name.equals("printStackTrace");
  }

  /**
   * Returns whether a call does no more with arrays that it is given than read and write their
   * elements.
   */
  public static boolean onlyReadsOrWritesArrays(Op.Call call) {
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
  public static boolean keeps(ClassInfo owner, Op.Call call) {
    if (call.kind() == Op.CallKind.STATIC || !call.descriptor().contains("Ljava/lang/Object;")) {
      return false;
    }
    boolean container = owner.is("java/util/Collection") || owner.is("java/util/Map");
    return container && KEEPING.stream().anyMatch(call.name()::startsWith)
        || owner.is("java/util/ListIterator") && call.name().equals("set");
  }

  /** Returns whether a method hands out a value of an event, of whatever class it is. */
  public static boolean returnsAnything(MethodInfo method) {
    return method.owner.name.equals("dev/takt/space/Event")
        && method.descriptor.endsWith(")Ljava/lang/Object;");
  }

  /** Returns whether a method takes a value for an event or template, of whatever class it is. */
  public static boolean takesAnything(MethodInfo method) {
    return (method.owner.name.equals("dev/takt/space/Event")
            || method.owner.name.equals("dev/takt/space/Template"))
        && method.descriptor.startsWith("(Ljava/lang/String;Ljava/lang/Object;)");
  }
}
