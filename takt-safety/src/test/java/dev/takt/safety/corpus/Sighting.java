package dev.takt.safety.corpus;

import dev.takt.safety.Finding;
import dev.takt.safety.Rule;
import dev.takt.safety.Severity;
import dev.takt.safety.SourceLocation;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.JavaFileObject;

/**
 * What a front end has said about a program, in a form that both share.
 *
 * @param rule the rule
 * @param severity how much it weighs
 * @param line the line in the program; of something in a library, or without code, the line that
 *     leads there; 0 if unknown
 * @param text the message, and the way to the place
 */
record Sighting(Rule rule, Severity severity, int line, String text) {
  private static final Pattern RULE = Pattern.compile("\\bR\\d{1,2}\\b");

  /** Reads one of the verifier. */
  static Sighting of(Finding finding, Predicate<String> isApplication) {
    SourceLocation place = finding.place();
    List<SourceLocation> path = finding.path();
    for (int i = path.size() - 1;
        i >= 0 && (!isApplication.test(place.className()) || place.line() == 0);
        i--) {
      place = path.get(i);
    }
    String way = path.stream().map(SourceLocation::toString).collect(Collectors.joining(" -> "));
    String text = finding.message() + " [" + way + " -> " + finding.place() + "]";
    return new Sighting(finding.rule(), finding.severity(), place.line(), text);
  }

  /** Reads one of the compiler plugin. */
  static Sighting of(Diagnostic<? extends JavaFileObject> diagnostic) {
    String text = diagnostic.getMessage(Locale.ROOT);
    Matcher matcher = RULE.matcher(text);
    if (!matcher.find()) {
      throw new AssertionError("the compiler says, without a rule: " + diagnostic);
    }
    Severity severity =
        diagnostic.getKind() == Diagnostic.Kind.ERROR ? Severity.ERROR : Severity.WARNING;
    return new Sighting(
        Rule.of(matcher.group()).orElseThrow(), severity, (int) diagnostic.getLineNumber(), text);
  }
}
