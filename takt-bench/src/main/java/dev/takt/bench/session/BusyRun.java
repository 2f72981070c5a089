package dev.takt.bench.session;

import dev.takt.bench.measure.ChildRun;
import dev.takt.session.InVmTransport;
import dev.takt.session.SessionSettings;
import dev.takt.session.Sessions;
import dev.takt.session.Transport;
import dev.takt.session.TransportSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * A task of 1 kHz beside sessions that never rest: half of them ask the other half, line by line.
 *
 * @param sessions how many
 * @param task how it is measured
 */
public record BusyRun(int sessions, PacedTask task) implements ChildRun.Body<BusyRun.Found> {
  /**
   * What was found.
   *
   * @param pace of the task
   * @param lines how many lines went from session to session meanwhile
   */
  public record Found(PacedTask.Found pace, long lines) {}

  @Override
  public Found run() throws Exception {
    LongAdder lines = new LongAdder();
    SessionSettings limits = SessionSettings.DEFAULTS.withCloseTimeout(Duration.ofMinutes(1));
    try (Sessions busy = Sessions.open(limits)) {
      for (int i = 0; i + 1 < sessions; i += 2) {
        InVmTransport.Pair pair = InVmTransport.pair(TransportSettings.DEFAULTS);
        busy.start("asks", () -> ask(pair.first(), lines));
        busy.start("answers", () -> answer(pair.second()));
      }
      return new Found(task.measure(), lines.sum());
    }
  }

  private static Void ask(Transport transport, LongAdder lines) throws IOException {
    try (transport) {
      for (int number = 0; !Thread.currentThread().isInterrupted(); number++) {
        transport.writeLine("line " + number);
        if (transport.readLine() == null) {
          break;
        }
        lines.increment();
      }
    }
    return null;
  }

  private static Void answer(Transport transport) throws IOException {
    MailTransaction.echo(transport);
    return null;
  }
}
