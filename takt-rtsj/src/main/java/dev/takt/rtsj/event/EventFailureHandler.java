package dev.takt.rtsj.event;

/** Called when the logic of a handler has thrown. */
@FunctionalInterface
public interface EventFailureHandler {
  /** Does nothing: failures are counted, and the last one is kept by the handler. */
  EventFailureHandler NONE = (handler, failure) -> {};

  /**
   * Called with a failure, on the thread that ran the handler. What it throws itself is ignored.
   *
   * @param handler the handler with the logic that has thrown
   * @param failure what it has thrown
   */
  void onFailure(AsyncEventHandler handler, Throwable failure);
}
