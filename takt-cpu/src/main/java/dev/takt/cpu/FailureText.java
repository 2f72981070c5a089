package dev.takt.cpu;

/** Says what was thrown, whatever its own methods do: they may be code that nobody trusts. */
final class FailureText {
  private FailureText() {}

  /** Returns what a throwable says of itself; its class name if it throws or says nothing. */
  static String of(Throwable thrown) {
    try {
      String text = thrown.toString();
      if (text != null) {
        return text;
      }
    } catch (Throwable e) {
      // not even that: an abort of the release among them, which is over anyway
    }
    return thrown.getClass().getName();
  }
}
