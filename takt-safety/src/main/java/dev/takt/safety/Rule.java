package dev.takt.safety;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;

/**
 * The safety rules: one table for the verifier, the compiler plugin and {@code docs/rules.md}; the
 * texts are in the resource {@code rules.properties}.
 *
 * <p>The words: a class is <i>stable</i> if it is a subtype of {@code dev.takt.space.Stable}, and
 * <i>transient</i> if a task makes instances of it and it is not stable. It is
 * <i>reference-immutable</i> if none of its references can change, whatever they lead to: each
 * field is primitive, or final and of a reference-immutable type; strings, boxed values, enums and
 * primitive arrays are. Code is <i>live</i> if a task can reach it.
 *
 * <p>Source: Reflexes 4.
 */
public enum Rule {
  /** A closed world. */
  R1,

  /** Native methods. */
  R2,

  /** Reflection and its kin. */
  R3,

  /** Threads, finalizers and reference objects. */
  R4,

  /** Blocking. */
  R5,

  /** Class initialization. */
  R6,

  /** Dynamic calls. */
  R7,

  /** Fields of stable classes. */
  R8,

  /** Inherited fields. */
  R9,

  /** Stores that the JVM does not check. */
  R10,

  /** Arrays of stable classes. */
  R11,

  /** Transient to stable. */
  R12,

  /** Use after the release. */
  R13,

  /** Static fields that are read. */
  R14,

  /** Static fields that are written. */
  R15,

  /** What others may call. */
  R16,

  /** Signatures of atomic methods. */
  R17,

  /** Parameters of atomic methods. */
  R18,

  /** Exceptions that leave. */
  R19,

  /** Swallowed aborts. */
  R20,

  /** Inner classes of stable classes. */
  R21,

  /** Lambdas. */
  R22,

  /** Type variables. */
  R23,

  /** Capsules. */
  R24,

  /** Values of events. */
  R25,

  /** Identity of pooled objects. */
  R26,

  /** No allocation. */
  R27,

  /** Effects that cannot be undone. */
  R28,

  /** Stores past the barrier. */
  R29,

  /** Atomic methods run again. */
  R30;

  private static final Properties TEXTS = read();

  /** Returns what the rule demands, in one sentence. */
  public String text() {
    return part("text");
  }

  /** Returns what would go wrong without the rule. */
  public String reason() {
    return part("reason");
  }

  /** Returns a short program fragment that breaks the rule. */
  public String example() {
    return part("example");
  }

  /** Returns what to do instead. */
  public String remedy() {
    return part("remedy");
  }

  private String part(String part) {
    return Objects.requireNonNull(TEXTS.getProperty(name() + "." + part), part);
  }

  private static Properties read() {
    Properties texts = new Properties();
    try (Reader in = Resources.open("rules.properties")) {
      texts.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return texts;
  }

  /** Returns the rule with this name, for example {@code "R8"}. */
  public static Optional<Rule> of(String name) {
    for (Rule rule : values()) {
      if (rule.name().equals(name)) {
        return Optional.of(rule);
      }
    }
    return Optional.empty();
  }
}
