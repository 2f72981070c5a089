package dev.takt.safety.weave;

/** A class that cannot be woven. The message names it, what is wrong, and the remedy. */
public final class WeavingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  WeavingException(String message) {
    super(message);
  }

  /** Tells that a class file cannot be read. */
  static WeavingException damaged(String internalName, RuntimeException cause) {
    return new WeavingException(
        internalName.replace('/', '.')
            + ": the class file is damaged ("
            + cause.getMessage()
            + "); compile it again",
        cause);
  }

  WeavingException(String message, Throwable cause) {
    super(message, cause);
  }
}
