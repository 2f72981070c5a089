package dev.takt.bench.rtj.inversion;

import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Sleeper;
import dev.takt.rtsj.RealtimeThread;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;

/**
 * Forces priority inversion, round after round, on one processor.
 *
 * <pre>
 *   high                      .--asks..............inside
 *   medium         .--wakes--'                            '--burns-----
 *   low     inside-'wakes       '--section--leaves-'                    with inheritance
 *
 *   medium         .--wakes--' '--burns-----                            without
 *   low     inside-'wakes                   '--section--leaves-'
 * </pre>
 *
 * <p>The low thread enters and wakes the medium one, which preempts it and wakes the high one,
 * which preempts that and asks to come in. Which thread runs then shows what the exclusion does
 * about priorities. No time-out is involved, so the order is the same on any machine that grants
 * the priorities; where it does not, the rounds go through all the same, in any order.
 *
 * <p><b>Thread rule:</b> one run on a processor at a time. A run keeps three threads; a round
 * allocates nothing.
 */
public final class InversionExperiment {
  private static final long WARM_UP_PERIOD_NS = 100_000;
  private static final long WARM_UP_WORK_NS = 5_000;
  private static final int WARM_UP_RUN = 50;

  /** What a thread has done when it is ready for the first round, which is 0. */
  private static final int READY = -1;

  private final OperatingSystem system = OperatingSystems.current();
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final Exclusion exclusion;
  private final InversionSetup setup;
  private final int rounds;
  private final long periodNs;

  private final Gate medium = new Gate();
  private final Gate high = new Gate();

  /** Wakes a thread for a round, and keeps the last round that the thread has done. */
  private final class Gate {
    private final Sleeper sleeper = system.newSleeper();
    private volatile int asked = READY;
    private volatile int done = READY - 1;

    void ask(int round) {
      asked = round;
      sleeper.wake();
    }

    void await(int round) {
      while (asked < round) {
        sleeper.sleep();
      }
    }
  }

  private int lowRound;
  private final Exclusion.Passage lowPassage = new Exclusion.Passage();
  private final Exclusion.Passage highPassage = new Exclusion.Passage();
  private long lowRanNs;
  private long lowSectionNs;
  private long mediumEndedNs;

  private volatile Throwable failure;

  private InversionExperiment(
      Exclusion exclusion, InversionSetup setup, int rounds, long periodNs) {
    this.exclusion = exclusion;
    this.setup = setup;
    this.rounds = rounds;
    this.periodNs = periodNs;
  }

  /**
   * Runs rounds, half of them without work and half with a little, so that all is compiled: in many
   * short runs, because each run that counts has threads of its own, too; and by turns, because
   * what the compiler has seen with one exclusion alone it must compile again for the next.
   *
   * @param rounds how many with each exclusion, at least 1; each takes 100 us
   */
  public static void warmUp(InversionSetup setup, int rounds, Exclusion... exclusions)
      throws InterruptedException {
    for (int left = rounds; left > 0; left -= 2 * WARM_UP_RUN) {
      int each = Math.min(Math.ceilDiv(left, 2), WARM_UP_RUN);
      for (Exclusion exclusion : exclusions) {
        run(exclusion, setup.withWorkNs(0), each, WARM_UP_PERIOD_NS);
        run(exclusion, setup.withWorkNs(WARM_UP_WORK_NS), each, WARM_UP_PERIOD_NS);
      }
    }
  }

  /**
   * Runs rounds.
   *
   * @param rounds how many, at least 1
   * @param periodNs from round to round, in nanoseconds; longer than section and burn together
   */
  public static InversionResult run(
      Exclusion exclusion, InversionSetup setup, int rounds, long periodNs)
      throws InterruptedException {
    if (rounds < 1 || periodNs <= setup.sectionNs() + setup.burnNs()) {
      throw new IllegalArgumentException(
          "rounds=%d, periodNs=%d (expected: at least 1, and more than section and burn together)"
              .formatted(rounds, periodNs));
    }
    return new InversionExperiment(exclusion, setup, rounds, periodNs).run();
  }

