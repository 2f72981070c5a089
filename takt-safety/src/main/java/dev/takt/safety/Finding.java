package dev.takt.safety;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One violation of a rule.
 *
 * @param rule the rule
 * @param severity how much it weighs
 * @param message what is wrong, with names and values
 * @param place where
 * @param task the task class that cannot run because of it; null if no single one
 * @param path how the task gets there: from {@code execute()} (or another entry) down to the place;
 *     empty if the place itself is in the task
 */
public record Finding(
    Rule rule,
    Severity severity,
    String message,
    SourceLocation place,
    @Nullable String task,
    List<SourceLocation> path) {
  /** Copies the path, and makes the texts {@linkplain Printable printable}. */
  public Finding {
    Objects.requireNonNull(rule, "rule");
    Objects.requireNonNull(severity, "severity");
    message = Printable.of(Objects.requireNonNull(message, "message"));
    task = task == null ? null : Printable.of(task);
    Objects.requireNonNull(place, "place");
    path = List.copyOf(path);
  }

  /**
   * Makes a finding about a class.
   *
   * @param type the class, by internal name or as in the source
   * @param task the task class that cannot run because of it, likewise; null if no single one
   */
  public static Finding of(
      Rule rule, Severity severity, String type, @Nullable String task, String message) {
    SourceLocation place = new SourceLocation(type.replace('/', '.'), null, null, 0, 0);
    String of = task == null ? null : task.replace('/', '.');
    return new Finding(rule, severity, message, place, of, List.of());
  }

  /** Returns whether the class cannot run because of it. */
  public boolean isError() {
    return severity == Severity.ERROR;
  }
}
