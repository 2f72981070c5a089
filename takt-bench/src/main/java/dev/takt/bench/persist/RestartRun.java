package dev.takt.bench.persist;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.tasks.AnsweringTask;
import dev.takt.bench.tasks.StoredTreeTask;
import dev.takt.persist.Persistence;
import dev.takt.persist.Recovery;
import dev.takt.persist.RootRecovery;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskRecovery;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.nio.file.Path;

/**
 * A program that stores a large tree and a small task, or one that starts with what was stored: in
 * a JVM of its own each, so that nothing is warm. It can start several times: most of what its
 * first start takes is the loading of classes, which the last one shows without. A start with an
 * empty folder shows what a start takes that recovers nothing.
 *
 * @param folder where it is stored
 * @param objects the nodes of the tree when it is stored; 0: it is recovered
 * @param lazy whether the small task answers before the tree is there
 * @param starts how often it starts, at least once
 */
public record RestartRun(String folder, int objects, boolean lazy, int starts)
    implements ChildRun.Body<RestartRun.Found> {
  private static final int CAPACITY = 2_000_000;
  private static final long INCREMENT_NS = 500_000;
  private static final long PERIOD_NS = 1_000_000;
  private static final Schedule OFTEN = Schedule.periodic(10_000_000);

  /**
   * What was found, in nanoseconds from the begin of the recovery.
   *
   * @param answeredNs until the small task has answered an event; 0 when storing
   * @param allNs until the tree is there, too; when storing: what that took
   */
  public record Start(long answeredNs, long allNs) {}

  /**
   * What was found.
   *
   * @param first the first start, in which all classes are loaded
   * @param last the last one
   */
  public record Found(Start first, Start last) {}

  @Override
  public Found run() throws Exception {
    Start first = objects > 0 ? store() : start();
    Start last = first;
    for (int i = 1; i < starts && objects == 0; i++) {
      System.gc(); // what the start before has left
      last = start();
    }
    return new Found(first, last);
  }

  private static ReflexRuntime runtime(TaskRecovery recovery) {
    return ReflexRuntime.create(
        EventSpace.create(),
        RuntimeSettings.DEFAULTS.withWorkers(1).withWarmUpNs(0).withRecovery(recovery));
  }

  private Start store() throws Exception {
    Persistence persistence = Persistence.open(Path.of(folder));
    try (ReflexRuntime runtime = runtime(TaskRecovery.NONE)) {
      runtime.passive("small", new AnsweringTask(), 10);
      runtime.active("tree", new StoredTreeTask(objects), OFTEN);
      long beginNs = System.nanoTime();
      persistence.begin(runtime).run();
      return new Start(0, System.nanoTime() - beginNs);
    }
  }

  private Start start() throws Exception {
    long beginNs = System.nanoTime();
    Persistence persistence = Persistence.open(Path.of(folder));
    try (Recovery recovery = persistence.recover();
        ReflexRuntime runtime = runtime(recovery)) {
      runtime.passive("small", new AnsweringTask(), 10);
      StoredTreeTask tree = new StoredTreeTask(0, CAPACITY);
      if (!lazy) {
        runtime.active("tree", tree, OFTEN);
      }
      runtime.start();
      EventSpace space = runtime.space();
      space.write(new Event("ask", "what"));
      while (space.take(new Event("answer", null)) == null) {
        Thread.onSpinWait();
      }
      long answeredNs = System.nanoTime() - beginNs;
      if (lazy) {
        if (recovery.isWarm()) {
          recoverInIncrements(recovery, tree);
        }
        runtime.active("tree", tree, OFTEN);
      }
      return new Start(answeredNs, System.nanoTime() - beginNs);
    }
  }

  private static void recoverInIncrements(Recovery recovery, StoredTreeTask tree)
      throws InterruptedException {
    RootRecovery later = recovery.recoverLazily("tree", tree);
    while (!later.step(System.nanoTime() + INCREMENT_NS)) {
      Thread.sleep(0, (int) (PERIOD_NS - INCREMENT_NS));
    }
  }

  /** Prints what a run finds: folder, objects or 0, whether lazy, starts. */
  public static void main(String[] arguments) throws Exception {
    Found found =
        new RestartRun(
                arguments[0],
                Integer.parseInt(arguments[1]),
                Boolean.parseBoolean(arguments[2]),
                Integer.parseInt(arguments[3]))
            .run();
    System.out.printf("first: %s%nlast: %s%n", found.first(), found.last());
  }
}
