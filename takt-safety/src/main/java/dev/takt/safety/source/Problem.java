package dev.takt.safety.source;

import dev.takt.safety.Rule;
import dev.takt.safety.Severity;

/**
 * One violation of a rule, at a place in a source file.
 *
 * @param message what is wrong, without the rule's reason and remedy
 */
record Problem(Spot spot, Rule rule, Severity severity, String message) {
  static Problem error(Spot spot, Rule rule, String message) {
    return new Problem(spot, rule, Severity.ERROR, message);
  }

  static Problem warning(Spot spot, Rule rule, String message) {
    return new Problem(spot, rule, Severity.WARNING, message);
  }

  /** Returns the text that the compiler prints. */
  String text() {
    StringBuilder text = new StringBuilder("[").append(rule).append("] ");
    for (String sentence : new String[] {message, rule.reason(), rule.remedy()}) {
      if (sentence.isEmpty()) {
        continue;
      }
      if (text.charAt(text.length() - 1) != ' ') {
        text.append(' ');
      }
      text.append(sentence);
      if (!sentence.endsWith(".")) {
        text.append('.');
      }
    }
    return text.toString();
  }
}
