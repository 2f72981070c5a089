package dev.takt.cpu;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a manager knows of the code of a task.
 *
 * @param application the name of its application, which stands before the names of its tasks, so
 *     that two applications may choose the same; empty: none
 * @param authentication its class; null: it must not have tasks
 * @param reason why it must not, and the remedy; empty: it may
 */
public record CodeClass(
    String application, @Nullable AuthenticationClass authentication, String reason) {
  /** Checks that there is either a class or a reason. */
  public CodeClass {
    Objects.requireNonNull(application, "application");
    if ((authentication == null) == reason.isEmpty()) {
      throw new IllegalArgumentException(
          "authentication=%s, reason=%s (expected: one of them)".formatted(authentication, reason));
    }
  }

  /** Makes one of code that may have tasks. */
  public static CodeClass of(String application, AuthenticationClass authentication) {
    return new CodeClass(application, Objects.requireNonNull(authentication, "authentication"), "");
  }

  /** Makes one of code that must not have tasks. */
  public static CodeClass refused(String application, String reason) {
    return new CodeClass(application, null, reason);
  }

  /** Returns the name that a task of it has in the manager. */
  String qualified(String task) {
    return application.isEmpty() ? task : application + "/" + task;
  }

  /** Returns its class; of code that must not have tasks, the default one, for messages. */
  AuthenticationClass authenticationOrDefault() {
    return authentication == null ? AuthenticationClass.DEFAULT : authentication;
  }

  /** Returns what a task of it asks for: in its class, whatever class the task names. */
  Profile applyTo(Profile asked) {
    return new Profile(
        qualified(asked.name()),
        asked.periodNs(),
        asked.deadlineNs(),
        asked.budgetNs(),
        authenticationOrDefault());
  }
}
