package dev.takt.stress.ready;

import dev.takt.testkit.FaultLoader;
import dev.takt.testkit.Seeds;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** Short runs of shipped classes in which a seed decides every step and every change of threads. */
public interface Schedules {
  /** How many are run: as many with the fault to be caught as without one. */
  int COUNT = Boolean.getBoolean("takt.full") ? 10_000_000 : 100_000;

  /** Runs one; returns what was wrong, or null. */
  String violation(long seed);

  /** Runs a search, on a thread of the right kind. */
  default void on(Runnable search) {
    search.run();
  }

  /** The first schedule that went wrong, or one that went well and a null violation. */
  record Found(long seed, String violation) {}

  /**
   * Runs schedules until one goes wrong.
   *
   * @param run loaded once more, with the fault and with hooks, and with its nested classes; has a
   *     public constructor without parameters
   * @param isOurs which other classes, by name
   * @param fault null: none
   */
  static Found search(
      Class<? extends Schedules> run, Predicate<String> isOurs, FaultLoader.Fault fault) {
    FaultLoader loader =
        new FaultLoader(
            name ->
                name.startsWith("dev.takt.realtime.Ready")
                    || name.startsWith(run.getName())
                    || isOurs.test(name),
            true,
            fault);
    Schedules schedules = loader.newInstance(run.getName(), Schedules.class);
    long first = Seeds.seed();
    int count = Seeds.isReplay() && fault == null ? 1 : COUNT;
    Found[] found = {new Found(first, null)};
    schedules.on(
        () -> {
          for (int i = 0; i < count && found[0].violation() == null; i++) {
            found[0] = new Found(first + i, schedules.violation(first + i));
          }
        });
    return found[0];
  }

  /**
   * A fault in one method.
   *
   * @param method as {@code ReadyState.finish}
   * @param call the call in it that is broken
   * @param answer what the call answers whatever it does; null: it is left out
   * @param places counts where the fault was put in
   */
  record Mutant(String method, String call, Boolean answer, AtomicInteger places) {
    public Mutant(String method, String call, Boolean answer) {
      this(method, call, answer, new AtomicInteger());
    }

    public FaultLoader.Fault fault() {
      return answer == null
          ? FaultLoader.omitting(call, 0, method::equals, places)
          : FaultLoader.answering(call, answer, method::equals, places);
    }

    @Override
    public String toString() {
      return method + ": " + call + (answer == null ? " is left out" : " answers " + answer);
    }
  }
}
