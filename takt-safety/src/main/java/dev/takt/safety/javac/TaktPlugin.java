package dev.takt.safety.javac;

import com.sun.source.util.JavacTask;
import com.sun.source.util.Plugin;

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

  /**
   * Called by the compiler.
   *
   * @throws IllegalArgumentException if the options are not one of those above, or none
   */
  @Override
  public void init(JavacTask task, String... options) {
    CompilationListener listener = new CompilationListener(task, mode(options));
    FilerExchange.expect(listener::attach);
    task.addTaskListener(listener);
  }

  private static Mode mode(String... options) {
    return switch (String.join(" ", options)) {
      case "" -> Mode.WEAVE;
      case "check" -> Mode.CHECK;
      case "debug" -> Mode.DEBUG;
      case "unchecked" -> Mode.UNCHECKED;
      default ->
          throw new IllegalArgumentException(
              "Takt has no option \""
                  + String.join(" ", options)
                  + "\"; it has check, debug and unchecked");
    };
  }
}
