package dev.takt.cli.doctor;

import java.util.List;

/** Findings for a terminal: a line each, and for a bad one what it means and what mends it. */
final class FindingTable {
  private static final int PROBE_WIDTH = 17;

  private FindingTable() {}

  static String of(List<Finding> findings) {
    StringBuilder text = new StringBuilder();
    String margin = " ".repeat(7 + PROBE_WIDTH);
    for (Finding each : findings) {
      String line =
          String.format(
              "%-5s %-" + PROBE_WIDTH + "s %s", each.verdict().label(), each.probe(), each.found());
      text.append(line).append('\n');
      if (each.isBad()) {
        text.append(margin).append(each.meaning()).append('\n');
        text.append(margin).append("-> ").append(each.mend()).append('\n');
      }
    }
    long bad = findings.stream().filter(Finding::isBad).count();
    long unknown = findings.stream().filter(each -> each.verdict() == Verdict.UNKNOWN).count();
    return text.append(bad)
        .append(" of ")
        .append(findings.size())
        .append(" findings want attention")
        .append(unknown == 0 ? "" : ", " + unknown + " could not be found out")
        .append(". Takt runs all the same; what is marked makes tasks later, or late more often.\n")
        .toString();
  }
}
