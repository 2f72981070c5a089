package dev.takt.stress;

import dev.takt.testkit.History.Unit;
import dev.takt.testkit.SerialChecker;
import dev.takt.testkit.SharedAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Runs small histories on virtual threads that share one carrier, with {@link Switches} between
 * them: a seed decides every interleaving.
 *
 * <p>Only one thread runs at a time, so this tries sequentially consistent interleavings; the order
 * of memory is for jcstress and for {@link RealThreads}. The module's tests run with one carrier,
 * which surefire sets; with more carriers the histories are as valid but not replayable.
 */
final class Interleaver {
  /** Far beyond what a history needs. */
  private static final long MAX_ACCESSES = 1_000_000;

  /**
   * What was found.
   *
   * @param histories how many histories were run
   * @param units how many transactions and attempts they had
   * @param conflicts how many attempts were lost
   * @param violation what was wrong with the last one, or null
   * @param seed the seed of the last one
   */
  record Result(int histories, long units, long conflicts, String violation, long seed) {}

  private final SpacePort.Factory spaces;
  private final boolean withNow;
  private long now;

  Interleaver(SpacePort.Factory spaces, boolean withNow) {
    this.spaces = spaces;
    this.withNow = withNow;
  }

  /** Runs histories with the seeds from {@code seed} on until one is wrong. */
  Result run(long seed, int histories) {
    Result[] result = new Result[1];
    Throwable[] failure = new Throwable[1];
    try {
      Thread root =
          Thread.ofVirtual().name("histories").unstarted(() -> result[0] = runAll(seed, histories));
      root.setUncaughtExceptionHandler((thread, e) -> failure[0] = e);
      root.start();
      root.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      SharedAccess.setHook(null);
    }
    if (failure[0] != null) {
      throw new AssertionError("the histories from seed " + seed + " on broke off", failure[0]);
    }
    return result[0];
  }

  private Result runAll(long seed, int histories) {
    long units = 0;
    long conflicts = 0;
    for (int i = 0; i < histories; i++) {
      List<Unit> history = new ArrayList<>();
      String violation;
      try {
        conflicts += runOne(seed + i, history);
        units += history.size();
        violation = SerialChecker.violation(history);
      } catch (IllegalStateException
          | AssertionError
          | IndexOutOfBoundsException
          | NullPointerException e) {
        violation = "failed: " + e;
      }
      if (violation != null) {
        return new Result(i + 1, units, conflicts, violation, seed + i);
      }
    }
    return new Result(histories, units, conflicts, null, seed + histories - 1);
  }

  private long runOne(long seed, List<Unit> history) {
    SplittableRandom random = new SplittableRandom(seed);
    Load.Size size =
        new Load.Size(
            2 + random.nextInt(3),
            1 + random.nextInt(4),
            1 + random.nextInt(4),
            1 + random.nextInt(3),
            1 + random.nextInt(4),
            1 + random.nextInt(3),
            withNow && random.nextInt(3) == 0);
    // with room for more, taken events stay linked for a while, and leave their lists together
    int capacity = random.nextInt(8) == 0 ? 4 : 64 << random.nextInt(4);
    SpacePort port = spaces.create(capacity, 12, 2, 3);
    now = 0;
    if (capacity > 4) {
      history.add(Load.fill(port.open(), size, random));
    }
    List<Load> loads = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    Throwable[] failure = new Throwable[1];
    for (int i = 0; i < size.threads(); i++) {
      Load load = new Load(i, port.open(), size, random.split(), () -> ++now);
      loads.add(load);
      threads.add(
          Thread.ofVirtual()
              .uncaughtExceptionHandler((thread, e) -> failure[0] = e)
              .unstarted(load::run));
    }
    SharedAccess.setHook(new Switches(random.split(), MAX_ACCESSES));
    threads.forEach(Thread::start);
    join(threads);
    SharedAccess.setHook(Switches.bound(MAX_ACCESSES));
    if (failure[0] != null) {
      throw new AssertionError("a thread failed: " + stack(failure[0]), failure[0]);
    }
    long conflicts = 0;
    for (Load load : loads) {
      history.addAll(load.units());
      conflicts += load.conflicts();
    }
    history.add(Drain.drain(port, ++now));
    return conflicts;
  }

  private static String stack(Throwable failure) {
    StringBuilder out = new StringBuilder(failure.toString());
    for (int i = 0; i < Math.min(8, failure.getStackTrace().length); i++) {
      out.append("\n    at ").append(failure.getStackTrace()[i]);
    }
    return out.toString();
  }

  private static void join(List<Thread> threads) {
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
