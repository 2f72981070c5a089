package dev.takt.safety;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A table of methods under headings, read from a resource; {@code forbidden-api.txt} explains the
 * form.
 *
 * <p>Immutable; any thread.
 */
final class ApiTable {
  /**
   * One line of the table.
   *
   * @param heading the first line above that is not indented
   * @param name a class, a package that ends in {@code .*}, or a class with its nested ones that
   *     ends in {@code $}
   * @param methods the methods; empty for all of them
   */
  record Entry(String heading, String name, Set<String> methods) {
    private boolean matches(String className, String method) {
      return isIn(className) && (methods.isEmpty() || methods.contains(method));
    }

    private boolean isIn(String className) {
      String beginning = name.substring(0, name.length() - 1);
      return name.endsWith(".*")
          ? className.startsWith(beginning)
          : className.equals(name)
              || name.endsWith("$") && (className.startsWith(name) || className.equals(beginning));
    }
  }

  private final List<Entry> entries = new ArrayList<>();

  ApiTable(String resource) {
    String heading = "";
    for (String line : lines(resource)) {
      if (line.startsWith(" ")) {
        String[] words = line.strip().split(" ", 2);
        Set<String> methods = words.length == 1 ? Set.of() : Set.of(words[1].split(" "));
        entries.add(new Entry(heading, words[0], methods));
      } else {
        heading = line;
      }
    }
  }

  private static List<String> lines(String resource) {
    List<String> lines = new ArrayList<>();
    try (BufferedReader in = Resources.open(resource)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith("    ")) {
          lines.add(lines.removeLast() + " " + line.strip());
        } else if (!line.isEmpty() && !line.startsWith("#")) {
          lines.add(line);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines;
  }

  List<Entry> entries() {
    return entries;
  }

  /** Returns the heading of the first line that fits a method, or null. */
  @Nullable String find(String className, String method) {
    for (Entry each : entries) {
      if (each.matches(className, method)) {
        return each.heading();
      }
    }
    return null;
  }
}
