package dev.takt.persist;

/**
 * How the barrier tells what it need not save (Persistence 3.2.1 and 3.2.2). Both give the same
 * file; they differ in what the tasks pay and in how long a cycle takes.
 */
public enum Scheme {
  /**
   * One pass. The barrier saves each object at its first change in the cycle, unless it is written
   * already; so also those that belong to no root, such as what releases make meanwhile.
   */
  ANNOTATING,

  /**
   * Two passes: all objects are marked, then written. From the second pass on the barrier saves
   * exactly what is marked and not written yet.
   */
  MARKING
}
