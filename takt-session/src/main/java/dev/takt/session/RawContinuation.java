package dev.takt.session;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's own continuation, which virtual threads are made of. It is no supported API, so it is
 * looked up by name, and is there only if the JVM exports it to this module.
 *
 * <p><b>Thread rule.</b> One thread at a time.
 */
final class RawContinuation {
  private static final String PACKAGE = "jdk.internal.vm";

  /** Why there is none; null if there is. */
  static final @Nullable String UNAVAILABLE;

  private static final @Nullable MethodHandle MAKE;
  private static final @Nullable MethodHandle RUN;
  private static final @Nullable MethodHandle YIELD;

  static {
    String unavailable = null;
    MethodHandle[] all = new MethodHandle[3];
    try {
      find(all);
    } catch (ReflectiveOperationException | LinkageError e) {
      Module own = RawContinuation.class.getModule();
      unavailable =
          "stepped sessions need the JVM's option --add-exports java.base/%s=%s (%s)"
              .formatted(PACKAGE, own.isNamed() ? own.getName() : "ALL-UNNAMED", e.getMessage());
    }
    UNAVAILABLE = unavailable;
    MAKE = all[0];
    RUN = all[1];
    YIELD = all[2];
  }

  private final Object continuation;

  /** Makes one that is to run a body; {@link #UNAVAILABLE} must be null. */
  RawContinuation(Runnable body) {
    try {
      continuation = (Object) handle(MAKE).invokeExact(body);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static void find(MethodHandle[] all) throws ReflectiveOperationException {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    Class<?> scopeType = Class.forName(PACKAGE + ".ContinuationScope");
    Class<?> type = Class.forName(PACKAGE + ".Continuation");
    Object scope = newScope(lookup, scopeType);
    all[0] =
        lookup
            .findConstructor(type, MethodType.methodType(void.class, scopeType, Runnable.class))
            .bindTo(scope)
            .asType(MethodType.methodType(Object.class, Runnable.class));
    all[1] =
        lookup
            .findVirtual(type, "run", MethodType.methodType(void.class))
            .asType(MethodType.methodType(void.class, Object.class));
    all[2] =
        lookup
            .findStatic(type, "yield", MethodType.methodType(boolean.class, scopeType))
            .bindTo(scope);
  }

  private static Object newScope(MethodHandles.Lookup lookup, Class<?> scopeType)
      throws ReflectiveOperationException {
    MethodHandle make =
        lookup.findConstructor(scopeType, MethodType.methodType(void.class, String.class));
    try {
      return make.invoke("takt session");
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Runs the body until it yields or ends. */
  void run() {
    try {
      handle(RUN).invokeExact(continuation);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * Goes back to who has called {@link #run} of the innermost one.
   *
   * @throws IllegalStateException if a native method is on the stack, or the initializer of a class
   */
  static void yieldNow() {
    try {
      boolean _ = (boolean) handle(YIELD).invokeExact();
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static MethodHandle handle(@Nullable MethodHandle handle) {
    if (handle == null) {
      throw new IllegalStateException(UNAVAILABLE);
    }
    return handle;
  }

  private static RuntimeException unexpected(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    if (thrown instanceof RuntimeException exception) {
      return exception;
    }
    return new IllegalStateException(thrown);
  }
}
