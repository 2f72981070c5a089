package dev.takt.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * One of several applications as a command line names it: {@code [--main CLASS] [--class-path PATH]
 * JAR [-- ARGUMENT... [--]]}.
 *
 * @param name its name, different from those of the others: that of the jar
 * @param main the class to start; null: its manifest names it
 * @param classPath what it uses beside what its manifest names; may be empty
 */
record ApplicationWords(
    String name, Path jar, String main, String classPath, List<String> arguments) {
  /** The most applications in one process. */
  static final int MAX_APPLICATIONS = 64;

  private static final String SEPARATOR = "--";

  /**
   * Takes apart what follows the options of the command.
   *
   * @param main what was said for the first one
   * @param classPath what was said for the first one
   * @param first the first jar
   * @throws IllegalArgumentException if the words are not as they must be; the message is for users
   */
  static List<ApplicationWords> parse(
      String main, String classPath, Path first, List<String> words) {
    List<ApplicationWords> found = new ArrayList<>();
    Set<String> names = new HashSet<>();
    Iterator<String> rest = words.iterator();
    Path jar = first;
    while (true) {
      List<String> arguments = new ArrayList<>();
      String next = next(rest);
      if (SEPARATOR.equals(next)) {
        for (next = next(rest); next != null && !next.equals(SEPARATOR); next = next(rest)) {
          arguments.add(next);
        }
        next = next(rest);
      }
      found.add(
          new ApplicationWords(
              name(jar, names), jar, main, classPath == null ? "" : classPath, arguments));
      if (next == null) {
        return found;
      }
      checkCount(found.size() + 1);
      main = null;
      classPath = null;
      while (next.startsWith("-")) {
        if (next.equals("--main") || next.startsWith("--main=")) {
          main = value(next, rest);
        } else if (next.equals("--class-path") || next.startsWith("--class-path=")) {
          classPath = value(next, rest);
        } else {
          throw new IllegalArgumentException(
              ("unknown option %s before a jar (expected: --main or --class-path; arguments of a jar"
                      + " stand between -- and --)")
                  .formatted(next));
        }
        next = next(rest);
        if (next == null) {
          throw new IllegalArgumentException("a jar is missing after the last option");
        }
      }
      jar = path(next);
    }
  }

  /**
   * Checks that so many may run in one process.
   *
   * @throws IllegalArgumentException if they are too many
   */
  static void checkCount(int applications) {
    if (applications > MAX_APPLICATIONS) {
      throw new IllegalArgumentException(
          "more than %s jars (limit: %s); start them in several processes"
              .formatted(MAX_APPLICATIONS, MAX_APPLICATIONS));
    }
  }

  private static String next(Iterator<String> words) {
    return words.hasNext() ? words.next() : null;
  }

  private static String value(String option, Iterator<String> rest) {
    int equals = option.indexOf('=');
    String value = equals < 0 ? next(rest) : option.substring(equals + 1);
    if (value == null || value.isEmpty()) {
      throw new IllegalArgumentException("a value is missing after " + option);
    }
    return value;
  }

  private static Path path(String text) {
    try {
      if (!text.isEmpty()) {
        return Path.of(text);
      }
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    throw new IllegalArgumentException("the path of a jar is empty");
  }

  /** The name of the file without its ending; the second of a name is {@code name-2}. */
  static String name(Path jar, Set<String> names) {
    Path file = jar.toAbsolutePath().normalize().getFileName();
    String name = file == null ? "application" : file.toString().replaceFirst("\\.jar$", "");
    String free = name;
    for (int i = 2; !names.add(free); i++) {
      free = name + "-" + i;
    }
    return free;
  }
}
