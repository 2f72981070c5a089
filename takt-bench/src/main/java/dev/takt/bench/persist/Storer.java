package dev.takt.bench.persist;

import java.io.IOException;

/** Stores one graph of objects, and gives it back. */
interface Storer extends AutoCloseable {
  /** Returns the graph, in the classes that this storer stores. */
  StoredGraph graph();

  /** Makes ready for the next store, and is no part of it. */
  default void prepare() throws Exception {}

  /**
   * Stores all of the graph; {@link #prepare} was called.
   *
   * @return the bytes that it takes
   */
  long store() throws Exception;

  /**
   * Loads what was stored last.
   *
   * @return the root of other objects
   */
  Object load() throws Exception;

  @Override
  void close() throws IOException;
}
