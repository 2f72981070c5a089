package dev.takt.bench.rtj;

import dev.takt.rtsj.RealtimeThread;
import dev.takt.rtsj.RealtimeThreadBuilder;
import dev.takt.rtsj.ThreadKind;
import java.util.Arrays;
import java.util.List;

/**
 * Of RTJPerf: how long it takes to make and start a thread, of each kind and a plain one, until it
 * runs.
 */
final class CreationCase implements Case {
  /** Shorter than the paper's frames; it has no test of this. */
  private static final long PERIOD_NS = 10_000_000;

  private static final long WARM_UP_PERIOD_NS = 2_000_000;
  private static final int WARM_UP_FRAMES = 1_500;

  /** The kinds, and plain {@link Thread}. */
  static final List<String> NAMES = List.of("no-heap", "realtime", "ordinary", "plain");

  @Override
  public void measure(CaseRunner runner) throws Exception {
    runner.warmUp(WARM_UP_PERIOD_NS, WARM_UP_FRAMES, CreationCase::create);
    runner.measure(PERIOD_NS, new CaseRunner.Variant("", "creation", CreationCase::create));
  }

  private static void create(CaseRunner runner, Frames frames, Samples into)
      throws InterruptedException {
    long[][] tookNs = new long[NAMES.size()][frames.count()];
    long[] ranNs = new long[1];
    FrameThread.Body body =
        frame -> {
          for (int i = 0; i < NAMES.size(); i++) {
            tookNs[i][frame] = create(runner, NAMES.get(i), ranNs);
          }
        };
    FrameThread.run(runner, ThreadKind.REALTIME, frames, body);
    for (int i = 0; i < NAMES.size(); i++) {
      into.add("running-" + NAMES.get(i), tookNs[i]);
    }
  }

  private static long create(CaseRunner runner, String name, long[] ranNs) {
    long beforeNs = System.nanoTime();
    try {
      if (name.equals("plain")) {
        Thread thread = Thread.ofPlatform().daemon().start(() -> ranNs[0] = System.nanoTime());
        thread.join();
      } else {
        ThreadKind kind =
            Arrays.stream(ThreadKind.values())
                .filter(each -> ThroughputCase.nameOf(each).equals(name))
                .findFirst()
                .orElseThrow();
        RealtimeThreadBuilder builder = RealtimeThread.builder(name).kind(kind);
        if (kind != ThreadKind.ORDINARY) {
          builder.scheduling(runner.scheduling(CaseRunner.PRIORITY + 1));
        }
        builder.program(self -> ranNs[0] = System.nanoTime()).build().start().join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return ranNs[0] - beforeNs;
  }
}
