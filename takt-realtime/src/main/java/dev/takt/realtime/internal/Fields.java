package dev.takt.realtime.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Handles of a class's own fields. */
public final class Fields {
  private Fields() {}

  /**
   * Returns the handle of a field; for static initializers.
   *
   * @param lookup of the class that uses the field
   * @param owner the class that declares it
   * @param name its name
   * @param type its type
   */
  public static VarHandle handle(
      MethodHandles.Lookup lookup, Class<?> owner, String name, Class<?> type) {
    try {
      return lookup.findVarHandle(owner, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
