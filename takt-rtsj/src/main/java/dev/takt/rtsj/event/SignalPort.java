package dev.takt.rtsj.event;

import dev.takt.realtime.os.Shortfall;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The way to the JDK's signals, which have no supported interface: those of the module {@code
 * jdk.unsupported}, by reflection, so that a program without that module starts all the same and
 * the compiler has nothing to warn of.
 *
 * <p><b>Thread rule:</b> one thread installs, one restores; the handler runs on any.
 */
final class SignalPort {
  private static final String SIGNAL = "sun.misc.Signal";
  private static final String HANDLER = "sun.misc.SignalHandler";

  private final String name;
  private final Runnable action;
  private @Nullable Method handle;
  private @Nullable Object signal;
  private @Nullable Object own;

  /** What was there before; null until it is known, a moment after the first signal can come. */
  private volatile @Nullable Object old;

  SignalPort(String name, Runnable action) {
    this.name = name;
    this.action = action;
  }

  /** Puts the action in the place of the signal's present handler. */
  void install() throws ReflectiveOperationException {
    Class<?> signalClass = Class.forName(SIGNAL);
    Class<?> handlerClass = Class.forName(HANDLER);
    Object made = signalClass.getConstructor(String.class).newInstance(name);
    Method set = signalClass.getMethod("handle", signalClass, handlerClass);
    Object handler =
        Proxy.newProxyInstance(
            SignalPort.class.getClassLoader(), new Class<?>[] {handlerClass}, this::invoked);
    signal = made;
    handle = set;
    own = handler;
    synchronized (SignalPort.class) { // not while another one looks what is there
      old = set.invoke(null, made, handler);
    }
  }

  private @Nullable Object invoked(Object proxy, Method method, Object @Nullable [] arguments)
      throws ReflectiveOperationException {
    return switch (method.getName()) {
      case "handle" -> {
        action.run();
        chain(method, arguments);
        yield null;
      }
      case "equals" -> arguments != null && proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      default -> "handler of " + name;
    };
  }

  /** Calls the handler that was there before, unless it is the system's default or none. */
  private void chain(Method method, Object @Nullable [] arguments)
      throws ReflectiveOperationException {
    Object before = old;
    if (before == null) {
      return;
    }
    Class<?> handlerClass = method.getDeclaringClass();
    if (before != handlerClass.getField("SIG_DFL").get(null)
        && before != handlerClass.getField("SIG_IGN").get(null)) {
      method.invoke(before, arguments);
    }
  }

  /**
   * Puts back what was there before. If other code has put a handler in our place meanwhile, it
   * stays; it may go on to call ours, which goes on to call what was there before.
   */
  void restore() throws ReflectiveOperationException {
    Method set = Objects.requireNonNull(handle, "restored before it was installed");
    synchronized (SignalPort.class) {
      restore(handler -> set.invoke(null, signal, handler), own, old);
    }
  }

  /**
   * What is there can be asked for only by putting something in its place. That is ours, not what
   * was before: the system's default would, for a moment, end the process at the first signal. A
   * signal that comes in that moment goes to what was before, if that is a handler, and not to the
   * one that is put back.
   */
  static void restore(Setter setter, @Nullable Object own, @Nullable Object old)
      throws ReflectiveOperationException {
    Object current = setter.set(own);
    setter.set(current == own ? old : current);
  }

  /** Puts a handler in the place of the present one, and returns that. */
  interface Setter {
    @Nullable Object set(@Nullable Object handler) throws ReflectiveOperationException;
  }

  /** Returns why a signal could not be bound. */
  static Shortfall shortfall(String name, Exception failure) {
    Throwable cause =
        failure instanceof InvocationTargetException wrapped && wrapped.getCause() != null
            ? wrapped.getCause()
            : failure;
    String remedy =
        failure instanceof ClassNotFoundException
            ? "start with --add-modules jdk.unsupported"
            : "use another signal";
    return new Shortfall("signal", name, String.valueOf(cause.getMessage()), remedy);
  }
}
