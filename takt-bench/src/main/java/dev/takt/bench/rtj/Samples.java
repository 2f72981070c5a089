package dev.takt.bench.rtj;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What a case found: named series of samples, in the order in which they were taken, and facts. A
 * measuring JVM and a floor print the same text:
 *
 * <pre>
 *   series NAME VALUE…
 *   fact NAME TEXT
 * </pre>
 *
 * <p><b>Thread rule:</b> not thread-safe.
 */
public final class Samples {
  /** How many values a series has at most: more than any case takes. */
  static final int MAX_VALUES = 1_000_000;

  /** How many series and facts there are at most. */
  static final int MAX_NAMES = 1_000;

  /** How the names of the floor's series begin. */
  private static final String FLOOR = "floor.";

  private static final int MAX_TEXT = 2_000;
  private static final String SERIES = "series ";
  private static final String FACT = "fact ";
  private static final Pattern NAME = Pattern.compile("[a-z0-9.-]{1,80}");

  private final Map<String, long[]> series = new LinkedHashMap<>();
  private final Map<String, String> facts = new LinkedHashMap<>();

  /** Adds values to a series, after those it has. */
  public void add(String name, long... values) {
    long[] before = series.getOrDefault(checked(name), new long[0]);
    if (before.length + values.length > MAX_VALUES) {
      throw new IllegalArgumentException(
          name + " has more than " + MAX_VALUES + " values; take fewer samples");
    }
    long[] all = Arrays.copyOf(before, before.length + values.length);
    System.arraycopy(values, 0, all, before.length, values.length);
    series.put(name, all);
    checkCount();
  }

  /** Notes a fact, in place of the one of the same name. */
  public void fact(String name, String text) {
    String line = text.replace('\n', ' ');
    facts.put(checked(name), line.substring(0, Math.min(line.length(), MAX_TEXT)));
    checkCount();
  }

  /** Adds all of another one, with a prefix before its names. */
  public void addAll(String prefix, Samples other) {
    other.series.forEach((name, values) -> add(prefix + name, values));
    other.facts.forEach((name, text) -> fact(prefix + name, text));
  }

  /** Adds all series whose names begin so again, under names that begin otherwise. */
  public void copy(String prefix, String otherPrefix) {
    for (Map.Entry<String, long[]> each : List.copyOf(series.entrySet())) {
      if (each.getKey().startsWith(prefix)) {
        add(otherPrefix + each.getKey().substring(prefix.length()), each.getValue());
      }
    }
  }

  /** Returns a copy whose floor is another one; what the machine did by itself stays. */
  Samples withFloor(Samples other) {
    Samples all = new Samples();
    series.forEach(
        (name, values) -> {
          if (!name.startsWith(FLOOR) || name.startsWith(OsNoise.PREFIX)) {
            all.add(name, values);
          }
        });
    all.facts.putAll(facts);
    other.series.forEach(
        (name, values) -> {
          if (name.startsWith(FLOOR)) {
            all.add(name, values);
          }
        });
    return all;
  }

  /** Returns whether there is a series of this name, with two values at least. */
  public boolean has(String name) {
    return series.containsKey(name) && series.get(name).length > 1;
  }

  /** Returns the values of a series; it must be there. */
  public long[] series(String name) {
    long[] values = series.get(name);
    if (values == null) {
      throw new IllegalArgumentException("no series " + name + " among " + series.keySet());
    }
    return values;
  }

  /** Returns the statistics of a series; it must be there. */
  public Stats stats(String name) {
    return Stats.of(series(name));
  }

  /** Returns the sum of a series; 0 if it is not there. */
  public long sum(String name) {
    return Arrays.stream(series.getOrDefault(name, new long[0])).sum();
  }

  /** Returns the facts, in order. */
  public Map<String, String> facts() {
    return facts;
  }

  /** Returns this as lines of text. */
  List<String> toLines() {
    List<String> lines = new ArrayList<>();
    series.forEach(
        (name, values) -> {
          StringBuilder line = new StringBuilder(SERIES).append(name);
          for (long value : values) {
            line.append(' ').append(value);
          }
          lines.add(line.toString());
        });
    facts.forEach((name, text) -> lines.add(FACT + name + " " + text));
    return lines;
  }

  /**
   * Reads what {@link #toLines} or a floor wrote; other lines are passed over.
   *
   * @throws IOException if a line is not as it should be, or there is more than there should be
   */
  public static Samples fromLines(List<String> lines) throws IOException {
    Samples samples = new Samples();
    for (String line : lines) {
      try {
        if (line.startsWith(SERIES)) {
          String[] parts = line.substring(SERIES.length()).split(" ");
          samples.add(parts[0], values(parts));
        } else if (line.startsWith(FACT)) {
          String[] parts = line.substring(FACT.length()).split(" ", 2);
          samples.fact(parts[0], parts.length == 2 ? parts[1] : "");
        }
      } catch (IllegalArgumentException e) {
        String start = line.substring(0, Math.min(line.length(), 80));
        throw new IOException("not a line of samples: " + start + " (" + e.getMessage() + ")", e);
      }
    }
    return samples;
  }

  private static long[] values(String[] parts) {
    if (parts.length - 1 > MAX_VALUES) {
      throw new IllegalArgumentException("more than " + MAX_VALUES + " values");
    }
    return Arrays.stream(parts).skip(1).mapToLong(Long::parseLong).toArray();
  }

  private static String checked(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("name=" + name + " (expected: " + NAME + ")");
    }
    return name;
  }

  private void checkCount() {
    if (series.size() + facts.size() > MAX_NAMES) {
      throw new IllegalArgumentException("more than " + MAX_NAMES + " series and facts");
    }
  }
}
