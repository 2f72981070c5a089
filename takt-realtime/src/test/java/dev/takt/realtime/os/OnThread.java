package dev.takt.realtime.os;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Runs a part of a test on a thread of its own, so that its scheduling ends with it. */
public final class OnThread {
  /** A thread that nobody wakes fails its test, rather than holding it up for ever. */
  private static final int TIMEOUT_SECONDS = 60;

  private OnThread() {}

  public interface Part {
    void run() throws Exception;
  }

  public static void run(Part part) throws Exception {
    Started started = start(part);
    started.join();
  }

  public static Started start(Part part) {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              part.run();
              return null;
            });
    Thread thread = Thread.ofPlatform().name("part-of-test").daemon().start(task);
    return new Started(thread, task);
  }

  public record Started(Thread thread, FutureTask<Void> task) {
    /** Waits for the end; what the part has thrown is thrown here. */
    public void join() throws Exception {
      try {
        task.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof Error error) {
          throw error;
        }
        throw (Exception) e.getCause();
      }
      thread.join();
    }
  }
}
