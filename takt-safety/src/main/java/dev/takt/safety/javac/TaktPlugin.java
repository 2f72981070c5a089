package dev.takt.safety.javac;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.Plugin;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import com.sun.source.util.Trees;
import javax.tools.Diagnostic;

/**
 * The compiler plugin: reports what breaks a safety rule at its line, in the compilation that wrote
 * it, and weaves the classes that tasks use if nothing does.
 *
 * <p>It starts by itself when it is on the class path or the processor path of {@code javac}, or by
 * {@code -Xplugin:Takt}. With {@code -Xplugin:"Takt check"} it weaves nothing; with {@code
 * -Xplugin:"Takt debug"} woven code traps uses of transient objects after their release; with
 * {@code -Xplugin:"Takt unchecked"} it weaves without a look at the rules, which is for tests whose
 * tasks assert, count and fail on purpose. A single finding cannot be suppressed.
 *
 * <p>In a compilation that does not see the task runtime it does nothing. A failure of the plugin
 * itself is reported as one warning.
 *
 * <p><b>Thread rule:</b> called by the compiler, on its thread.
 */
public final class TaktPlugin implements Plugin {
  /** What to do. */
  enum Mode {
    WEAVE,
    CHECK,
    DEBUG,
    UNCHECKED
  }

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

  /** Called by the compiler. With options that are not those above the compilation fails. */
  @Override
  public void init(JavacTask task, String... options) {
    switch (String.join(" ", options)) {
      case "" -> listen(task, Mode.WEAVE);
      case "check" -> listen(task, Mode.CHECK);
      case "debug" -> listen(task, Mode.DEBUG);
      case "unchecked" -> listen(task, Mode.UNCHECKED);
      default -> refuse(task, String.join(" ", options));
    }
  }

  private static void listen(JavacTask task, Mode mode) {
    CompilationListener listener = new CompilationListener(task, mode);
    FilerExchange.expect(listener::attach);
    task.addTaskListener(listener);
  }

  /** An exception would make javac crash, so an error is reported in the first source. */
  private static void refuse(JavacTask task, String option) {
    task.addTaskListener(
        new TaskListener() {
          private boolean reported;

          @Override
          public void finished(TaskEvent event) {
            CompilationUnitTree unit = event.getCompilationUnit();
            if (event.getKind() == TaskEvent.Kind.PARSE && unit != null && !reported) {
              reported = true;
              Trees.instance(task)
                  .printMessage(
                      Diagnostic.Kind.ERROR,
                      "-Xplugin:Takt has no option \""
                          + option
                          + "\" (expected: check, debug, unchecked, or none)",
                      unit,
                      unit);
            }
          }
        });
  }
}
