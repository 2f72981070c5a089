package dev.takt.cpu;

/**
 * Says what was thrown, whatever its own methods do: they may be code that nobody trusts. A text of
 * theirs is cut after {@value #MAX_CHARACTERS} characters, because many of them may be kept.
 */
final class FailureText {
  static final int MAX_CHARACTERS = 500;

  private static final int MAX_FRAMES = 50;
  private static final int MAX_CAUSES = 5;

  private FailureText() {}

  /**
   * Returns the lines of the stack trace of a throwable and its causes, which begin with a new
   * line; empty if its methods throw. Called by the thread that has thrown it, within its release:
   * they may not return, and it is supervised then.
   */
  static String trace(Throwable thrown) {
    StringBuilder text = new StringBuilder();
    try {
      Throwable each = thrown;
      for (int i = 0; i < MAX_CAUSES && each != null; i++) {
        text.append(i == 0 ? "" : "\nCaused by: " + of(each));
        StackTraceElement[] frames = each.getStackTrace();
        for (int frame = 0; frame < Math.min(frames.length, MAX_FRAMES); frame++) {
          text.append("\n\tat ").append(frames[frame]);
        }
        each = each.getCause();
      }
    } catch (Throwable e) {
      // what there is of it
    }
    return text.toString();
  }

  /** Returns what a throwable says of itself; its class name if it throws or says nothing. */
  static String of(Throwable thrown) {
    try {
      String text = thrown.toString();
      if (text != null) {
        return text.length() <= MAX_CHARACTERS ? text : text.substring(0, MAX_CHARACTERS) + "...";
      }
    } catch (Throwable e) {
      // not even that: an abort of the release among them, which is over anyway
    }
    return thrown.getClass().getName();
  }
}
