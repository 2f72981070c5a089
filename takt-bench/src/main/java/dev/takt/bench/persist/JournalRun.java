package dev.takt.bench.persist;

import dev.takt.bench.measure.ChildRun;
import dev.takt.persist.journal.FsyncPolicy;
import dev.takt.persist.journal.Journal;
import dev.takt.persist.journal.JournalSettings;
import dev.takt.persist.journal.JournalStats;
import dev.takt.persist.store.FolderStorage;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/**
 * Threads that commit to a space with a journal, each as often as it can: a transaction takes an
 * event of four values and writes the next one.
 *
 * @param folder where the journal is; on a disk, if {@code EVERY} is to mean something
 * @param policy when commits are forced; null: there is no journal
 * @param threads how many commit at once
 * @param warmupMs for how long before anything is measured
 * @param measureMs for how long then
 */
public record JournalRun(
    String folder, FsyncPolicy policy, int threads, int warmupMs, int measureMs)
    implements ChildRun.Body<JournalRun.Found> {
  private static final long LONGEST_NS = 60_000_000_000L;
  private static final long NS_IN_MS = 1_000_000;

  /**
   * What was found.
   *
   * @param commitsPerS of all threads together
   * @param p50Ns the time from begin to return of a transaction
   * @param p99Ns the same, of the slowest hundredth
   * @param maxNs the longest
   * @param commitsInForce how many became safe together, on average; 0 without forces
   * @param bytesOfCommit in the file, on average
   * @param refused how many were refused because the journal was full, and tried again
   */
  public record Found(
      double commitsPerS,
      long p50Ns,
      long p99Ns,
      long maxNs,
      double commitsInForce,
      double bytesOfCommit,
      long refused) {}

  /** What one thread has measured. */
  private record Measured(Histogram ns, long refused) {}

  @Override
  public Found run() throws Exception {
    EventSpace space = EventSpace.create();
    if (policy == null) {
      return measure(space, null);
    }
    JournalSettings settings = JournalSettings.DEFAULTS.withPolicy(policy);
    try (Journal journal = Journal.open(FolderStorage.open(Path.of(folder)), space, settings)) {
      return measure(space, journal);
    }
  }

  private Found measure(EventSpace space, Journal journal) throws Exception {
    JournalStats before = journal == null ? null : journal.stats();
    CyclicBarrier start = new CyclicBarrier(threads);
    List<Future<Measured>> running = new ArrayList<>();
    Histogram all = new Histogram(LONGEST_NS, 3);
    long refused = 0;
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (int i = 0; i < threads; i++) {
        int thread = i;
        Callable<Measured> work =
            () -> {
              start.await();
              return commit(space, thread);
            };
        running.add(pool.submit(work));
      }
      for (Future<Measured> each : running) {
        all.add(each.get().ns);
        refused += each.get().refused;
      }
    }
    long commits = 0;
    long forces = 0;
    long bytes = 0;
    if (journal != null) {
      JournalStats after = journal.stats();
      commits = after.commits() - before.commits();
      forces = after.forces() - before.forces();
      bytes = after.bytes() - before.bytes();
    }
    return new Found(
        all.getTotalCount() * 1e3 / measureMs,
        all.getValueAtPercentile(50),
        all.getValueAtPercentile(99),
        all.getMaxValue(),
        forces == 0 ? 0 : commits / (double) forces,
        commits == 0 ? 0 : bytes / (double) commits,
        refused);
  }

  private Measured commit(EventSpace space, int thread) {
    Event template = new Event("order", thread).add("n", null);
    Event next = new Event("order", thread).add("n", 0).add("side", "buy").add("price", 12.5);
    Event into = new Event();
    Histogram ns = new Histogram(LONGEST_NS, 3);
    long beginNs = System.nanoTime();
    long fromNs = beginNs + warmupMs * NS_IN_MS;
    long endNs = fromNs + measureMs * NS_IN_MS;
    long refused = 0;
    long nowNs = beginNs;
    for (long n = 1; nowNs - endNs < 0; n++) {
      next.add("n", n);
      long startNs = System.nanoTime();
      boolean committed = false;
      while (!committed) {
        try {
          space.transact(
              0,
              transaction -> {
                transaction.take(template, into);
                transaction.write(next);
                return null;
              });
          committed = true;
        } catch (Abort abort) {
          if (abort.reason() != Abort.Reason.REFUSED) {
            throw abort;
          }
          refused++;
          Thread.yield();
        }
      }
      nowNs = System.nanoTime();
      if (startNs - fromNs >= 0) {
        ns.recordValue(nowNs - startNs);
      }
    }
    return new Measured(ns, refused);
  }

  /** Prints what is found without a journal and with each policy: threads, milliseconds. */
  public static void main(String[] arguments) throws Exception {
    int threads = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2;
    int measureMs = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5_000;
    print("none", null, threads, measureMs);
    for (FsyncPolicy policy : FsyncPolicy.values()) {
      print(policy.name().toLowerCase(java.util.Locale.ROOT), policy, threads, measureMs);
    }
  }

  private static void print(String name, FsyncPolicy policy, int threads, int measureMs)
      throws Exception {
    Found found =
        TemporaryFolder.with(
            folder ->
                new JournalRun(folder.toString(), policy, threads, measureMs / 5, measureMs).run());
    System.out.printf("journal-%s: %s%n", name, found);
  }
}
