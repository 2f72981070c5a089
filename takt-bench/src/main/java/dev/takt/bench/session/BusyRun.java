package dev.takt.bench.session;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.LatenessRecorder;
import dev.takt.bench.measure.WovenPrograms;
import dev.takt.bench.programs.QuoteTask;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeScheduling;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.reflex.TaskStats;
import dev.takt.session.InVmTransport;
import dev.takt.session.SessionSettings;
import dev.takt.session.Sessions;
import dev.takt.session.Transport;
import dev.takt.session.TransportSettings;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;

/**
 * A task of 1 kHz beside sessions that never rest: half of them ask the other half, line by line.
 *
 * @param sessions how many
 * @param warmupMs how long nothing counts, in milliseconds
 * @param measureMs how long everything counts after that
 */
public record BusyRun(int sessions, int warmupMs, int measureMs)
    implements ChildRun.Body<BusyRun.Found> {
  private static final long PERIOD_NS = 1_000_000;
  private static final int PRIORITY = 80;

  /**
   * What was found.
   *
   * @param gapNs from the begin of a release to that of the next
   * @param misses how many releases ended past their deadlines, or never began
   * @param releases how many there should have been
   * @param lines how many lines went from session to session meanwhile
   * @param granted what the operating system has granted to the task
   */
  public record Found(Histogram gapNs, long misses, long releases, long lines, String granted) {}

  @Override
  public Found run() throws Exception {
    LatenessRecorder pace = new LatenessRecorder(PERIOD_NS);
    RuntimeSettings settings =
        RuntimeSettings.DEFAULTS.withScheduling(RuntimeScheduling.REALTIME).withListeners(pace);
    LongAdder lines = new LongAdder();
    SessionSettings limits = SessionSettings.DEFAULTS.withCloseTimeout(Duration.ofMinutes(1));
    try (Sessions busy = Sessions.open(limits);
        ReflexRuntime runtime = ReflexRuntime.create(EventSpace.create(), settings)) {
      TaskControl task =
          runtime.active(
              "quotes",
              WovenPrograms.task(QuoteTask.class),
              Schedule.periodic(PERIOD_NS).priority(PRIORITY));
      runtime.start();
      for (int i = 0; i + 1 < sessions; i += 2) {
        InVmTransport.Pair pair = InVmTransport.pair(TransportSettings.DEFAULTS);
        busy.start("asks", () -> ask(pair.first(), lines));
        busy.start("answers", () -> answer(pair.second()));
      }
      Thread.sleep(warmupMs);
      long missedBefore = missed(task);
      long linesBefore = lines.sum();
      long count = measureMs * 1_000_000L / PERIOD_NS;
      pace.begin(1, count);
      if (!pace.await()) {
        throw new IllegalStateException("the releases do not come to an end");
      }
      long misses = missed(task) - missedBefore;
      long passed = lines.sum() - linesBefore;
      String granted = runtime.grants().toString();
      runtime.stop(Duration.ofSeconds(5));
      return new Found(pace.gaps().batchNs(), misses, count, passed, granted);
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

  private static long missed(TaskControl task) {
    TaskStats stats = task.stats();
    return stats.misses() + stats.skipped();
  }
}
