package dev.takt.session.stage;

/** Why an accepted item was not handled: its stage was closed, and the time to close was over. */
public final class StageClosedException extends Exception {
  private static final long serialVersionUID = 1;

  StageClosedException(String message) {
    super(message);
  }
}
