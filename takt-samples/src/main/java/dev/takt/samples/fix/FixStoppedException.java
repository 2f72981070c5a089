package dev.takt.samples.fix;

/** The gateway cannot go on: it does not know what is safe. */
final class FixStoppedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  FixStoppedException(String message) {
    super(message);
  }
}
