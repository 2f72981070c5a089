package dev.takt.safety.rules;

import dev.takt.safety.Finding;
import dev.takt.safety.Rule;
import dev.takt.safety.Severity;
import dev.takt.safety.SourceLocation;
import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.ClassNames;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.reach.ReachedMethod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects findings: one for each rule, place and offender, whatever the number of tasks that run
 * into it.
 *
 * <p>What the JDK does wrong is reported where the user's code calls into it, once for each rule,
 * with the path to the offender: nobody can mend the JDK.
 */
final class FindingCollector {
  /** The topic of all that lies behind a call into the JDK. */
  private static final String FOREIGN = "";

  /** Of several rules that the JDK breaks behind one call, the first of these is reported. */
  private static final List<Rule> MOST_TELLING =
      List.of(Rule.R1, Rule.R5, Rule.R2, Rule.R3, Rule.R4, Rule.R14, Rule.R15, Rule.R20);

  private record Key(Rule rule, SourceLocation place, String topic) {}

  private static final class Entry {
    final Rule rule;
    final Severity severity;
    final String message;
    final SourceLocation place;
    final List<SourceLocation> path;
    final boolean foreign;
    final Set<String> tasks = new LinkedHashSet<>();

    Entry(LocalFinding problem, SourceLocation place, List<SourceLocation> path) {
      this.rule = problem.rule();
      this.severity = problem.severity();
      this.message = problem.message();
      this.foreign = problem.topic().equals(FOREIGN);
      this.place = place;
      this.path = path;
    }
  }

  private final Map<Key, Entry> entries = new LinkedHashMap<>();
  private final Set<SourceLocation> lent = new HashSet<>();
  private final Map<SourceLocation, Rule> behind = new HashMap<>();
  private final Set<String> failing = new HashSet<>();

  /** Adds what is wrong with a class or one of its members, whoever uses it. */
  void add(LocalFinding problem, SourceLocation place, @Nullable String task) {
    put(problem, place, List.of(), task);
  }

  /** Adds an error of a class or one of its members; see {@link LocalFinding#error}. */
  void error(
      Rule rule,
      SourceLocation place,
      @Nullable String task,
      String format,
      @Nullable Object... parts) {
    add(LocalFinding.error(rule, place.line(), format, parts), place, task);
  }

  /** Adds an error in a method that a task reaches; see {@link LocalFinding#error}. */
  void error(
      Rule rule,
      ReachedMethod visit,
      int line,
      String task,
      String format,
      @Nullable Object... parts) {
    add(LocalFinding.error(rule, line, format, parts), visit, task);
  }

  /** Adds what is wrong in a method that a task reaches. */
  void add(LocalFinding problem, ReachedMethod visit, String task) {
    ReachedMethod user = visit;
    int line = problem.line();
    while (!user.method.owner.isUser() && user.caller != null) {
      line = user.line;
      user = user.caller;
    }
    boolean own = user == visit;
    SourceLocation place = place(user.method, line);
    List<SourceLocation> path = path(visit, problem.line());
    String message =
        own
            ? problem.message()
            : "%s, in %s, which this call reaches"
                .formatted(problem.message(), place(visit.method, problem.line()));
    put(
        new LocalFinding(
            problem.rule(), problem.severity(), message, line, own ? problem.topic() : FOREIGN),
        place,
        path,
        task);
  }

  private void put(
      LocalFinding problem,
      SourceLocation place,
      List<SourceLocation> path,
      @Nullable String task) {
    Entry entry =
        entries.computeIfAbsent(
            new Key(problem.rule(), place, problem.topic()), _ -> new Entry(problem, place, path));
    if (problem.rule() == Rule.R18) {
      lent.add(place);
    }
    if (entry.foreign && problem.rule() != Rule.R27) {
      behind.merge(place, problem.rule(), (a, b) -> weight(a) <= weight(b) ? a : b);
    }
    if (task != null && problem.severity() == Severity.ERROR) {
      failing.add(task);
    }
    if (task != null) {
      entry.tasks.add(task);
    }
  }

  /** Returns the place of a line in a method. */
  static SourceLocation place(MethodInfo method, int line) {
    return new SourceLocation(
        method.owner.displayName(),
        ClassNames.method(method.name, method.descriptor),
        method.owner.sourceFile(),
        line,
        0);
  }

  /** Returns the place of a class, or of one of its members that has no line. */
  static SourceLocation place(ClassInfo type, @Nullable String member) {
    return new SourceLocation(type.displayName(), member, type.sourceFile(), 0, 0);
  }

  private static List<SourceLocation> path(ReachedMethod visit, int line) {
    List<SourceLocation> path = new ArrayList<>();
    path.add(place(visit.method, line));
    int from = visit.line;
    for (ReachedMethod caller = visit.caller; caller != null; caller = caller.caller) {
      path.add(place(caller.method, from));
      from = caller.line;
    }
    return path.size() == 1 ? List.of() : path.reversed();
  }

  /** Returns whether a task has an error by now. */
  boolean hasError(String task) {
    return failing.contains(task);
  }

  /**
   * Returns whether an entry is not the most telling one about a call into the JDK. What lies
   * behind the call goes away with the call, whatever it is; allocation is another matter.
   */
  private boolean isOutdone(Entry entry) {
    Rule best = behind.get(entry.place);
    return entry.foreign && entry.rule != Rule.R27 && best != null && best != entry.rule;
  }

  private static int weight(Rule rule) {
    int index = MOST_TELLING.indexOf(rule);
    return index < 0 ? MOST_TELLING.size() + rule.ordinal() : index;
  }

  /** Returns the findings by class, line and rule. */
  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    for (Entry entry : entries.values()) {
      // An array that a caller lends and that is kept: R18 says what to do.
      if (isOutdone(entry) || entry.rule == Rule.R11 && lent.contains(entry.place)) {
        continue;
      }
      String first = entry.tasks.isEmpty() ? null : entry.tasks.iterator().next();
      int others = entry.tasks.size() - 1;
      String message =
          others > 0
              ? entry.message
                  + " (in "
                  + others
                  + " more "
                  + (others == 1 ? "task" : "tasks")
                  + " too)"
              : entry.message;
      findings.add(
          new Finding(
              entry.rule,
              entry.severity,
              message,
              entry.place,
              first == null ? null : ClassNames.display(first),
              entry.path));
    }
    findings.sort(
        Comparator.comparing((Finding finding) -> finding.place().className())
            .thenComparing(finding -> finding.place().line())
            .thenComparing(Finding::rule)
            .thenComparing(finding -> String.valueOf(finding.place().member()))
            .thenComparing(Finding::message));
    return findings;
  }
}
