package dev.takt.bench.session;

import dev.takt.bench.measure.ChildRun;
import java.util.concurrent.FutureTask;

/**
 * A task of 1 kHz in the process of an echo server.
 *
 * @param echo the server and its clients
 * @param warmupMs how long they have been at it when the task begins, in milliseconds
 * @param task how it is measured
 */
public record BesideEchoRun(EchoRole echo, int warmupMs, PacedTask task)
    implements ChildRun.Body<BesideEchoRun.Found> {
  private static final int LONG_MS = 600_000;

  /**
   * What was found.
   *
   * @param pace of the task
   * @param connections how many clients there were
   */
  public record Found(PacedTask.Found pace, int connections) {}

  @Override
  public Found run() throws Exception {
    try (EchoPeer.Server server = echo.peer().open(echo.allowed())) {
      FutureTask<EchoLoad.Found> clients =
          new FutureTask<>(() -> echo.load(server, warmupMs, LONG_MS));
      Thread thread = Thread.ofPlatform().name("clients").daemon().start(clients);
      try {
        awaitClients(server, clients);
        PacedTask.Found pace = task.measure();
        requireRunning(clients);
        return new Found(pace, echo.allowed());
      } finally {
        thread.interrupt(); // a server waits for the end of its connections
        thread.join();
      }
    }
  }

  /** Waits until all are connected, and as long as a warm-up after that. */
  private void awaitClients(EchoPeer.Server server, FutureTask<EchoLoad.Found> clients)
      throws Exception {
    while (server.accepted() < echo.allowed()) {
      requireRunning(clients);
      Thread.sleep(1);
    }
    Thread.sleep(warmupMs);
  }

  private static void requireRunning(FutureTask<EchoLoad.Found> clients) throws Exception {
    if (clients.isDone()) {
      clients.get(); // throws what has ended them
      throw new IllegalStateException("the clients have ended before the task");
    }
  }
}
