package dev.takt.bench.session;

import dev.takt.bench.measure.ChildRun;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A task of 1 kHz beside the transactions of the mail, which begin anew when all have ended.
 *
 * @param peer what runs them
 * @param transactions how many there are
 * @param parallel how many at the same time
 * @param task how it is measured
 */
public record BesideMailRun(MailPeer peer, int transactions, int parallel, PacedTask task)
    implements ChildRun.Body<BesideMailRun.Found> {
  /**
   * What was found.
   *
   * @param pace of the task
   * @param runs how often all transactions have ended, the time without the task included
   */
  public record Found(PacedTask.Found pace, long runs) {}

  @Override
  public Found run() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    FutureTask<Long> mail = new FutureTask<>(() -> runUntil(ended));
    Thread.ofPlatform().name("mail").daemon().start(mail);
    PacedTask.Found pace = task.measure();
    ended.set(true);
    return new Found(pace, value(mail));
  }

  private long runUntil(AtomicBoolean ended) throws Exception {
    long runs = 0;
    try (MailProgram program = peer.open(0, false)) {
      do {
        program.run(transactions, parallel);
        runs++;
      } while (!ended.get());
    }
    return runs;
  }

  private long value(FutureTask<Long> mail) throws InterruptedException {
    try {
      return mail.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the transactions of " + peer + " have failed", e.getCause());
    }
  }
}
