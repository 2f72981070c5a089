package dev.takt.samples.trading;

import dev.takt.space.Space;
import java.io.IOException;

/**
 * The tasks of the application and the space that they share, in this process or in a host.
 *
 * <p><b>The life of it:</b> {@link #register}, {@link #start}, {@link #stop}, {@link #close}; the
 * rest in between.
 *
 * <p><b>Thread rule:</b> one thread.
 */
interface Traders extends AutoCloseable {
  /** Returns what a person calls this variant of the application. */
  String variant();

  /**
   * Makes the space and the tasks.
   *
   * @param kinds how many kinds of lines there are
   * @return what of the market they had read before this program began
   */
  ReadPosition register(int kinds) throws IOException;

  /** Returns the space, by which everything else goes. */
  Space space();

  /** Returns how many events are in it. */
  int events();

  /** Begins to release the tasks. */
  void start() throws IOException;

  /** Returns whether all tasks go on. */
  boolean isHealthy();

  /** Returns what was wrong with tasks that have failed, to be put behind another text; or "". */
  String failures();

  /** A pass over the data begins. */
  default void beginPass() {}

  /** Returns where the state comes from with which the tasks go on; null: they begin anew. */
  default String resumedFrom() {
    return null;
  }

  /** Forgets what was measured until now. */
  void restart();

  /** Lets the tasks come to rest, and tells what was measured. */
  TaskFigures stop();

  @Override
  void close();
}
