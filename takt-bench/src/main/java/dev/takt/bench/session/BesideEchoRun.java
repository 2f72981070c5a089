package dev.takt.bench.session;

import dev.takt.bench.measure.ChildRun;
import java.util.concurrent.FutureTask;

/**
 * A task of 1 kHz in the process of an echo server.
 *
 * @param echo the server and its clients
 * @param task how it is measured
 */
public record BesideEchoRun(EchoRun echo, PacedTask task)
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
    try (EchoPeer.Server server = echo.peer().open()) {
      FutureTask<EchoLoad.Found> clients = new FutureTask<>(() -> echo.load(server, LONG_MS));
      Thread thread = Thread.ofPlatform().name("clients").daemon().start(clients);
      Thread.sleep(echo.warmupMs()); // until they are connected
      PacedTask.Found pace = task.measure();
      if (clients.isDone()) {
        clients.get(); // throws what has ended them
        throw new IllegalStateException("the clients have ended before the task");
      }
      thread.interrupt();
      thread.join();
      return new Found(pace, echo.allowed());
    }
  }
}
