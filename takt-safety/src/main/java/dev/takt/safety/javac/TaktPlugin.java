package dev.takt.safety.javac;

import com.sun.source.util.JavacTask;
import com.sun.source.util.Plugin;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The compiler plugin: reports what breaks a safety rule at its line, in the compilation that wrote
 * it.
 *
 * <p>It starts by itself when it is on the class path or the processor path of {@code javac}, or by
 * {@code -Xplugin:Takt}. There is no option and no way to suppress a finding; a build that does not
 * want the check leaves the jar off these paths, and meets the same rules in the bytecode verifier.
 *
 * <p>In a compilation that does not see the task runtime it does nothing. A failure of the plugin
 * itself is reported as one warning.
 *
 * <p><b>Thread rule:</b> called by the compiler, on its thread.
 */
public final class TaktPlugin implements Plugin {
  /** The running compilations; a compiler may start the plugin by itself and be told of it, too. */
  private static final Map<JavacTask, CompilationListener> RUNNING =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** Made by the compiler. */
  public TaktPlugin() {}

  @Override
  public String getName() {
    return "Takt";
  }

  @Override
  public boolean autoStart() {
    return true;
  }

  @Override
  public void init(JavacTask task, String... args) {
    if (!RUNNING.containsKey(task)) {
      CompilationListener listener = new CompilationListener(task);
      RUNNING.put(task, listener);
      task.addTaskListener(listener);
    }
  }

  /** Returns the listener of a compilation, or null if the plugin was not started in it. */
  static @Nullable CompilationListener in(JavacTask task) {
    return RUNNING.get(task);
  }
}
