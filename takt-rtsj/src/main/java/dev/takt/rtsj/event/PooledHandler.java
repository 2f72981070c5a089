package dev.takt.rtsj.event;

/**
 * A handler that runs on a thread of a {@link HandlerPool}; the RTSJ's {@code AsyncEventHandler}
 * that is not bound.
 *
 * <p>It costs no thread. If all threads of the pool are busy it waits until one has finished; then
 * the pending handler of highest priority goes first, and among equal ones the one that has been
 * ready for longest.
 *
 * <p><b>Thread rule.</b> Any thread. <b>Memory.</b> From a fire to the end of the logic nothing is
 * allocated, unless the logic allocates or throws.
 */
public final class PooledHandler extends AsyncEventHandler {
  private final HandlerPool pool;

  /** When it became ready, in the pool's order. */
  private volatile long ticket;

  PooledHandler(HandlerPool pool, HandlerSettings settings, HandlerLogic logic) {
    super(settings, logic);
    this.pool = pool;
  }

  /** Returns the pool whose threads it runs on. */
  public HandlerPool pool() {
    return pool;
  }

  /** Whether it goes first, given that both are pending. */
  boolean isBefore(PooledHandler other) {
    int byPriority = Integer.compare(priority(), other.priority());
    return byPriority > 0 || byPriority == 0 && ticket - other.ticket < 0;
  }

  @Override
  void queueUp() {
    ticket = pool.nextTicket();
  }

  @Override
  void wake() {
    pool.wakeOne();
  }

  @Override
  void wakeAgain() {
    pool.wakeCalled();
  }

  @Override
  void end() {
    pool.remove(this);
  }

  @Override
  boolean isServedByCaller() {
    return pool.isServedByCaller();
  }

  @Override
  void joinThread() {} // the threads are the pool's
}
