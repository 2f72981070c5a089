package dev.takt.bench.rtj;

import dev.takt.rtsj.ThreadKind;
import java.util.Arrays;

/**
 * 3.3.1: two threads on one processor, released at the same moment. The higher one logs before it
 * yields, and then waits for its next frame; the lower one logs after its own yield.
 */
final class ContextSwitchCase implements Case {
  @Override
  public void measure(CaseRunner runner) throws Exception {
    runner.warmUp(ContextSwitchCase::switches);
    runner.measure(new CaseRunner.Variant("", "switch", ContextSwitchCase::switches));
  }

  private static void switches(CaseRunner runner, Frames frames, Samples into)
      throws InterruptedException {
    // After its last frame the higher thread ends instead of waiting, which is no switch.
    Frames oneMore = frames.plus(1);
    long[] beforeNs = new long[oneMore.count()];
    long[] afterNs = new long[oneMore.count()];
    long originNs = CaseRunner.originNs(frames);
    FrameThread.Body lower =
        frame -> {
          Thread.yield();
          afterNs[frame] = System.nanoTime();
        };
    FrameThread.Body higher =
        frame -> {
          beforeNs[frame] = System.nanoTime();
          Thread.yield();
        };
    int priority = CaseRunner.PRIORITY;
    FrameThread low =
        new FrameThread(runner, ThreadKind.REALTIME, priority - 1, oneMore, originNs, lower);
    FrameThread high =
        new FrameThread(runner, ThreadKind.REALTIME, priority, oneMore, originNs, higher);
    high.join();
    low.join();
    // Where there are no priorities the lower thread may have been first; that is no switch.
    into.add(
        "switch",
        CaseRunner.differences(
            Arrays.copyOf(afterNs, frames.count()), Arrays.copyOf(beforeNs, frames.count())));
  }
}
