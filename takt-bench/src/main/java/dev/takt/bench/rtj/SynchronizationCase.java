package dev.takt.bench.rtj;

import dev.takt.rtsj.ThreadKind;
import dev.takt.rtsj.monitor.Monitor;
import java.util.List;

/**
 * 3.3.3: from before a call until inside the method, when it is synchronized and when it is not:
 * once in a frame, as the paper does, and as the mean of many calls in a row, uncontended.
 */
final class SynchronizationCase implements Case {
  /** How many calls in a row. */
  private static final int REPEATS = 1_000;

  private static final int WARM_UP_REPEATS = 10;

  /** A ceiling that this thread is raised to by each entry. */
  private static final int HIGHER_CEILING = CaseRunner.PRIORITY + 5;

  @Override
  public void measure(CaseRunner runner) throws Exception {
    List<Call> calls =
        List.of(
            new PlainCall(),
            new SynchronizedCall(),
            new MonitorCall("inheriting", Monitor.inheritance("inheriting")),
            new MonitorCall("ceiling", Monitor.ceiling("ceiling", CaseRunner.PRIORITY)),
            new MonitorCall("raising", Monitor.ceiling("raising", HIGHER_CEILING)));
    // Shorter loops, by threads as those that count, so that each is begun often enough, too.
    runner.warmUp((_, frames, into) -> calls(runner, calls, WARM_UP_REPEATS, frames, into));
    runner.measure(
        new CaseRunner.Variant(
            "", "locks", (_, frames, into) -> calls(runner, calls, REPEATS, frames, into)));
  }

  private static void calls(
      CaseRunner runner, List<Call> calls, int repeats, Frames frames, Samples into)
      throws InterruptedException {
    long[][] entryNs = new long[calls.size()][frames.count()];
    long[][] repeatedPs = new long[calls.size()][frames.count()];
    FrameThread.Body body =
        frame -> {
          for (int i = 0; i < calls.size(); i++) {
            entryNs[i][frame] = calls.get(i).entryNs();
          }
          for (int i = 0; i < calls.size(); i++) {
            long fromNs = System.nanoTime();
            calls.get(i).repeated(repeats);
            repeatedPs[i][frame] = (System.nanoTime() - fromNs) * 1_000 / repeats;
          }
        };
    FrameThread.run(runner, ThreadKind.NO_HEAP, frames, body);
    for (int i = 0; i < calls.size(); i++) {
      into.add(calls.get(i).name, entryNs[i]);
      into.add(calls.get(i).name + "-repeated-ps", repeatedPs[i]);
    }
  }

  /** A method that logs when it is inside. Each kind has loops of its own, to be compiled apart. */
  private abstract static class Call {
    final String name;
    long insideNs;
    long calls;

    Call(String name) {
      this.name = name;
    }

    /** Returns how long it takes to get inside. */
    abstract long entryNs();

    abstract void repeated(int times);
  }

  private static final class PlainCall extends Call {
    PlainCall() {
      super("plain");
    }

    private void call() {
      insideNs = System.nanoTime();
      calls++;
    }

    @Override
    long entryNs() {
      long beforeNs = System.nanoTime();
      call();
      return insideNs - beforeNs;
    }

    @Override
    void repeated(int times) {
      for (int i = 0; i < times; i++) {
        call();
      }
    }
  }

  private static final class SynchronizedCall extends Call {
    SynchronizedCall() {
      super("synchronized");
    }

    private synchronized void call() {
      insideNs = System.nanoTime();
      calls++;
    }

    @Override
    long entryNs() {
      long beforeNs = System.nanoTime();
      call();
      return insideNs - beforeNs;
    }

    @Override
    void repeated(int times) {
      for (int i = 0; i < times; i++) {
        call();
      }
    }
  }

  private static final class MonitorCall extends Call {
    private final Monitor monitor;

    MonitorCall(String name, Monitor monitor) {
      super(name);
      this.monitor = monitor;
    }

    private void call() {
      monitor.enter();
      try {
        insideNs = System.nanoTime();
        calls++;
      } finally {
        monitor.exit();
      }
    }

    @Override
    long entryNs() {
      long beforeNs = System.nanoTime();
      call();
      return insideNs - beforeNs;
    }

    @Override
    void repeated(int times) {
      for (int i = 0; i < times; i++) {
        call();
      }
    }
  }
}
