package dev.takt.cpu;

/**
 * Says what was thrown, whatever its own methods do: they may be code that nobody trusts. A text of
 * theirs is cut after {@value #MAX_CHARACTERS} characters, because many of them may be kept.
 */
final class FailureText {
  static final int MAX_CHARACTERS = 500;

  private FailureText() {}

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
