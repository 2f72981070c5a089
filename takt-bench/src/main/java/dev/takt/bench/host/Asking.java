package dev.takt.bench.host;

import java.io.Closeable;

/**
 * The side of a link that asks and waits for the answer.
 *
 * <p><b>Thread rule:</b> one thread.
 */
interface Asking extends Closeable {
  /** How many requests one round has; each is asked when the one before is answered. */
  default int parts() {
    return 1;
  }

  /**
   * Asks and waits for the answer.
   *
   * @param part which request of the round
   * @param number a number that is another one in each round; the answer is checked by it
   */
  void ask(int part, long number) throws Exception;
}
