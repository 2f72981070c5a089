package dev.takt.safety.corpus;

import dev.takt.safety.Rule;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The text of {@code docs/rules.md}: the table of rules, and what the corpus knows about them. */
final class RulesDocument {
  private static final int COLUMNS = 100;

  private static final String HEAD =
      """
      # The safety rules

      A task's memory is its own: no other thread, no other task and no garbage collector has a part
      in it. These rules keep it so. The verifier looks at everything that a task can reach, the JDK
      included, and the runtime refuses a task that it has not passed. It reads class files, whatever
      compiler wrote them; within `javac` the compiler plugin runs it and reports at the line.

      The words: a class is *stable* if it is a subtype of `dev.takt.space.Stable` (every task is),
      and *transient* if a task makes instances of it and it is not stable. A class is
      *reference-immutable* if none of its references can change, whatever they lead to: each field
      is primitive, or final and of a reference-immutable type; strings, boxed values, enums and
      primitive arrays are. Code is *live* if a task can reach it from `initialize()`, `execute()`,
      an atomic method or a constructor.

      Each rule is tested by programs that obey it and programs that break it, in
      `takt-safety/src/test/resources/rules`; what cannot be seen is there too, as a hole.

      This file is generated from `dev.takt.safety.Rule` and that corpus.

      | rule | what it demands |
      |---|---|
      """;

  private RulesDocument() {}

  static String text() {
    StringBuilder text = new StringBuilder(HEAD);
    for (Rule rule : Rule.values()) {
      text.append("| [%s](#%s) | %s |\n".formatted(rule, anchor(rule), rule.text()));
    }
    for (Rule rule : Rule.values()) {
      append(rule, text);
    }
    return text.toString();
  }

  /** Breaks a paragraph into lines of at most a hundred columns, as in all documents. */
  private static String wrap(String paragraph) {
    StringBuilder lines = new StringBuilder();
    int column = 0;
    for (String word : paragraph.split(" ")) {
      boolean fits = column + 1 + word.length() <= COLUMNS;
      lines.append(column == 0 ? "" : fits ? " " : "\n").append(word);
      column = column == 0 || !fits ? word.length() : column + 1 + word.length();
    }
    return lines.toString();
  }

  private static void append(Rule rule, StringBuilder text) {
    List<Program> programs = Program.all(rule.name());
    text.append("\n## ").append(rule).append("\n\n");
    text.append(wrap("**" + rule.text() + "**")).append("\n\n").append(wrap(rule.reason()));
    text.append("\n\n```java\n").append(rule.example()).append("\n```\n\n");
    text.append(wrap("Instead: " + rule.remedy())).append("\n\n");
    text.append(wrap("Seen by: " + seenBy(programs) + ".")).append("\n");
    for (Program program : programs) {
      program
          .hole()
          .ifPresent(
              hole ->
                  text.append("\n")
                      .append(
                          wrap(
                              "Known hole (`%s`): %s."
                                  .formatted(program.file().getFileName(), hole)))
                      .append("\n"));
    }
  }

  private static String seenBy(List<Program> programs) {
    Set<Program.Layer> layers = new TreeSet<>();
    Set<String> reasons = new TreeSet<>();
    boolean own = false;
    for (Program program : programs) {
      if (program.kind() == Program.Kind.REJECT) {
        layers.add(program.layer());
        if (program.layer() == Program.Layer.BYTECODE) {
          reasons.add(
              program.header("layer").orElseThrow().replaceFirst(".*?because ", "because "));
        }
        own |=
            program.expectations().stream()
                .anyMatch(each -> each.rule().name().equals(program.rule()));
      }
    }
    String seen =
        layers.stream()
            .map(
                layer ->
                    switch (layer) {
                      case BOTH -> "the plugin and the verifier";
                      case SOURCE -> "the plugin only";
                      case BYTECODE -> "the verifier alone, " + String.join(", or ", reasons);
                    })
            .collect(Collectors.joining("; "));
    return own
        ? seen
        : "no check of its own; it follows from other rules, which are seen by " + seen;
  }

  private static String anchor(Rule rule) {
    return rule.name().toLowerCase(Locale.ROOT);
  }
}
