package dev.takt.safety.source;

import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;

/** The types of the task runtime, which this module knows by name only. */
final class Names {
  static final String TASK = "dev.takt.reflex.ReflexTask";
  static final String STABLE = "dev.takt.space.Stable";
  static final String ATOMIC = "dev.takt.reflex.Atomic";
  static final String NO_ALLOC = "dev.takt.reflex.NoAlloc";
  static final String MAX_LENGTH = "dev.takt.reflex.MaxLength";
  static final String EVENT = "dev.takt.space.Event";
  static final String EVENT_SPACE = "dev.takt.space.EventSpace";
  static final String ABORT = "dev.takt.space.Abort";
  static final String CAPSULE = "dev.takt.space.Capsule";

  /** What the runtime calls on a task by itself. */
  static final Set<String> ENTRIES = Set.of("initialize", "execute", "warmUp");

  /** The packages whose classes are leaves: their own tests and checks answer for them. */
  private static final Set<String> TRUSTED =
      Set.of("dev.takt.space", "dev.takt.reflex", "dev.takt.reflex.woven");

  private Names() {}

  /** Returns whether a class belongs to the runtime itself. */
  static boolean isTrusted(String packageName) {
    return TRUSTED.contains(packageName);
  }

  /** Returns the name of a field or method with that of its class: {@code Order.price}. */
  static String shortName(Element member) {
    return member.getEnclosingElement() instanceof TypeElement owner
        ? className(owner) + "." + member.getSimpleName()
        : member.getSimpleName().toString();
  }

  /** Returns the name of a class as people write it: without its package. */
  static String className(TypeElement type) {
    if (type.getSimpleName().isEmpty()) {
      return "an anonymous class";
    }
    Element around = type.getEnclosingElement();
    return around instanceof TypeElement outer && !outer.getSimpleName().isEmpty()
        ? className(outer) + "." + type.getSimpleName()
        : type.getSimpleName().toString();
  }
}
