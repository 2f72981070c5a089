package dev.takt.bench.host;

import java.io.Closeable;
import java.io.IOException;

/**
 * The side of a link that answers.
 *
 * <p><b>Thread rule:</b> one thread, which {@link #close} is for, too; an interrupt ends a wait.
 */
interface Answering extends Closeable {
  /** Answers what is there; returns whether there was something. */
  boolean serve() throws IOException;

  /** Waits for a bounded time until there may be something; to be called again and again. */
  void rest() throws IOException;
}
