package dev.takt.reflex;

import dev.takt.reflex.woven.TaskThread;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs what comes before the first release of a task ({@code initialize()}, warm-up) on a thread
 * that can have a task memory, and waits for it.
 *
 * <p><b>Thread rule:</b> {@link #run} by one thread at a time; the rest any thread.
 *
 * <p><b>Memory:</b> a thread for as long as {@link #run} takes.
 */
final class SetupThread {
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);

  private volatile @Nullable TaskThread thread;

  /**
   * Runs something on a thread of its own and waits for its end, whatever happens.
   *
   * @param body what to run; what it throws is thrown
   * @param whileWaiting called by the waiting thread now and then
   */
  void run(Runnable body, Runnable whileWaiting) {
    Job job = new Job(body);
    TaskThread thread = new TaskThread(job, "takt-set-up");
    thread.setDaemon(false);
    this.thread = thread;
    thread.start();
    boolean interrupted = false;
    while (thread.isAlive()) {
      interrupted |= Waits.join(thread, LOOK_NS);
      whileWaiting.run();
    }
    this.thread = null;
    Waits.restoreInterrupt(interrupted);
    job.rethrow();
  }

  /** Returns whether the calling thread is the one that sets up. */
  boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /** Interrupts what is being set up. */
  void interrupt() {
    TaskThread thread = this.thread;
    if (thread != null) {
      thread.interrupt();
    }
  }

  private static final class Job implements Runnable {
    private final Runnable body;
    private @Nullable Throwable failure;

    Job(Runnable body) {
      this.body = body;
    }

    @Override
    public void run() {
      try {
        body.run();
      } catch (Throwable e) {
        failure = e;
      }
    }

    void rethrow() {
      switch (failure) {
        case null -> {}
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        default -> throw new IllegalStateException(failure);
      }
    }
  }
}
