package dev.takt.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets Ctrl-C end a command early, but not before what was done until then is reported: the process
 * ends when this is closed.
 */
public final class InterruptHook implements AutoCloseable {
  private static final long END_S = 20;

  private final CountDownLatch finished = new CountDownLatch(1);
  private final Thread hook;

  /**
   * Begins to watch for it.
   *
   * @param command the name of the command
   * @param cancel ends its work soon, on another thread
   */
  public InterruptHook(String command, Runnable cancel) {
    hook =
        new Thread(
            () -> {
              cancel.run();
              try {
                if (!finished.await(END_S, TimeUnit.SECONDS)) {
                  System.err.println(command + ": did not end within " + END_S + " s");
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "takt-shutdown");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  @Override
  public void close() {
    finished.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // the process is ending already, and the hook runs
    }
  }
}
