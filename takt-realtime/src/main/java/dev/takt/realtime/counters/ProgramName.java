package dev.takt.realtime.counters;

/**
 * What a JVM runs, in a word or two.
 *
 * <p><b>Thread rule:</b> any thread.
 */
final class ProgramName {
  private static final String COMMANDS = "dev.takt.cli.Main";

  private ProgramName() {}

  static String find() {
    return of(System.getProperty("sun.java.command", ""));
  }

  /** Returns the main class without its package, or the jar without its folder. */
  static String of(String command) {
    String[] words = command.strip().split("\\s+", 3);
    String main = afterLast(words[0], '/');
    if (main.equals(COMMANDS)) {
      return words.length > 1 ? "takt " + afterLast(words[1], '/') : "takt";
    }
    String name = main.endsWith(".jar") ? main : afterLast(main, '.');
    return name.isEmpty() ? "java" : name;
  }

  private static String afterLast(String text, char separator) {
    return text.substring(text.lastIndexOf(separator) + 1);
  }
}
