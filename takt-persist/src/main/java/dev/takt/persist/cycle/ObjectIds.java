package dev.takt.persist.cycle;

/**
 * The lasting ids of the objects of one task, which a snapshot stores with them, so that a journal
 * can say what has changed since.
 *
 * <p><b>Thread rule:</b> the thread of the cycle, of objects that its cut has; {@link #beginSince}
 * for the thread that runs the task, and {@link #revision} and {@link #nextId} for both.
 */
public interface ObjectIds {
  /** Returns the id of a stable object or array, from 1 on; 0: it has none. */
  int id(Object object);

  /** As {@link #id}; the search of a full cycle has found the object, before it ends. */
  int found(Object object);

  /** The search of a full cycle begins, before its cut. */
  void beginSearch();

  /** The search of a full cycle has found all that the root led to at the cut. */
  void endSearch();

  /**
   * Returns what {@link #hold} asks for: it changes when objects are forgotten, which then have no
   * id, or get another one.
   */
  int forgettings();

  /**
   * An incremental cycle is to begin: no object is forgotten before {@link #release}, or before the
   * search of another full cycle.
   *
   * @param forgettings those before the first id was put by the cycle that is the base
   * @return false if objects were forgotten since: the base has them with an id that is none; or if
   *     they are to be, which has waited for a cycle
   */
  boolean hold(int forgettings);

  /** All is put, objects may be forgotten again. */
  void release();

  /**
   * The cut is made, by the thread that runs the task: what was to be forgotten is, before the
   * search of a full cycle counts.
   */
  void beginSince();

  /** Returns the number of the last commit that is journaled; read as volatile fields are. */
  long revision();

  /**
   * Returns the first id that no commit has given before that one or with it; read as volatile
   * fields are.
   */
  int nextId();

  /** Begins to look through all objects that have ids, after the cut. */
  void beginLooking();

  /** Returns how many places there are for objects that had ids then: not less than of those. */
  int places();

  /** Returns the object in a place. */
  Object object(int place);

  /** Returns the id of the object in a place; 0: it has none. */
  int idAt(int place);

  /**
   * Returns whether atomic calls have changed something that no commit has kept yet: what they have
   * linked has no id before that commit, which has it in full.
   */
  boolean hasPending();
}
