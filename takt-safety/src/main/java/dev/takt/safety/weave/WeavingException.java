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
        String.format(
            "%s: the class file is damaged (%s); compile it again",
            internalName.replace('/', '.'), cause.getMessage()),
        cause);
  }

  WeavingException(String message, Throwable cause) {
    super(message, cause);
  }
}
