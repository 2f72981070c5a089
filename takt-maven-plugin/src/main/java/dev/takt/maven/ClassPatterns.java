package dev.takt.maven;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Patterns over the names of classes: {@code com.acme.Order} is one class, {@code com.acme.*} all
 * of one package, {@code com.acme.**} those of the packages below it too. Nested classes belong to
 * their outermost one.
 */
final class ClassPatterns {
  private static final Pattern WORD = Pattern.compile("\\w+(\\.\\w+)*(\\.?\\*\\*?)?");

  private ClassPatterns() {}

  /**
   * Returns what matches any of the patterns, by internal name; null, which is all, without
   * patterns.
   *
   * @throws IllegalArgumentException if one is malformed
   */
  static Predicate<String> matching(List<String> patterns) {
    if (patterns.isEmpty()) {
      return null;
    }
    List<Pattern> compiled = patterns.stream().map(ClassPatterns::compile).toList();
    return name -> {
      int nested = name.indexOf('$', 1);
      String outermost = nested < 0 ? name : name.substring(0, nested);
      return compiled.stream().anyMatch(each -> each.matcher(outermost).matches());
    };
  }

  private static Pattern compile(String pattern) {
    if (pattern.isBlank() || !WORD.matcher(pattern).matches()) {
      throw new IllegalArgumentException(
          "\"" + pattern + "\" is no pattern; write com.acme.Order, com.acme.* or com.acme.**");
    }
    String expression =
        pattern.replace(".", "/").replace("**", "@").replace("*", "[^/]+").replace("@", ".+");
    return Pattern.compile(expression);
  }
}
