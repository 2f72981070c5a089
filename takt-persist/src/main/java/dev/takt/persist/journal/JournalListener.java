package dev.takt.persist.journal;

import java.lang.System.Logger.Level;

/**
 * Is told when a journal does not keep what its settings promise, and when it does again.
 *
 * <p><b>Thread rule:</b> the writer's thread calls; commits wait for it to return. It may commit
 * and close the journal: a commit of that thread does not wait until it is safe, since nobody else
 * makes it so, and what is closed ends when the method has returned. What a method throws is logged
 * and changes nothing.
 */
public interface JournalListener {
  /** Logs all of it as warnings of {@code dev.takt.persist}. */
  JournalListener LOG =
      new JournalListener() {
        @Override
        public void onFailure(Throwable cause) {
          System.getLogger("dev.takt.persist")
              .log(Level.WARNING, "commits are not safe, the journal has failed: " + cause, cause);
        }

        @Override
        public void onRelaxed(String why) {
          System.getLogger("dev.takt.persist").log(Level.WARNING, why);
        }

        @Override
        public void onRestored() {
          System.getLogger("dev.takt.persist")
              .log(Level.INFO, "the journal keeps its policy again");
        }
      };

  /**
   * The storage has failed. What was committed and not safe may be lost by a crash until {@link
   * #onRestored}; no commit that was waiting has returned yet.
   */
  void onFailure(Throwable cause);

  /**
   * {@link FsyncPolicy#EVERY} has become {@link FsyncPolicy#INTERVAL}; no commit that is not safe
   * has returned yet.
   *
   * @param why value and limit
   */
  void onRelaxed(String why);

  /**
   * The policy of the settings is in force again, and all that was committed before it was, is
   * safe.
   */
  void onRestored();
}
