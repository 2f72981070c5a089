package dev.takt.cli.doctor;

import dev.takt.cli.report.TextResource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What one probe found. Texts come from files of the machine in part, so whatever is not plain
 * ASCII is taken out and long ones are cut: they cannot inject terminal control sequences.
 *
 * @param probe what was looked at
 * @param verdict what to think of it
 * @param found what is there
 * @param meaning what it does to tasks; empty if it is good
 * @param mend the command that mends it, or who can; empty if it is good
 */
record DoctorFinding(String probe, Verdict verdict, String found, String meaning, String mend) {
  /** Long enough for what there is to say in one line. */
  static final int MAX_FOUND = 200;

  /** A paragraph for each: its key, what it means, and what mends it. */
  static final Map<String, List<String>> TEXTS =
      TextResource.paragraphs(DoctorFinding.class, "findings.txt").stream()
          .map(each -> each.lines().toList())
          .collect(Collectors.toMap(List::getFirst, Function.identity()));

  DoctorFinding {
    found = printable(found);
  }

  static DoctorFinding good(String probe, String found) {
    return new DoctorFinding(probe, Verdict.GOOD, found, "", "");
  }

  static DoctorFinding bad(String probe, String found, String meaning, String mend) {
    return new DoctorFinding(probe, Verdict.BAD, found, meaning, mend);
  }

  static DoctorFinding unknown(String probe, String why) {
    return new DoctorFinding(probe, Verdict.UNKNOWN, "unknown: " + why, "", "");
  }

  /**
   * Good if the condition holds, otherwise bad, with the texts of {@code findings.txt}.
   *
   * @param key of the texts: the probe, perhaps with a slash and a variant
   * @param values what stands for the place holders in the texts
   */
  static DoctorFinding of(boolean good, String key, String found, Object... values) {
    String probe = key.replaceAll("/.*", "");
    List<String> texts = // also where all is well: a text that is missing shows on every machine
        Objects.requireNonNull(TEXTS.get(key), () -> "findings.txt has no paragraph " + key);
    if (good) {
      return good(probe, found);
    }
    String meaning = texts.get(1);
    String mend = texts.get(2);
    return values.length == 0
        ? bad(probe, found, meaning, mend)
        : bad(probe, found, meaning.formatted(values), mend.formatted(values));
  }

  /** Returns this under another name. */
  DoctorFinding named(String name) {
    return new DoctorFinding(name, verdict, found, meaning, mend);
  }

  boolean isBad() {
    return verdict == Verdict.BAD;
  }

  Map<String, Object> members() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("probe", probe);
    members.put("verdict", verdict.name().toLowerCase(java.util.Locale.ROOT));
    members.put("found", found);
    if (isBad()) {
      members.put("meaning", meaning);
      members.put("mend", mend);
    }
    return members;
  }

  private static String printable(String text) {
    String line = text.replaceAll("[^ -~]+", " ").strip();
    if (line.isEmpty()) {
      return "nothing that can be printed";
    }
    return line.length() <= MAX_FOUND ? line : line.substring(0, MAX_FOUND - 3) + "...";
  }
}
