package dev.takt.realtime.internal;

import java.util.List;

/**
 * Closes several things, whatever of them fails.
 *
 * <p>In place of a try with resources where they may fail for want of memory: the JVM then throws
 * one error again and again, and a try with resources, which adds it to itself, fails at that.
 */
public final class Closing {
  private Closing() {}

  /** Closes one of them. */
  @FunctionalInterface
  public interface Step<E extends Exception> {
    /** Does it. */
    void run() throws E;
  }

  /** As {@link #all(List)}. */
  @SafeVarargs
  @SuppressWarnings("varargs") // they are only read
  public static <E extends Exception> void all(Step<E>... steps) throws E {
    all(List.of(steps));
  }

  /**
   * Does all steps, one after the other.
   *
   * @throws E what the first that failed has thrown, checked or not, with what others have thrown
   *     suppressed
   */
  public static <E extends Exception> void all(List<Step<E>> steps) throws E {
    Throwable first = null;
    for (Step<E> each : steps) {
      try {
        each.run();
      } catch (Throwable failure) {
        if (first == null) {
          first = failure;
        } else if (first != failure) {
          first.addSuppressed(failure);
        }
      }
    }
    if (first != null) {
      Closing.<E>rethrow(first);
    }
  }

  @SuppressWarnings("unchecked") // a step throws E, or what is not checked
  private static <E extends Throwable> void rethrow(Throwable failure) throws E {
    throw (E) failure;
  }
}
