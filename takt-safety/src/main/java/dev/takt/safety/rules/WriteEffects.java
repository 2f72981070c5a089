package dev.takt.safety.rules;

import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.classes.TrustedMethods;
import java.util.Set;

/**
 * What methods that are not followed write to: natives, Takt's own, those that are taken on trust.
 * One that is not known here to leave an argument alone counts as writing to it.
 */
final class WriteEffects {
  /** Takt's methods that copy what they are given, only look at it, or only call it. */
  private static final Set<String> TAKT_READS =
      Set.of(
          "<init>",
          "add",
          "asBoolean",
          "asDouble",
          "asLong",
          "equals",
          "matchingDouble",
          "matchingLong",
          "matchingString",
          "not");

  /** What an exception does to itself. */
  private static final Set<String> EXCEPTION_WRITES =
      Set.of("addSuppressed", "fillInStackTrace", "initCause", "setStackTrace");

  /** What writes to an array, of the classes that make text. */
  private static final Set<String> TEXT_WRITES =
      Set.of("fill", "getBytes", "getChars", "parallelPrefix", "setAll", "sort", "asList");

  private static final String UNSAFE = "jdk/internal/misc/Unsafe";

  private WriteEffects() {}

  /** Returns whether what a method writes to is known without following it. */
  static boolean isKnown(MethodInfo method) {
    return method.isNative() || method.owner.name.equals(UNSAFE);
  }

  /**
   * Returns whether a method that is not followed may write to an argument.
   *
   * @param argument its number; of a method that is not static, the first one is the receiver
   */
  static boolean mayWrite(MethodInfo method, int argument) {
    ClassInfo owner = method.owner;
    String name = method.name;
    if (owner.origin == ClassInfo.Origin.TAKT) {
      return !TAKT_READS.contains(name);
    }
    if (TrustedMethods.isExceptionMethod(method)) {
      return argument == 0 && EXCEPTION_WRITES.contains(name);
    }
    return switch (owner.name) {
      case "java/util/DualPivotQuicksort" -> argument == 0;
      case "java/lang/System" -> name.equals("arraycopy") && argument == 2;
      case "java/lang/invoke/VarHandle" -> !name.startsWith("get") || name.startsWith("getAnd");
      case UNSAFE ->
          name.startsWith("copy")
              ? argument == 3
              : argument == 1 && (!name.startsWith("get") || name.startsWith("getAnd"));
      default -> !isRead(method);
    };
  }

  /** The other natives that a task may reach read; so does what makes exceptions and their text. */
  private static boolean isRead(MethodInfo method) {
    return method.isNative() && Natives.isAllowed(method)
        || TrustedMethods.isLeaf(method)
        || TrustedMethods.isTextBuilder(method) && !TEXT_WRITES.contains(method.name);
  }
}
