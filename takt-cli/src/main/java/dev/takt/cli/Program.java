package dev.takt.cli;

import dev.takt.safety.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import picocli.CommandLine;

/**
 * A program's main method, called as {@code java} would call it.
 *
 * @param loader loads the program's classes
 * @param main the name of the class with the method
 */
record Program(ClassLoader loader, String main) {
  /**
   * Calls it on this thread. The program may go on after that, on threads of its own, as any may.
   *
   * @return 0, or 1 if it threw
   * @throws IOException if there is no such class, or no such method in it
   */
  int run(List<String> arguments, PrintWriter err) throws IOException {
    Thread.currentThread().setContextClassLoader(loader);
    try {
      Class<?> type = Class.forName(main, false, loader);
      Method method = mainMethod(type);
      method.setAccessible(true);
      Object[] parameters =
          method.getParameterCount() == 0
              ? new Object[0]
              : new Object[] {arguments.toArray(String[]::new)};
      method.invoke(receiver(type, method), parameters);
      return CommandLine.ExitCode.OK;
    } catch (ClassNotFoundException e) {
      throw new IOException("there is no class " + main + "; name one with --main CLASS", e);
    } catch (InvocationTargetException e) {
      err.print("Exception in thread \"" + Printable.of(Thread.currentThread().getName()) + "\" ");
      e.getCause().printStackTrace(err);
      err.flush();
      return CommandLine.ExitCode.SOFTWARE;
    } catch (ReflectiveOperationException e) {
      throw new IOException(main + " cannot be started: " + e, e);
    }
  }

  private Method mainMethod(Class<?> type) throws IOException {
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      for (Class<?>[] parameters : new Class<?>[][] {{String[].class}, {}}) {
        try {
          Method method = each.getDeclaredMethod("main", parameters);
          if (!Modifier.isPrivate(method.getModifiers())) {
            return method;
          }
        } catch (NoSuchMethodException e) {
          continue; // perhaps the other one, or an inherited one
        }
      }
    }
    throw new IOException(main + " has no main method; name another class with --main CLASS");
  }

  private static Object receiver(Class<?> type, Method method) throws ReflectiveOperationException {
    if (Modifier.isStatic(method.getModifiers())) {
      return null;
    }
    Constructor<?> constructor = type.getDeclaredConstructor();
    constructor.setAccessible(true);
    return constructor.newInstance();
  }
}
