package dev.takt.safety.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the last run of a {@link FolderWeaver} left behind: a hash of each class that it wrote, and
 * one of all that it started from.
 *
 * <p>A file of lines: format, inputs, numbers of tasks and of woven classes, then {@code kind hash
 * name} for each class; the kind is {@code kept}, {@code woven} or {@code added}.
 */
record WeaveState(String inputs, int tasks, int woven, Map<String, Entry> classes) {
  private static final String FORMAT = "takt-weave 1";
  private static final String ADDED = "added";
  private static final WeaveState NONE = new WeaveState("", 0, 0, Map.of());

  /** A class as the last run left it. */
  record Entry(String kind, String hash) {}

  /** Reads it; there is none if the file is not there or is damaged. */
  static WeaveState read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return NONE;
    }
    List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    if (lines.size() < 4 || !lines.getFirst().equals(FORMAT)) {
      return NONE;
    }
    try {
      Map<String, Entry> classes = new TreeMap<>();
      for (String line : lines.subList(4, lines.size())) {
        String[] words = line.split(" ", 3);
        classes.put(words[2], new Entry(words[0], words[1]));
      }
      int tasks = Integer.parseInt(lines.get(2));
      return new WeaveState(lines.get(1), tasks, Integer.parseInt(lines.get(3)), classes);
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      return NONE;
    }
  }

  /** Returns the state after a run. */
  static WeaveState of(
      String inputs,
      int tasks,
      Map<String, byte[]> all,
      Map<String, byte[]> woven,
      Map<String, byte[]> originals) {
    Map<String, Entry> classes = new TreeMap<>();
    all.forEach(
        (name, bytes) -> {
          String kind =
              !originals.containsKey(name) ? ADDED : woven.containsKey(name) ? "woven" : "kept";
          classes.put(name, new Entry(kind, Hashes.of(bytes)));
        });
    return new WeaveState(inputs, tasks, woven.size(), classes);
  }

  /** Writes it. */
  void write(Path file) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append(FORMAT).append('\n').append(inputs).append('\n');
    text.append(tasks).append('\n').append(woven).append('\n');
    classes.forEach(
        (name, entry) ->
            text.append(entry.kind())
                .append(' ')
                .append(entry.hash())
                .append(' ')
                .append(name)
                .append('\n'));
    ClassFiles.writeWhole(file, text.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Returns whether a class is as the last run left it. */
  boolean wrote(String name, byte[] bytes) {
    Entry entry = classes.get(name);
    return entry != null && entry.hash().equals(Hashes.of(bytes));
  }

  /** Returns whether the weaver has added a class, so that it has no original. */
  boolean added(String name) {
    Entry entry = classes.get(name);
    return entry != null && entry.kind().equals(ADDED);
  }

  /** Returns how many classes the weaver has added. */
  int added() {
    return (int) classes.keySet().stream().filter(this::added).count();
  }

  /** Returns whether the last run started from the same inputs, and its output is still there. */
  boolean describes(String inputsNow, Map<String, byte[]> present) {
    return !inputs.isEmpty()
        && inputs.equals(inputsNow)
        && classes.keySet().equals(present.keySet())
        && present.entrySet().stream().allMatch(each -> wrote(each.getKey(), each.getValue()));
  }
}
