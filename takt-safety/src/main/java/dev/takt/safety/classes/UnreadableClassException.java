package dev.takt.safety.classes;

/** A class that is damaged, or not what its name says. */
public final class UnreadableClassException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String className;

  public UnreadableClassException(String className, String why, Throwable cause) {
    super(className + " cannot be read: " + why + "; compile it again", cause);
    this.className = className;
  }

  public UnreadableClassException(String className, String why) {
    super(className + " cannot be read: " + why + "; compile it again");
    this.className = className;
  }

  /** Returns the internal name of the class. */
  public String className() {
    return className;
  }
}