  private InversionResult run() throws InterruptedException {
    InversionResult result =
        new InversionResult(
            List.of(), new long[rounds], new long[rounds], new long[rounds], new long[rounds], 0);
    int[] inverted = new int[1];
    RealtimeThread[] all = {
      start("low", setup.lowPriority(), () -> inverted[0] = runLow(result)),
      start("medium", setup.mediumPriority(), this::runMedium),
      start("high", setup.highPriority(), this::runHigh)
    };
    for (RealtimeThread each : all) {
      each.join();
    }
    if (failure != null) {
      throw new IllegalStateException("a thread of the experiment failed", failure);
    }
    return new InversionResult(
        Arrays.stream(all).map(RealtimeThread::grant).toList(),
        result.boostNs(),
        result.unboostNs(),
        result.waitNs(),
        result.sectionNs(),
        inverted[0]);
  }

  private RealtimeThread start(String name, int priority, Runnable body) {
    return RealtimeThread.builder("inversion-" + name)
        .daemon(true)
        .scheduling(setup.scheduling(priority))
        .onFailure(
            (_, _, thrown) -> {
              failure = thrown;
              askForLast();
            })
        .program(
            _ -> {
              body.run();
              askForLast();
            })
        .start();
  }

  /** Asks both threads for the last round, also if one of them has failed. */
  private void askForLast() {
    medium.ask(rounds);
    high.ask(rounds);
  }

  private int runLow(InversionResult result) {
    Sleeper sleeper = system.newSleeper();
    Runnable section = this::workInside;
    int inverted = 0;
    awaitOthers(sleeper, READY);
    long nextNs = System.nanoTime();
    for (int round = 0; round < rounds && failure == null; round++) {
      nextNs = Math.max(nextNs + periodNs, System.nanoTime());
      inverted += runLow(sleeper, section, round, nextNs, result) ? 1 : 0;
    }
    return inverted;
  }

  /**
   * A round. Each thread has a method of its own for one: its loop is begun once in a run, which is
   * too seldom to be compiled but in the midst of a run, and the next one would not profit by that.
   *
   * @return whether the high thread was the last
   */
  private boolean runLow(
      Sleeper sleeper, Runnable section, int round, long releaseNs, InversionResult result) {
    while (System.nanoTime() - releaseNs < 0) {
      sleeper.sleepUntil(releaseNs);
    }
    lowRound = round;
    exclusion.run(section, lowPassage);
    awaitOthers(sleeper, round);
    result.boostNs()[round] = lowRanNs - highPassage.askedNs;
    result.unboostNs()[round] = highPassage.insideNs - lowPassage.leavingNs;
    result.waitNs()[round] = highPassage.insideNs - highPassage.askedNs;
    result.sectionNs()[round] = lowSectionNs;
    return setup.burnNs() > 0 && mediumEndedNs - highPassage.insideNs < 0;
  }

  private void workInside() {
    medium.ask(lowRound); // and here the others come in between
    lowRanNs = System.nanoTime();
    long startedNs = threads.getCurrentThreadCpuTime();
    burn(startedNs, setup.sectionNs());
    lowSectionNs = setup.sectionNs() == 0 ? 0 : threads.getCurrentThreadCpuTime() - startedNs;
  }

  /** Where there are no priorities they may need longer. */
  private void awaitOthers(Sleeper sleeper, int round) {
    while ((medium.done < round || high.done < round) && failure == null) {
      sleeper.sleepUntil(System.nanoTime() + 100_000);
    }
  }

  private void runMedium() {
    medium.done = READY;
    for (int round = 0; round < rounds; round++) {
      runMedium(round);
    }
  }

  private void runMedium(int round) {
    medium.await(round);
    high.ask(round);
    burn(threads.getCurrentThreadCpuTime(), setup.burnNs());
    mediumEndedNs = System.nanoTime();
    medium.done = round;
  }

  private void runHigh() {
    Runnable section = () -> {}; // to come in is all that it wants
    high.done = READY;
    for (int round = 0; round < rounds; round++) {
      runHigh(round, section);
    }
  }

  private void runHigh(int round, Runnable section) {
    high.await(round);
    exclusion.run(section, highPassage);
    high.done = round;
  }

  /** Works for a time of the processor, which does not pass while others have it. */
  private void burn(long startedNs, long durationNs) {
    while (durationNs > 0 && threads.getCurrentThreadCpuTime() - startedNs < durationNs) {
      Thread.onSpinWait();
    }
  }
}
