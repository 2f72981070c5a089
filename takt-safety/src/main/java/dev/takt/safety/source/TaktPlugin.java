package dev.takt.safety.source;

import com.sun.source.util.JavacTask;
import com.sun.source.util.Plugin;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The compiler plugin: reports what breaks a safety rule at its line, while one writes.
 *
 * <p>It starts by itself when it is on the class path or the processor path of {@code javac}, or by
 * {@code -Xplugin:Takt}. There is no option and no way to suppress a finding; who does not want the
 * check leaves the jar off these paths, and meets the same rules in the bytecode verifier.
 *
 * <p>In a compilation that does not see the task runtime it does nothing. A failure of the plugin
 * itself is reported as one warning.
 *
 * <p><b>Thread rule:</b> called by the compiler, on its thread.
 */
public final class TaktPlugin implements Plugin {
  /**
   * The compilations that have one already: a compiler may find the plugin by itself and be told of
   * it too.
   */
  private static final Set<JavacTask> STARTED =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

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
    if (STARTED.add(task)) {
      task.addTaskListener(
          new CompilationListener(
              task,
              (sources, complete) ->
                  new Analysis(task.getTypes(), task.getElements(), sources).run(complete)));
    }
  }
}
