package dev.takt.safety.reach;

import dev.takt.safety.classes.MethodInfo;
import org.jspecify.annotations.Nullable;

/** A method that a task reaches, and how it was reached first. */
public final class ReachedMethod {
  /** How a method is reached; a later constant is stronger. */
  public enum Mode {
    /** Only on the way to an exception. */
    ABORT,
    /** When the task is constructed, by an ordinary thread. */
    CONSTRUCTION,
    /** In the first release, {@code initialize()}. */
    INITIALIZATION,
    /** In any release, and in atomic methods. */
    RELEASE
  }

  public final MethodInfo method;

  /** Who reached it first; null for an entry. */
  public final @Nullable ReachedMethod caller;

  /** The line of the caller, 0 if unknown. */
  public final int line;

  public Mode mode;

  ReachedMethod(MethodInfo method, @Nullable ReachedMethod caller, int line, Mode mode) {
    this.method = method;
    this.caller = caller;
    this.line = line;
    this.mode = mode;
  }
}
