package dev.takt.bench.rtj;

import dev.takt.bench.measure.Wire;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * What a case found: named series of samples, in the order in which they were taken, and facts. A
 * floor prints a line of JSON for each.
 *
 * <p><b>Thread rule:</b> not thread-safe.
 *
 * @param series the samples by the name of their series
 * @param facts texts by their names
 */
public record Samples(Map<String, long[]> series, Map<String, String> facts) {
  /** How many values a series has at most: more than any case takes. */
  static final int MAX_VALUES = 1_000_000;

  /** How many series and facts there are at most. */
  static final int MAX_NAMES = 1_000;

  /** How the names of the floor's series begin. */
  private static final String FLOOR = "floor.";

  private static final int MAX_TEXT = 2_000;
  private static final Pattern NAME = Pattern.compile("[a-z0-9.-]{1,80}");

  /** Makes those that a process has found; null: none. */
  public Samples {
    series = Objects.requireNonNullElseGet(series, LinkedHashMap::new);
    facts = Objects.requireNonNullElseGet(facts, LinkedHashMap::new);
  }

  /** Makes none yet. */
  public Samples() {
    this(null, null);
  }

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

  /**
   * Reads what a floor has printed; lines that are no JSON are passed over.
   *
   * @throws IOException if a line is not as it should be, or there is more than there should be
   */
  static Samples fromJson(String text) throws IOException {
    Samples samples = new Samples();
    for (String line : text.lines().filter(each -> each.startsWith("{")).toList()) {
      try {
        samples.addAll("", Wire.JSON_OF_RECORDS.beanFrom(Samples.class, line));
      } catch (IOException | IllegalArgumentException e) {
        String start = line.substring(0, Math.min(line.length(), 80));
        throw new IOException("not a line of samples: " + start + " (" + e.getMessage() + ")", e);
      }
    }
    return samples;
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
