package dev.takt.session.stage;

import java.util.List;

/**
 * What a stage does with its items.
 *
 * <p><b>Thread rule.</b> Called on the workers of its stage: with several, at the same time. On
 * platform threads it is a callback, which should not wait for long, since its thread is part of
 * the stage's budget; on sessions it may wait as it likes.
 *
 * @param <T> the items
 */
@FunctionalInterface
public interface StageHandler<T> {
  /**
   * Handles some items, in the order in which they were accepted: one at least and {@link
   * StageSettings#batch} at most, what is there. They are handled together or fail together.
   *
   * @param items a view that is valid until this returns; to keep it, copy it
   * @throws Exception if they could not be handled: they are counted, {@link #failed} is called,
   *     and the stage goes on
   */
  void handle(List<T> items) throws Exception;

  /**
   * Told of items that were accepted and not handled: {@link #handle} has thrown, or the stage was
   * closed before. Here is the place to answer whoever asked. What it throws is counted and
   * ignored. A handler without this method has its failures counted ({@link StageStats#failed});
   * the first is logged in either case.
   *
   * @param items those of the call of {@link #handle}; of a stage that is closed, all that are
   *     left, on the thread that closes it
   * @param cause what was thrown; {@link StageClosedException} if the stage was closed
   */
  default void failed(List<T> items, Throwable cause) {}
}
