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
    Place place,
    @Nullable String task,
    List<Place> path) {
  /** Copies the path, and makes the texts {@linkplain Printable printable}. */
  public Finding {
    Objects.requireNonNull(rule, "rule");
    Objects.requireNonNull(severity, "severity");
    message = Printable.of(Objects.requireNonNull(message, "message"));
    task = task == null ? null : Printable.of(task);
    Objects.requireNonNull(place, "place");
    path = List.copyOf(path);
  }

  /** Returns whether the class cannot run because of it. */
  public boolean isError() {
    return severity == Severity.ERROR;
  }
}
