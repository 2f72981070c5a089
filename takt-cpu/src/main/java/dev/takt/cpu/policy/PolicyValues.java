package dev.takt.cpu.policy;

import dev.takt.cpu.analysis.TaskModel;
import dev.takt.realtime.TimeText;
import dev.takt.realtime.os.CpuSet;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The values of one section of a policy file, by their words. Each method checks the range of what
 * it returns.
 *
 * <p><b>Thread rule:</b> any thread; immutable.
 *
 * @param file for messages
 * @param lines in which line each stands
 */
record PolicyValues(Path file, Map<String, String> texts, Map<String, Integer> lines) {
  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
  private static final Pattern SHARE = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,6})?)%");
  private static final Pattern FACTOR = Pattern.compile("\\d{1,4}(?:\\.\\d{1,6})?");
  private static final Pattern PROBABILITY = Pattern.compile("1e-\\d{1,2}|0\\.\\d{1,12}");
  private static final Pattern CPUS = Pattern.compile("(\\d{1,4})(?:-(\\d{1,4}))?");

  /** Returns a time in nanoseconds, {@code minNs} to {@link TaskModel#MAX_NS}. */
  long duration(String word, long minNs, long usualNs) throws PolicyException {
    return duration(word, minNs, TaskModel.MAX_NS, usualNs);
  }

  /** Returns a time in nanoseconds, {@code minNs} to {@code maxNs}. */
  long duration(String word, long minNs, long maxNs, long usualNs) throws PolicyException {
    String text = texts.get(word);
    if (text == null) {
      return usualNs;
    }
    OptionalLong valueNs = TimeText.parseNs(text);
    if (valueNs.isPresent() && valueNs.getAsLong() >= minNs && valueNs.getAsLong() <= maxNs) {
      return valueNs.getAsLong();
    }
    throw error(
        word,
        "a time of %s to %s with its unit, as 500us, 5ms or 1.5s"
            .formatted(TimeText.of(minNs), TimeText.of(maxNs)));
  }

  long number(String word, long min, long max, long usual) throws PolicyException {
    String text = texts.get(word);
    if (text == null) {
      return usual;
    }
    if (NUMBER.matcher(text).matches()) {
      long value = Long.parseLong(text);
      if (value >= min && value <= max) {
        return value;
      }
    }
    throw error(word, "a number from %s to %s".formatted(min, max));
  }

  /** Returns a part of a processor, above 0, at most 1. */
  double share(String word, double usual) throws PolicyException {
    String text = texts.get(word);
    if (text == null) {
      return usual;
    }
    Matcher matcher = SHARE.matcher(text);
    if (matcher.matches()) {
      double percent = Double.parseDouble(matcher.group(1));
      if (percent > 0 && percent <= 100) {
        return percent / 100;
      }
    }
    throw error(word, "above 0%, at most 100%, as 70%");
  }

  /** Returns a factor; 0: it is not there. */
  double factor(String word, double min, double max) throws PolicyException {
    String text = texts.get(word);
    if (text == null) {
      return 0;
    }
    if (FACTOR.matcher(text).matches()) {
      double value = Double.parseDouble(text);
      if (value >= min && value <= max) {
        return value;
      }
    }
    throw error(word, "a factor from %s to %s, as 1.2".formatted(min, max));
  }

  /** Returns the probability that a release exceeds its learned cost; 0: it is not there. */
  double probability(String word) throws PolicyException {
    String text = texts.get(word);
    if (text == null) {
      return 0;
    }
    if (PROBABILITY.matcher(text).matches()) {
      double value = Double.parseDouble(text);
      if (value >= 1e-12 && value <= 0.01) {
        return value;
      }
    }
    throw error(word, "1e-12 to 0.01, as 1e-6 or 0.001");
  }

  /** Returns a path, relative to the folder of the policy file. */
  Optional<Path> path(String word) throws PolicyException {
    String text = texts.get(word);
    if (text == null) {
      return Optional.empty();
    }
    try {
      if (!text.isEmpty()) {
        return Optional.of(file.toAbsolutePath().resolveSibling(text));
      }
    } catch (InvalidPathException _) {
      // the same error as for no path
    }
    throw error(word, "the path of a file");
  }

  <T> Optional<T> choice(String word, Map<String, T> choices) throws PolicyException {
    String text = texts.get(word);
    if (text == null) {
      return Optional.empty();
    }
    T found = choices.get(text);
    if (found == null) {
      throw unknown(
          file, line(word), word + " " + text, text, List.copyOf(new TreeSet<>(choices.keySet())));
    }
    return Optional.of(found);
  }

  /** Returns processors as the kernel writes them, {@code 0,2-3}. */
  Optional<CpuSet> cpus(String word) throws PolicyException {
    String text = texts.get(word);
    if (text == null) {
      return Optional.empty();
    }
    TreeSet<Integer> cpus = new TreeSet<>();
    for (String each : text.split(",", -1)) {
      Matcher matcher = CPUS.matcher(each.strip());
      int first = matcher.matches() ? Integer.parseInt(matcher.group(1)) : -1;
      int last = first < 0 || matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
      if (first < 0 || last < first || last >= CpuSet.LIMIT) {
        throw error(
            word, "processors from 0 to " + (CpuSet.LIMIT - 1) + ", each or a range, as 0,2-3");
      }
      for (int i = first; i <= last; i++) {
        cpus.add(i);
      }
    }
    return Optional.of(CpuSet.of(cpus.stream().mapToInt(Integer::intValue).toArray()));
  }

  private int line(String word) {
    return lines.getOrDefault(word, 0);
  }

  PolicyException error(String word, String expected) {
    return error(file, line(word), word + " " + texts.get(word), expected, "");
  }

  static PolicyException error(Path file, int line, String value, String expected, String remedy) {
    return new PolicyException(
        file,
        line,
        "%s (expected: %s%s)"
            .formatted(
                Printables.of(value.strip()), expected, remedy.isEmpty() ? "" : "; " + remedy));
  }

  /** An error about a word that is not among those that may stand there. */
  static PolicyException unknown(
      Path file, int line, String value, String word, List<String> known) {
    return error(
        file,
        line,
        value,
        known.isEmpty() ? "a name that the file defines; it defines none" : oneOf(known),
        nearest(word, known).map(each -> "did you mean " + each + "?").orElse(""));
  }

  private static String oneOf(List<String> known) {
    return known.size() == 1 ? known.getFirst() : "one of " + String.join(", ", known);
  }

  /** Returns the word that is most like a wrong one, if one is much like it. */
  private static Optional<String> nearest(String word, List<String> known) {
    if (word.length() > 40) {
      return Optional.empty();
    }
    return known.stream()
        .min(Comparator.comparingInt(each -> distance(word, each)))
        .filter(each -> distance(word, each) <= Math.max(1, each.length() / 3));
  }

  /** How many characters must be put in, left out or exchanged. */
  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int changed = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}
