package dev.takt.safety.bytecode;

/**
 * What the weaver leaves in a class: the verifier may look at woven code too, and then takes it for
 * what it was.
 */
final class Woven {
  static final String RUNTIME = "dev/takt/reflex/memory/";
  private static final String ANNOTATION = "Ldev/takt/reflex/memory/Woven;";
  private static final String MARK = "$takt$";

  private Woven() {}

  /** Returns whether a class has been through the weaver. */
  static boolean isWoven(ClassInfo type) {
    return MethodInfo.hasAnnotation(type.model, ANNOTATION);
  }

  /** Returns whether the weaver has added a method. */
  static boolean isAdded(MethodInfo method) {
    return method.name.contains(MARK) && isWoven(method.owner);
  }

  /** Returns whether the weaver has added a field of a class. */
  static boolean isAddedField(ClassInfo declaring, String name) {
    return name.startsWith(MARK) && isWoven(declaring);
  }

  /** Returns whether a call takes the place of a new array. */
  static boolean makesArray(Op.Call call) {
    return call.owner().startsWith(RUNTIME)
        && (call.name().equals("newArray") || call.name().equals("newStableArray"));
  }

  /** Returns whether a call takes the place of a read of an array field before a write. */
  static boolean readsArray(Op.Call call) {
    return call.name().startsWith("$takt$write$");
  }
}
