package dev.takt.safety.reach;

import dev.takt.safety.classes.MethodInfo;

/** The API of takt as a task may use it. */
final class EventAccessors {
  private EventAccessors() {}

  /** Returns whether a method hands out a value of an event, of whatever class it is. */
  static boolean returnsAnything(MethodInfo method) {
    return method.owner.name.equals("dev/takt/space/Event")
        && method.descriptor.endsWith(")Ljava/lang/Object;");
  }

  /** Returns whether a method takes a value for an event or template, of whatever class it is. */
  static boolean takesAnything(MethodInfo method) {
    return (method.owner.name.equals("dev/takt/space/Event")
            || method.owner.name.equals("dev/takt/space/Template"))
        && method.descriptor.startsWith("(Ljava/lang/String;Ljava/lang/Object;)");
  }
}
