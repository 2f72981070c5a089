package dev.takt.samples;

import dev.takt.samples.trading.DemoCommand;

/**
 * {@code takt demo}: the paper's stock-trading application on real market data; see {@link
 * DemoCommand}.
 */
public final class Demo {
  private Demo() {}

  /** Runs the command; the process ends with 0 (good), 1 (the work failed) or 2 (bad usage). */
  public static void main(String[] args) {
    System.exit(DemoCommand.run(System.out, System.err, args));
  }
}
