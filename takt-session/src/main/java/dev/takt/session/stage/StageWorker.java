package dev.takt.session.stage;

import dev.takt.session.Session;
import dev.takt.session.Suspension;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * A thread or session of a stage, and the batch that it handles.
 *
 * <p><b>Thread rule.</b> Fields are its own, but for those of which something else is said.
 */
final class StageWorker<T> {
  private final Stage<T> stage;
  private final StageHandler<T> handler;
  private final @Nullable Object[] items;
  private final long[] acceptedNs;
  private final List<T> view = new View();
  private int size;

  /** When its handler began. */
  long beganNs;

  /** Whether it waits for items; guarded by the stage. */
  boolean isIdle;

  /** Where it waits; null until it runs. */
  private volatile @Nullable Suspension here;

  /** What it runs on; one of both. */
  private volatile @Nullable Thread thread;

  private volatile @Nullable Session<?> session;

  StageWorker(Stage<T> stage, StageHandler<T> handler, int batch) {
    this.stage = stage;
    this.handler = handler;
    items = new @Nullable Object[batch];
    acceptedNs = new long[batch];
  }

  // ---- for the stage

  void runsOn(Thread thread) {
    this.thread = thread;
  }

  void runsOn(Session<?> session) {
    this.session = session;
    if (session.isCancelled()) {
      wake(); // it may have been cancelled before it could know
    }
  }

  void wake() {
    Suspension place = here;
    if (place != null) {
      place.resume();
    }
  }

  /** Interrupts its handler, or where it waits. */
  void interrupt() {
    Thread ofThread = thread;
    if (ofThread != null) {
      ofThread.interrupt();
    }
    Session<?> ofSession = session;
    if (ofSession != null) {
      ofSession.cancel();
    }
  }

  /** Returns whether others have ended its session. */
  boolean isCancelled() {
    Session<?> ofSession = session;
    return ofSession != null && ofSession.isCancelled();
  }

  int size() {
    return size;
  }

  long acceptedNs(int index) {
    return acceptedNs[index];
  }

  void add(Object item, long itemAcceptedNs) {
    items[size] = item;
    acceptedNs[size] = itemAcceptedNs;
    size++;
  }

  // ---- what it runs

  void run() {
    here = Suspension.current();
    while (stage.take(this)) {
      Throwable cause = null;
      try {
        handler.handle(view);
      } catch (Throwable thrown) {
        cause = thrown;
      }
      stage.served(this, cause == null || report(cause), cause == null);
      for (int i = 0; i < size; i++) {
        items[i] = null;
      }
      size = 0;
      if (cause != null) {
        log(cause);
      }
      forgetInterrupt();
    }
  }

  /** Tells the handler of a failure; returns whether it took that. */
  private boolean report(Throwable cause) {
    try {
      handler.failed(view, cause);
      return true;
    } catch (Throwable ofReport) {
      return false;
    }
  }

  private void log(Throwable cause) {
    try {
      stage.logFirst(cause);
    } catch (Throwable ofLog) {
      // the failure is counted in any case, and the worker is to go on
    }
  }

  /** Waits until it is woken, or for no reason. */
  void await() {
    try {
      Objects.requireNonNull(here).await(Suspension.FOR_EVER_NS);
    } catch (InterruptedException e) {
      // the stage tells whether that was the end
    }
  }

  /** What interrupted one handler is not for the next. */
  private void forgetInterrupt() {
    Thread.interrupted();
  }

  /** The batch, for the handler. */
  private final class View extends AbstractList<T> implements RandomAccess {
    @Override
    @SuppressWarnings("unchecked") // the stage accepts items of this type only
    public T get(int index) {
      Objects.checkIndex(index, size);
      return (T) Objects.requireNonNull(items[index]);
    }

    @Override
    public int size() {
      return size;
    }
  }
}
