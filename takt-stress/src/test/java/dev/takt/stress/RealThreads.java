package dev.takt.stress;

import dev.takt.testkit.History.Unit;
import dev.takt.testkit.SerialChecker;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * Runs small histories on real threads, which start each together: what the hardware and the system
 * make of them.
 */
final class RealThreads {
  private final SpacePort.Factory spaces;

  RealThreads(SpacePort.Factory spaces) {
    this.spaces = spaces;
  }

  /**
   * Runs histories of {@code threads} threads with the seeds from {@code seed} on until one is
   * wrong.
   */
  Interleaver.Result run(long seed, int histories, int threads) {
    Runner[] runners = new Runner[threads];
    CyclicBarrier barrier = new CyclicBarrier(threads + 1);
    for (int i = 0; i < threads; i++) {
      runners[i] = new Runner(barrier);
      runners[i].thread = Thread.ofPlatform().name("history-" + i).daemon().start(runners[i]);
    }
    long units = 0;
    long conflicts = 0;
    try {
      for (int i = 0; i < histories; i++) {
        List<Unit> history = new ArrayList<>();
        conflicts += runOne(seed + i, runners, barrier, history);
        units += history.size();
        String violation = SerialChecker.violation(history);
        if (violation != null) {
          return new Interleaver.Result(i + 1, units, conflicts, violation, seed + i);
        }
      }
    } finally {
      end(runners, barrier);
    }
    return new Interleaver.Result(histories, units, conflicts, null, seed + histories - 1);
  }

  private long runOne(long seed, Runner[] runners, CyclicBarrier barrier, List<Unit> history) {
    SplittableRandom random = new SplittableRandom(seed);
    Load.Size size =
        new Load.Size(
            runners.length,
            40 / runners.length,
            1 + random.nextInt(4),
            1 + random.nextInt(2),
            1 + random.nextInt(4),
            1 + random.nextInt(2),
            random.nextInt(4) == 0);
    SpacePort port = spaces.create(512, 12, 20, 3);
    history.add(Load.fill(port.open(), size, random));
    for (int i = 0; i < runners.length; i++) {
      runners[i].load = new Load(i, port.open(), size, random.split(), System::nanoTime);
    }
    await(barrier);
    await(barrier);
    long conflicts = 0;
    for (Runner runner : runners) {
      if (runner.failure != null) {
        throw new AssertionError("a thread failed with seed " + seed, runner.failure);
      }
      history.addAll(runner.load.units());
      conflicts += runner.load.conflicts();
    }
    history.add(Drain.drain(port, System.nanoTime() + 1));
    return conflicts;
  }

  private static void end(Runner[] runners, CyclicBarrier barrier) {
    for (Runner runner : runners) {
      runner.load = null;
    }
    await(barrier);
    for (Runner runner : runners) {
      try {
        runner.thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new AssertionError(e);
    }
  }

  private static final class Runner implements Runnable {
    private final CyclicBarrier barrier;
    private Thread thread;
    private Load load;
    private Throwable failure;

    Runner(CyclicBarrier barrier) {
      this.barrier = barrier;
    }

    @Override
    public void run() {
      while (true) {
        RealThreads.await(barrier);
        if (load == null) {
          return;
        }
        try {
          load.run();
        } catch (Throwable e) {
          failure = e;
        }
        RealThreads.await(barrier);
      }
    }
  }
}
