package dev.takt.session;

import dev.takt.realtime.internal.Await;
import java.util.function.LongConsumer;

/**
 * A daemon thread that looks at something again and again, until it is closed.
 *
 * <p><b>Thread rule.</b> Any thread may close it.
 */
final class WatchThread implements AutoCloseable {
  private final long periodNs;
  private final LongConsumer look;
  private final Thread thread;

  /**
   * Makes one that is not started.
   *
   * @param periodNs how long it waits between two looks
   * @param look is given the time of a monotonic clock; must not throw
   */
  WatchThread(String name, long periodNs, LongConsumer look) {
    this.periodNs = periodNs;
    this.look = look;
    thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    Suspension here = Suspension.current();
    try {
      while (true) {
        look.accept(here.nanoTime());
        here.await(periodNs);
      }
    } catch (InterruptedException closed) {
      // the end
    }
  }

  /** Ends it, and waits until it has ended, unless it calls this itself. */
  @Override
  public void close() {
    thread.interrupt();
    if (Thread.currentThread() != thread) {
      Await.uninterruptibly(thread::join);
    }
  }
}
