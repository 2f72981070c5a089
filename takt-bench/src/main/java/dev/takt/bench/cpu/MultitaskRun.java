package dev.takt.bench.cpu;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.programs.Logarithms;
import dev.takt.bench.tasks.LongCode;
import dev.takt.cpu.AuthenticationClass;
import dev.takt.cpu.ManagerEvent;
import dev.takt.cpu.OverrunPolicy;
import dev.takt.cpu.Profile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One block of the five tasks: four that calculate logarithms, and a fifth that takes more than its
 * class allows, or does not end.
 *
 * @param contestant who
 * @param onOverrun what the class of the tasks does with one that exceeds its cost
 * @param endless whether the fifth task does not end
 * @param tasks how much the tasks calculate
 * @param warmup how many periods of 100 ms do not count
 * @param iterations how many do, then
 */
public record MultitaskRun(
    Contestant contestant,
    OverrunPolicy onOverrun,
    boolean endless,
    FiveTasks tasks,
    int warmup,
    int iterations)
    implements ChildRun.Body<MultitaskRun.Multitasked> {
  /** The periods of the four. Source: CPU control 3.2. */
  static final List<Integer> PERIODS_MS = List.of(70, 100, 130, 200);

  /** Of the task that the figures are about. */
  static final int WATCHED_MS = 100;

  static final String FIFTH = "fifth";

  private static final long MS = 1_000_000;

  /** The longest execution time of the class: the first task's, 7 to 10 ms, and some more. */
  private static final long MAX_COST_NS = 12 * MS;

  /** After so long an endless loop that nobody has stopped ends by itself. */
  private static final long ENDLESS_NS = 3_000 * MS;

  private static final int WARM_UP_CALLS = 5_000;

  /** Which part of a release each of these calls does. */
  private static final int WARM_UP_PART = 200;

  /**
   * Something that the manager has reported about the fifth task.
   *
   * @param kind what, as {@link ManagerEvent.Kind} names it
   * @param afterNs how long after the begin of its first release
   * @param detail for people
   */
  public record Found(String kind, long afterNs, String detail) {}

  /**
   * What was found.
   *
   * @param times of the four tasks, by their periods in milliseconds
   * @param states what became of all tasks; nothing without a manager
   * @param found what was reported about the fifth task
   * @param granted how the thread of the watched task was scheduled, when that was last looked at
   * @param user who it was run by
   */
  public record Multitasked(
      Map<String, ReleaseTimes> times,
      Map<String, String> states,
      List<Found> found,
      String granted,
      String user) {}

  @Override
  public Multitasked run() throws InterruptedException {
    warmUp();
    Map<String, ReleaseLog> logs = new LinkedHashMap<>();
    AtomicReference<String> granted = new AtomicReference<>("");
    AtomicLong fifthBeginNs = new AtomicLong();
    AtomicBoolean over = new AtomicBoolean();
    try (Workbench bench = Workbench.of(contestant)) {
      for (int periodMs : PERIODS_MS) {
        Runnable look = periodMs == WATCHED_MS ? () -> granted.set(Workbench.granted()) : () -> {};
        ReleaseLog log = log(periodMs, look);
        logs.put(Integer.toString(periodMs), log);
        bench.start(profile("task-" + periodMs, periodMs), dueNs -> release(log, dueNs));
      }
      LongCode fifth = fifth(over);
      bench.start(profile(FIFTH, WATCHED_MS), _ -> begin(fifth, fifthBeginNs));
      logs.get(Integer.toString(WATCHED_MS)).await();
      long nowNs = System.nanoTime();
      Map<String, ReleaseTimes> times = new LinkedHashMap<>();
      logs.forEach((name, log) -> times.put(name, log.times(nowNs)));
      over.set(true); // not before: it lets others run
      return new Multitasked(
          times,
          states(bench),
          found(bench, fifthBeginNs.get()),
          granted.get(),
          System.getProperty("user.name"));
    } finally {
      over.set(true);
    }
  }

  /** Has the JVM compile the work: by many calls, because a long one has code of its own. */
  private void warmUp() {
    for (int i = 0; i < WARM_UP_CALLS; i++) {
      use(Logarithms.sum(tasks.logarithms() / WARM_UP_PART));
    }
  }

  private ReleaseLog log(int periodMs, Runnable look) {
    return new ReleaseLog(
        periodMs * MS,
        Math.max(1, warmup * WATCHED_MS / periodMs),
        Math.max(2, iterations * WATCHED_MS / periodMs),
        look);
  }

  private Profile profile(String name, int periodMs) {
    return Profile.of(name, periodMs * MS)
        .in(
            new AuthenticationClass(
                "five",
                0,
                MAX_COST_NS,
                1_000 * MS,
                1,
                false,
                onOverrun,
                AuthenticationClass.DEFAULT_GRACE_NS));
  }

  private void release(ReleaseLog log, long dueNs) {
    long beginNs = System.nanoTime();
    use(Logarithms.sum(tasks.logarithms()));
    log.released(dueNs, beginNs, System.nanoTime());
  }

  private static void begin(LongCode fifth, AtomicLong fifthBeginNs) {
    fifthBeginNs.compareAndSet(0, System.nanoTime());
    fifth.run();
  }

  private LongCode fifth(AtomicBoolean over) {
    return new LongCode(tasks.fifthLogarithms() / LongCode.PARTS, endless ? ENDLESS_NS : 0, over);
  }

  private static void use(double sum) {
    if (Double.isNaN(sum)) {
      throw new IllegalStateException("no logarithm is a number");
    }
  }

  private static Map<String, String> states(Workbench bench) {
    Map<String, String> states = new LinkedHashMap<>();
    List<String> names = new ArrayList<>();
    PERIODS_MS.forEach(each -> names.add("task-" + each));
    names.add(FIFTH);
    for (String name : names) {
      bench.task(name).ifPresent(task -> states.put(name, task.state().name()));
    }
    return states;
  }

  private static List<Found> found(Workbench bench, long fifthBeginNs) {
    return bench.events().stream()
        .filter(each -> each.task().equals(FIFTH))
        .map(each -> new Found(each.kind().name(), each.timeNs() - fifthBeginNs, each.detail()))
        .toList();
  }
}
