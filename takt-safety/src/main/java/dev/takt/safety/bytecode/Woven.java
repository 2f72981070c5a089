package dev.takt.safety.bytecode;

/** The mark that the weaver leaves. Anybody can write it, so it proves nothing. */
final class Woven {
  private static final String ANNOTATION = "Ldev/takt/reflex/woven/Woven;";

  private Woven() {}

  /** Returns whether a class says that it has been through the weaver. */
  static boolean isMarked(ClassInfo type) {
    return MethodInfo.hasAnnotation(type.model, ANNOTATION);
  }
}
