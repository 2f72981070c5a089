package dev.takt.cli.schedule;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.jr.ob.JSON;
import dev.takt.cpu.analysis.TaskModel;
import dev.takt.realtime.TimeText;
import dev.takt.safety.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A set of tasks in a file: JSON, an array of objects, or CSV with a heading. The columns are
 * {@code name}, {@code cost}, {@code period}, {@code deadline} (default: the period), {@code
 * jitter}, {@code blocking} and {@code suspension} (default: 0); times have a unit, {@code ns},
 * {@code us}, {@code ms} or {@code s}, as in {@code 2.5ms}.
 */
public final class TaskSetFile {
  /** The longest file, in bytes. */
  public static final int MAX_BYTES = 1 << 20;

  /** The most tasks. */
  public static final int MAX_TASKS = 1_000;

  private static final Set<String> COLUMNS =
      Set.of("name", "cost", "period", "deadline", "jitter", "blocking", "suspension");

  /** What some editors begin a file with. */
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private TaskSetFile() {}

  /**
   * Reads a file.
   *
   * @throws IOException if it cannot be read or says something else; the message names the place
   */
  public static List<TaskModel> read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException(file + " is a folder (expected: a file, JSON or CSV)");
    }
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    }
    if (bytes.length > MAX_BYTES) {
      throw new IOException(file + " is longer than " + MAX_BYTES + " bytes; give fewer tasks");
    }
    String text = utf8(file, bytes);
    text = (text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text).stripTrailing();
    String begin = text.stripLeading(); // the text keeps its lines, which are told
    if (begin.startsWith("{")) {
      throw new IOException(
          file + " is a JSON object (expected: an array of tasks, [{\"name\":…, \"cost\":…, …}])");
    }
    List<TaskModel> tasks = begin.startsWith("[") ? json(file, text) : csv(file, text);
    if (tasks.isEmpty() || tasks.size() > MAX_TASKS) {
      throw new IOException(
          "%s has %s tasks (expected: 1 to %s)".formatted(file, tasks.size(), MAX_TASKS));
    }
    Set<String> names = new HashSet<>();
    for (TaskModel each : tasks) {
      if (!names.add(each.name())) {
        throw new IOException(file + ": the name " + each.name() + " is there twice");
      }
    }
    return tasks;
  }

  private static String utf8(Path file, byte[] bytes) throws IOException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new IOException(file + " is no text in UTF-8; save it as that", e);
    }
  }

  private static List<TaskModel> json(Path file, String text) throws IOException {
    List<TaskModel> tasks = new ArrayList<>();
    try {
      for (Object each : JSON.std.listFrom(text)) {
        String place = "%s: task %s".formatted(file, tasks.size() + 1);
        if (!(each instanceof Map<?, ?> members)) {
          throw new IOException(place + " is no object (expected: {\"name\":…, \"cost\":…, …})");
        }
        Map<String, String> values = new LinkedHashMap<>();
        members.forEach((key, value) -> values.put(key.toString(), String.valueOf(value)));
        requireColumns(place, values.keySet());
        tasks.add(task(place, values));
      }
    } catch (JacksonException e) {
      throw new IOException(
          "%s: line %s: %s"
              .formatted(
                  file,
                  e.getLocation() == null ? "?" : e.getLocation().getLineNr(),
                  e.getOriginalMessage().lines().findFirst().orElse("")),
          e);
    }
    return tasks;
  }

  private static List<TaskModel> csv(Path file, String text) throws IOException {
    List<String> lines = text.lines().toList();
    int heading = 0;
    while (heading < lines.size() && lines.get(heading).isBlank()) {
      heading++;
    }
    if (heading == lines.size()) {
      return List.of();
    }
    List<String> columns = cells(lines.get(heading));
    requireColumns("%s: line %s".formatted(file, heading + 1), columns);
    List<TaskModel> tasks = new ArrayList<>();
    for (int i = heading + 1; i < lines.size(); i++) {
      List<String> cells = cells(lines.get(i));
      String place = "%s: line %s".formatted(file, i + 1);
      if (lines.get(i).isBlank()) {
        continue;
      }
      if (cells.size() != columns.size()) {
        throw new IOException(
            "%s has %s cells (expected: %s, as the heading %s)"
                .formatted(place, cells.size(), columns.size(), columns));
      }
      Map<String, String> values = new LinkedHashMap<>();
      for (int column = 0; column < cells.size(); column++) {
        values.put(columns.get(column), cells.get(column));
      }
      tasks.add(task(place, values));
    }
    return tasks;
  }

  private static List<String> cells(String line) {
    return List.of(line.split(",", -1)).stream().map(TaskSetFile::unquoted).toList();
  }

  /** Spreadsheets put text into quotes. */
  private static String unquoted(String cell) {
    String text = cell.strip();
    boolean quoted = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
    return quoted ? text.substring(1, text.length() - 1).strip() : text;
  }

  private static void requireColumns(String place, Collection<String> columns) throws IOException {
    Set<String> known = new HashSet<>();
    for (String each : columns) {
      if (!COLUMNS.contains(each)) {
        throw new IOException(
            "%s: \"%s\" is unknown (expected: name, cost, period, deadline, jitter, blocking,"
                    .formatted(place, each)
                + " suspension)");
      }
      if (!known.add(each)) {
        throw new IOException("%s: the column %s is there twice".formatted(place, each));
      }
    }
  }

  private static TaskModel task(String place, Map<String, String> values) throws IOException {
    String name = values.getOrDefault("name", place.substring(place.lastIndexOf(' ') + 1));
    if (name.isBlank() || !Printable.of(name).equals(name)) {
      throw new IOException(
          "%s: name=\"%s\" (expected: something, without control characters)"
              .formatted(place, name));
    }
    long periodNs = timeNs(place, values, "period", -1);
    try {
      return new TaskModel(
          name,
          timeNs(place, values, "cost", -1),
          periodNs,
          timeNs(place, values, "deadline", periodNs),
          timeNs(place, values, "jitter", 0),
          timeNs(place, values, "blocking", 0),
          timeNs(place, values, "suspension", 0));
    } catch (IllegalArgumentException e) {
      throw new IOException(place + ": " + e.getMessage(), e);
    }
  }

  private static long timeNs(String place, Map<String, String> values, String key, long absentNs)
      throws IOException {
    String text = values.getOrDefault(key, "");
    if (text.isEmpty() && absentNs >= 0) {
      return absentNs;
    }
    return TimeText.parseNs(text)
        .orElseThrow(
            () ->
                new IOException(
                    ("%s: %s=\"%s\" is no time (expected: a number and ns, us, ms or s, as 2.5ms, in"
                            + " whole nanoseconds)")
                        .formatted(place, key, text)));
  }
}
