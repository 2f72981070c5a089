package dev.takt.cli.doctor;

import dev.takt.cli.report.Terminal;
import dev.takt.cli.report.Terminal.Meaning;
import java.util.Comparator;
import java.util.List;

/**
 * Findings for a terminal, the worst first: what was found, and for a bad one what it means and
 * what mends it.
 */
final class FindingTable {
  private static final int PROBE_WIDTH = 17;
  private static final int MARGIN = 7 + PROBE_WIDTH;
  private static final List<Verdict> WORST_FIRST =
      List.of(Verdict.BAD, Verdict.UNKNOWN, Verdict.GOOD);

  private FindingTable() {}

  /** Returns them with the worst first, and otherwise in the order that they have. */
  static List<DoctorFinding> sorted(List<DoctorFinding> findings) {
    return findings.stream()
        .sorted(Comparator.comparingInt(each -> WORST_FIRST.indexOf(each.verdict())))
        .toList();
  }

  static String of(List<DoctorFinding> findings, Terminal terminal) {
    StringBuilder text = new StringBuilder();
    for (DoctorFinding each : sorted(findings)) {
      String label = String.format("%-5s", each.verdict().label());
      String head = terminal.paint(label, meaning(each)) + " " + each.probe();
      String pad = " ".repeat(Math.max(0, PROBE_WIDTH - each.probe().length()) + 1);
      append(text, head + pad, each.found(), terminal);
      if (each.isBad()) {
        append(text, " ".repeat(MARGIN), each.meaning(), terminal);
        append(text, " ".repeat(MARGIN), "-> " + each.mend(), terminal);
      }
    }
    return text.toString();
  }

  private static Meaning meaning(DoctorFinding finding) {
    return switch (finding.verdict()) {
      case GOOD -> Meaning.GOOD;
      case BAD -> Meaning.BAD;
      case UNKNOWN -> Meaning.DOUBTFUL;
    };
  }

  private static void append(StringBuilder out, String head, String words, Terminal terminal) {
    String margin = head;
    for (String line : Terminal.wrapped(words, Math.max(20, terminal.width() - MARGIN))) {
      out.append((margin + line).stripTrailing()).append('\n');
      margin = " ".repeat(MARGIN);
    }
  }

  /** What all of them say together, in a sentence or two. */
  static String summary(List<DoctorFinding> findings) {
    long bad = findings.stream().filter(DoctorFinding::isBad).count();
    long unknown = findings.stream().filter(each -> each.verdict() == Verdict.UNKNOWN).count();
    return "%s of %s findings want attention%s. Takt runs all the same; what is marked makes tasks later, or late more often."
        .formatted(
            bad, findings.size(), unknown == 0 ? "" : ", " + unknown + " could not be found out");
  }
}
