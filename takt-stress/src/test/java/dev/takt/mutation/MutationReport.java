package dev.takt.mutation;

import dev.takt.mutation.MutationRun.Outcome;
import dev.takt.mutation.MutationRun.Result;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The score by package, what survived, and what may. */
final class MutationReport {
  /**
   * Faults that no test can notice: a line is a class, a method with the fault in it, a bar, and
   * the reason.
   */
  private static final String EQUIVALENT = "equivalent.txt";

  private final Map<String, String> equivalent;
  private final Map<Mutation, Result> results = new LinkedHashMap<>();

  MutationReport() throws IOException {
    equivalent = readEquivalent();
  }

  private static Map<String, String> readEquivalent() throws IOException {
    Map<String, String> found = new LinkedHashMap<>();
    try (InputStream in = MutationReport.class.getResourceAsStream(EQUIVALENT)) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        if (!line.isBlank() && !line.startsWith("#")) {
          int bar = line.lastIndexOf(" | ");
          found.put(line.substring(0, bar).strip(), line.substring(bar + 3).strip());
        }
      }
    }
    return found;
  }

  /** Returns which faults the table lists. */
  Set<String> equivalent() {
    return equivalent.keySet();
  }

  void add(Collection<Result> more) {
    more.forEach(each -> results.put(each.mutation(), each));
  }

  /** A test that did not end in time says nothing here: the machine may have been busy. */
  private boolean isEquivalent(Result each) {
    return each.outcome() != Outcome.KILLED && equivalent.containsKey(each.mutation().key());
  }

  private static boolean isNoticed(Result each) {
    return each.outcome() == Outcome.KILLED || each.outcome() == Outcome.HUNG;
  }

  /** Returns whether there is a result for a class of that name. */
  boolean hasTried(Pattern className) {
    return results.keySet().stream()
        .anyMatch(each -> className.matcher(each.className()).matches());
  }

  /** Returns what nobody noticed, with the line of the source. */
  List<Result> survivors() {
    return results.values().stream()
        .filter(each -> !isNoticed(each) && !isEquivalent(each))
        .toList();
  }

  /** Returns what the table says of faults that a test does notice. */
  List<String> noticedAfterAll() {
    return results.values().stream()
        .filter(each -> each.outcome() == Outcome.KILLED)
        .filter(each -> equivalent.containsKey(each.mutation().key()))
        .map(each -> each.mutation().key() + " was noticed by " + each.by())
        .toList();
  }

  /** Returns one line for each package. */
  String scores() {
    Map<String, List<Result>> packages = new TreeMap<>();
    for (Result each : results.values()) {
      packages.computeIfAbsent(each.mutation().packageName(), name -> new ArrayList<>()).add(each);
    }
    StringBuilder text = new StringBuilder();
    text.append(
        "%-32s %6s %6s %5s %8s %9s %10s %7s%n"
            .formatted(
                "package",
                "faults",
                "killed",
                "hung",
                "survived",
                "unreached",
                "equivalent",
                "score"));
    packages.forEach((name, each) -> text.append(line(name, each)));
    text.append(line("all", List.copyOf(results.values())));
    return text.toString();
  }

  private String line(String name, List<Result> some) {
    long equal = some.stream().filter(this::isEquivalent).count();
    long noticed = count(some, Outcome.KILLED) + count(some, Outcome.HUNG);
    return "%-32s %6d %6d %5d %8d %9d %10d %6.1f%%%n"
        .formatted(
            name,
            some.size(),
            count(some, Outcome.KILLED),
            count(some, Outcome.HUNG),
            count(some, Outcome.SURVIVED),
            count(some, Outcome.UNREACHED),
            equal,
            some.size() == equal ? 100.0 : 100.0 * noticed / (some.size() - equal));
  }

  private long count(List<Result> some, Outcome outcome) {
    return some.stream().filter(each -> each.outcome() == outcome && !isEquivalent(each)).count();
  }
}
