package dev.takt.stress.rollback;

/** What the test can do with a graph, whichever class loader that comes from. */
public interface Steps {
  /** Changes something. */
  void step(long random);
}
