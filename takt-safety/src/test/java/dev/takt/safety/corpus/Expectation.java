package dev.takt.safety.corpus;

import dev.takt.safety.Rule;
import dev.takt.safety.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One finding that a program of the corpus must give, from the comment at the end of the line where
 * it is: {@code // expect: R8 declared "open" "java.util.List"}.
 *
 * @param rule the rule
 * @param severity how much it weighs; {@code warning} after the rule says that it is one
 * @param line the line, from 1
 * @param declared whether the line declares a field or class, for which classes keep no line of its
 *     own
 * @param parts what the message must hold
 */
record Expectation(Rule rule, Severity severity, int line, boolean declared, List<String> parts) {
  private static final String MARK = "// expect: ";
  private static final Pattern ONE =
      Pattern.compile("(R\\d+)( warning)?( declared)?((?: \"[^\"]*\")*)");
  private static final Pattern PART = Pattern.compile("\"([^\"]*)\"");

  /** Reads those of a line; several are separated by semicolons. */
  static List<Expectation> parse(String line, int number) {
    int mark = line.indexOf(MARK);
    if (mark < 0) {
      return List.of();
    }
    List<Expectation> expectations = new ArrayList<>();
    for (String text : line.substring(mark + MARK.length()).split(";")) {
      Matcher matcher = ONE.matcher(text.strip());
      if (!matcher.matches()) {
        throw new IllegalArgumentException(
            "line "
                + number
                + ": '"
                + text.strip()
                + "' (expected: R8 [warning] [declared] \"…\")");
      }
      Rule rule = Rule.of(matcher.group(1)).orElseThrow();
      Severity severity = matcher.group(2) == null ? Severity.ERROR : Severity.WARNING;
      List<String> parts =
          PART.matcher(matcher.group(4)).results().map(part -> part.group(1)).toList();
      expectations.add(new Expectation(rule, severity, number, matcher.group(3) != null, parts));
    }
    return expectations;
  }

  /** Returns whether a front end saw this. */
  boolean isMetBy(Sighting sighting) {
    return rule == sighting.rule()
        && severity == sighting.severity()
        && (line == sighting.line() || declared && isNear(sighting.line()))
        && parts.stream().allMatch(sighting.text()::contains);
  }

  /** Of a declaration, classes know no line, or that of the first statement. */
  private boolean isNear(int seen) {
    return seen == 0 || seen > line && seen <= line + 3;
  }

  @Override
  public String toString() {
    return rule + " " + severity + " at line " + line + " with " + parts;
  }
}
