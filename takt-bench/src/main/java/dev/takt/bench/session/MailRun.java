package dev.takt.bench.session;

import dev.takt.bench.measure.ChildRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The experiment of the mail: transactions of ten writes and ten reads.
 *
 * @param peer what runs them
 * @param transactions how many there are
 * @param parallel how many at the same time; several times, one after the other
 * @param delayNs how long each read and each write is delayed
 * @param warmupMs for how long runs do not count at first, in milliseconds
 * @param runs how many count
 */
public record MailRun(
    MailPeer peer, int transactions, List<Integer> parallel, long delayNs, int warmupMs, int runs)
    implements ChildRun.Body<MailRun.Found> {
  /**
   * What was found.
   *
   * @param figures one for each number at the same time
   */
  public record Found(List<Figure> figures) {
    /** Returns a figure, or null if there is none. */
    Figure figure(int parallel, boolean called) {
      return figures.stream()
          .filter(each -> each.parallel() == parallel && each.called() == called)
          .findFirst()
          .orElse(null);
    }
  }

  /**
   * How long all transactions took.
   *
   * @param parallel how many at the same time
   * @param called whether the other end answered in the call that writes
   * @param p50Ns the median of the runs, in nanoseconds
   * @param minNs the shortest
   * @param maxNs the longest
   */
  public record Figure(int parallel, boolean called, long p50Ns, long minNs, long maxNs) {}

  @Override
  public Found run() throws Exception {
    List<Figure> figures = new ArrayList<>();
    for (int each : parallel) {
      figures.add(measured(each, false));
      if (peer.canBeCalled() && delayNs == 0) {
        figures.add(measured(each, true));
      }
    }
    return new Found(figures);
  }

  private Figure measured(int each, boolean called) throws Exception {
    try (MailProgram program = peer.open(delayNs, called)) {
      long warmUntilNs = System.nanoTime() + warmupMs * 1_000_000L;
      while (System.nanoTime() < warmUntilNs) {
        program.run(transactions, each);
      }
      long[] ns = new long[runs];
      for (int i = 0; i < runs; i++) {
        long beginNs = System.nanoTime();
        program.run(transactions, each);
        ns[i] = System.nanoTime() - beginNs;
      }
      Arrays.sort(ns);
      return new Figure(each, called, ns[runs / 2], ns[0], ns[runs - 1]);
    }
  }
}
