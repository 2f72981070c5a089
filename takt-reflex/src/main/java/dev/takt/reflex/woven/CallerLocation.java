package dev.takt.reflex.woven;

/** Where in user code something happened, for messages. */
final class CallerLocation {
  private CallerLocation() {}

  /** Returns ", at Class.method(File:line)", or nothing. */
  static String allocation() {
    String place = caller();
    return place.isEmpty() ? "" : ", at " + place;
  }

  /** Returns the innermost frame that is neither of this library nor generated without a line. */
  static String caller() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .filter(frame -> !isLibrary(frame.getClassName()))
                    .filter(frame -> frame.getLineNumber() >= 0)
                    .findFirst()
                    .map(CallerLocation::describe)
                    .orElse(""));
  }

  private static String describe(StackWalker.StackFrame frame) {
    return "%s.%s(%s:%s)"
        .formatted(
            frame.getClassName(),
            frame.getMethodName(),
            frame.getFileName(),
            frame.getLineNumber());
  }

  private static boolean isLibrary(String className) {
    return className.startsWith("dev.takt.reflex.")
        || className.startsWith("dev.takt.space.")
        || className.startsWith("java.");
  }
}
