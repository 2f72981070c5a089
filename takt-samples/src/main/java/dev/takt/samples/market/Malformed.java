package dev.takt.samples.market;

/**
 * What is wrong with the data at hand; the reader that knows where it is makes it a {@link
 * MarketDataException}.
 */
final class Malformed extends Exception {
  private static final long serialVersionUID = 1L;

  Malformed(String problem) {
    super(problem, null, false, false);
  }

  Malformed(String problem, Throwable cause) {
    super(problem, cause, false, false);
  }
}
