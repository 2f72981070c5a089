package dev.takt.persist.cycle;

/**
 * The lasting ids of the objects of one task, which a snapshot stores with them, so that a journal
 * can say what has changed since.
 *
 * <p><b>Thread rule:</b> the thread of the cycle, of objects that its cut has.
 */
public interface ObjectIds {
  /** Returns the id of a stable object or array, from 1 on. */
  int id(Object object);

  /** Returns the number of the last commit that is journaled; read as volatile fields are. */
  long revision();
}
