package dev.takt.bench.rtj;

import dev.takt.rtsj.ThreadKind;
import java.util.Arrays;
import java.util.List;

/**
 * 3.3.1: two threads on one processor, released at the same moment. The higher one logs before it
 * yields, and then waits for its next frame; the lower one logs after its own yield.
 */
final class ContextSwitchCase implements Case {
  @Override
  public void measure(CaseRunner runner) throws Exception {
    runner.warmUp((frames, into) -> switches(runner, frames, into));
    runner.measure(
        List.of(
            new CaseRunner.Variant(
                "", "switch", 0, (frames, into) -> switches(runner, frames, into))));
  }

  private static void switches(CaseRunner runner, Frames frames, Samples into)
      throws InterruptedException {
    // After its last frame the higher thread ends instead of waiting, which is no switch.
    Frames oneMore = frames.plus(1);
    long[] beforeNs = new long[oneMore.count()];
    long[] afterNs = new long[oneMore.count()];
    long originNs = CaseRunner.originNs(frames);
    FrameThread low =
        FrameThread.start(
            runner,
            "low",
            ThreadKind.REALTIME,
            CaseRunner.PRIORITY - 1,
            oneMore,
            originNs,
            0,
            frame -> {
              Thread.yield();
              afterNs[frame] = System.nanoTime();
            });
    FrameThread high =
        FrameThread.start(
            runner,
            "high",
            ThreadKind.REALTIME,
            CaseRunner.PRIORITY,
            oneMore,
            originNs,
            0,
            frame -> {
              beforeNs[frame] = System.nanoTime();
              Thread.yield();
            });
    high.join();
    low.join();
    // Where there are no priorities the lower thread may have been first; that is no switch.
    into.add(
        "switch",
        CaseRunner.differences(
            Arrays.copyOf(afterNs, frames.count()), Arrays.copyOf(beforeNs, frames.count())));
  }
}
