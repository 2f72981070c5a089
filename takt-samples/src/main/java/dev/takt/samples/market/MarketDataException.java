package dev.takt.samples.market;

import dev.takt.safety.Printable;
import java.io.IOException;

/**
 * Market data that cannot be read: missing, empty, truncated, corrupt, beyond a limit, or of no
 * known format.
 *
 * <p>The message is one line and says where: {@code <input>: <line or byte>: <what is wrong>}.
 */
public final class MarketDataException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param input the name of what was read
   * @param position the line or the byte, or an empty string if it is the whole input that is wrong
   * @param problem what is wrong, in one line
   */
  public MarketDataException(String input, String position, String problem) {
    super(
        Printable.of(
            position.isEmpty()
                ? input + ": " + problem
                : input + ": " + position + ": " + problem));
  }

  MarketDataException(String input, String position, String problem, Throwable cause) {
    this(input, position, problem);
    initCause(cause);
  }
}
