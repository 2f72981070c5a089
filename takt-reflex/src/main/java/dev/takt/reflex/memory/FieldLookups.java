package dev.takt.reflex.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;

/**
 * Access to the fields of tasks and their stable objects, in whatever module they are.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class FieldLookups {
  private FieldLookups() {}

  /**
   * Returns a lookup with private access to the class that declares a field.
   *
   * @throws IllegalArgumentException if its module does not open it
   */
  public static MethodHandles.Lookup privateLookup(String taskName, Field field) {
    Class<?> owner = field.getDeclaringClass();
    // Opening is up to the task's module; reading it is up to this one, which cannot know it
    // beforehand.
    FieldLookups.class.getModule().addReads(owner.getModule());
    try {
      return MethodHandles.privateLookupIn(owner, MethodHandles.lookup());
    } catch (IllegalAccessException e) {
      throw new IllegalArgumentException(
          "task "
              + taskName
              + ": field "
              + describe(field)
              + " is not accessible, so it cannot be restored when a"
              + " release is undone; add 'opens "
              + owner.getPackageName()
              + " to dev.takt.reflex;' to module "
              + owner.getModule().getName(),
          e);
    }
  }

  /** Returns a handle of type {@code (Object)Object} that reads a field of reference type. */
  public static MethodHandle getter(MethodHandles.Lookup lookup, Field field) {
    try {
      return lookup
          .unreflectGetter(field)
          .asType(MethodType.methodType(Object.class, Object.class));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("cannot read " + describe(field), e);
    }
  }

  /** Reads a field with what {@link #getter} returned; the value may be null. */
  public static Object get(MethodHandle getter, Object object) {
    try {
      return (Object) getter.invokeExact(object);
    } catch (Throwable e) {
      throw new IllegalStateException("cannot read a field of " + object.getClass().getName(), e);
    }
  }

  /** Returns class and name of a field. */
  public static String describe(Field field) {
    return field.getDeclaringClass().getName() + "." + field.getName();
  }
}
