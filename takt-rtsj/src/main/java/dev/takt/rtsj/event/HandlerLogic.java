package dev.takt.rtsj.event;

/**
 * What a handler does for a fire of its event; the RTSJ's {@code handleAsyncEvent}.
 *
 * <p>It is called once for each fire that it does not take itself: logic that deals with several
 * fires at once takes the others by {@link AsyncEventHandler#getAndDecrementPendingFireCount} or
 * {@link AsyncEventHandler#getAndClearPendingFireCount}.
 *
 * {@snippet :
 * HandlerLogic logic = handler -> {
 *   do {
 *     step();
 *   } while (handler.getAndDecrementPendingFireCount() > 0);
 * };
 * }
 */
@FunctionalInterface
public interface HandlerLogic {
  /**
   * Handles one fire.
   *
   * @param handler the handler that runs it
   * @throws Exception if it fails: counted and reported, and the handler goes on with the next fire
   */
  void handle(AsyncEventHandler handler) throws Exception;
}
