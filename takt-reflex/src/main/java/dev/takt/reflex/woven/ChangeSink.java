package dev.takt.reflex.woven;

/**
 * Learns of what becomes of the changes of one task's releases: for a journal, which keeps them
 * with the events of the same commit. See {@link TaskMemory#changes}.
 *
 * <pre>
 *   applied*   commit of the transaction, with this as its cargo      committed or undone
 * </pre>
 *
 * <p>At the commit {@link TaskMemory} has what the attempt has saved, and so may have changed.
 *
 * <p><b>Thread rule:</b> called by the thread that runs the release, in its time. Nothing may be
 * thrown.
 */
public interface ChangeSink {
  /**
   * Atomic calls have changed an object or array, for good: it belongs to the next commit of a
   * release, whichever that is. Between attempts.
   */
  void applied(Object changed);

  /** The attempt has committed. */
  void committed();

  /** The attempt is undone. */
  void undone();
}
