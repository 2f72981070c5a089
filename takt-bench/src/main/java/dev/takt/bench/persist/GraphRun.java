package dev.takt.bench.persist;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.memory.TaskThreads;
import dev.takt.bench.programs.GraphTask;
import dev.takt.persist.Cycle;
import dev.takt.persist.CycleState;
import dev.takt.persist.CycleStats;
import dev.takt.persist.PersistSettings;
import dev.takt.persist.Persistence;
import dev.takt.persist.Scheme;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;

/**
 * Tables 1 and 2: the application's graph is stored, before it is changed (stop-the-world) or while
 * it is (preemptible); alone, or beside a second one of the same classes that is not to be stored
 * and a third one without a barrier.
 *
 * @param marking whether the scheme is marking, else annotating
 * @param targetNs how long an increment is to be; 0: stop-the-world
 * @param periodNs from the begin of an increment to that of the next
 * @param threads 1 or 3 applications
 * @param rounds how many rounds count, after half as many that do not; the paper has 40
 */
public record GraphRun(boolean marking, long targetNs, long periodNs, int threads, int rounds)
    implements ChildRun.Body<GraphRun.Found> {

  /**
   * What was found: means over the rounds, but for what says otherwise.
   *
   * @param storeNs all increments of a cycle together
   * @param maxStoreNs the longest of them
   * @param pauseNs an increment
   * @param maxPauseNs the longest of all
   * @param cycleNs from the begin of a cycle to its safe snapshot
   * @param applicationNs from the first node to the last one deleted
   * @param increments how many a cycle has
   * @param objects how many it stores
   * @param bytes what the snapshot takes
   * @param barrierCalls how often releases called the barrier meanwhile
   * @param barrierSaves how many objects it saved
   * @param extraObjects how many of these belong to no root
   */
  public record Found(
      double storeNs,
      double maxStoreNs,
      double pauseNs,
      double maxPauseNs,
      double cycleNs,
      double applicationNs,
      double increments,
      double objects,
      double bytes,
      double barrierCalls,
      double barrierSaves,
      double extraObjects) {}

  /** One round. */
  private record Round(CycleStats stats, long cycleNs, long applicationNs) {}

  @Override
  public Found run() throws Exception {
    PersistSettings settings =
        PersistSettings.DEFAULTS
            .withGenerations(1)
            .withScheme(marking ? Scheme.MARKING : Scheme.ANNOTATING);
    Persistence persistence = Persistence.open(new MemoryStorage(), settings);
    Application stored = Application.woven("stored");
    Application beside = Application.woven("beside");
    StoredGraph plain = StoredGraph.plain(GraphTask.class);
    List<Round> counted = new ArrayList<>();
    try (TaskThreads pool = new TaskThreads(threads, "application")) {
      for (int i = -rounds / 2; i < rounds; i++) {
        Round round = round(persistence, pool, stored, beside, plain);
        if (i >= 0) {
          counted.add(round);
        }
      }
    }
    return found(counted);
  }

  private Round round(
      Persistence persistence,
      TaskThreads pool,
      Application stored,
      Application beside,
      StoredGraph plain)
      throws Exception {
    long startNs = System.nanoTime();
    stored.graph().fill(Application.NODES);
    List<Future<?>> running = new ArrayList<>();
    long beginNs = System.nanoTime();
    try (Cycle cycle = persistence.begin(List.of(stored.root()))) {
      if (targetNs == 0) {
        store(cycle);
      }
      if (threads > 1) {
        beside.graph().fill(Application.NODES);
        plain.fill(Application.NODES);
        running.add(pool.submit(() -> beside.run(true)));
        running.add(
            pool.submit(
                () -> {
                  while (plain.root() != null) {
                    plain.task().execute();
                  }
                }));
      }
      Future<Long> application =
          pool.submit(
              () -> {
                stored.run(true);
                return System.nanoTime();
              });
      if (targetNs > 0) {
        store(cycle);
      }
      long cycleNs = System.nanoTime() - beginNs;
      long applicationNs = application.get() - startNs;
      for (Future<?> each : running) {
        each.get();
      }
      return new Round(cycle.stats(), cycleNs, applicationNs);
    }
  }

  private void store(Cycle cycle) throws Exception {
    long incrementNs = targetNs == 0 ? Long.MAX_VALUE / 4 : targetNs;
    long nextNs = System.nanoTime();
    CycleState state;
    do {
      state = cycle.step(System.nanoTime() + incrementNs);
      boolean isWritten;
      do {
        isWritten = cycle.write();
      } while (isWritten);
      nextNs += periodNs;
      while (targetNs > 0 && nextNs - System.nanoTime() > 0) {
        LockSupport.parkNanos(nextNs - System.nanoTime());
      }
    } while (state == CycleState.RUNNING || state == CycleState.WAITING);
    if (state == CycleState.FAILED) {
      throw new IllegalStateException(cycle.failure());
    }
  }

  private static Found found(List<Round> rounds) {
    double increments = mean(rounds, each -> each.stats.increments());
    double storeNs = mean(rounds, each -> each.stats.totalNs());
    return new Found(
        storeNs,
        max(rounds, each -> each.stats.totalNs()),
        storeNs / increments,
        max(rounds, each -> each.stats.maxIncrementNs()),
        mean(rounds, Round::cycleNs),
        mean(rounds, Round::applicationNs),
        increments,
        mean(rounds, each -> each.stats.objects()),
        mean(rounds, each -> each.stats.bytes()),
        mean(rounds, each -> each.stats.barrierCalls()),
        mean(rounds, each -> each.stats.barrierSaves()),
        mean(rounds, each -> each.stats.extraObjects()));
  }

  private static double mean(List<Round> rounds, ToLongFunction<Round> of) {
    return rounds.stream().mapToLong(of).average().orElseThrow();
  }

  private static double max(List<Round> rounds, ToLongFunction<Round> of) {
    return rounds.stream().mapToLong(of).max().orElseThrow();
  }
}
