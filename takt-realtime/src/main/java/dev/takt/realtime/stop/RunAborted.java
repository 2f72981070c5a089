package dev.takt.realtime.stop;

/**
 * What a thread runs was ended from outside, at a stop site. It has no stack trace.
 *
 * <p>It is an {@code Error}, so that a {@code catch (Exception e)} does not swallow it; woven
 * handlers of {@code Throwable} and {@code Error} pass it on.
 */
public final class RunAborted extends Error {
  private static final long serialVersionUID = 1L;

  RunAborted(String thread) {
    super(thread + ": what it ran was aborted from outside", null, false, false);
  }
}
