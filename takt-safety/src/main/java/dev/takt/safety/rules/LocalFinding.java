package dev.takt.safety.rules;

import dev.takt.safety.Rule;
import dev.takt.safety.Severity;
import dev.takt.safety.classes.ClassNames;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Something wrong, before it is known which task runs into it.
 *
 * @param rule the rule it breaks
 * @param severity how much it weighs
 * @param message what is wrong, with names and values
 * @param line in the method it is about, 0 if unknown
 * @param topic what it is about: at one place, a rule says one thing about it
 */
record LocalFinding(Rule rule, Severity severity, String message, int line, String topic) {
  /**
   * Makes an error.
   *
   * @param format the message, as {@code String.format} takes it
   * @param parts what it names: classes, methods and calls are written as {@link ClassNames#of}
   *     does
   */
  static LocalFinding error(Rule rule, int line, String format, @Nullable Object... parts) {
    String message = String.format(format, Stream.of(parts).map(ClassNames::of).toArray());
    return new LocalFinding(rule, Severity.ERROR, message, line, message);
  }

  LocalFinding about(String newTopic) {
    return new LocalFinding(rule, severity, message, line, newTopic);
  }
}
