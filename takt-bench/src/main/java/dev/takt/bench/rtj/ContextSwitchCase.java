package dev.takt.bench.rtj;

import dev.takt.realtime.ThreadKind;
import java.util.Arrays;
import java.util.List;

/**
 * 3.3.1: two threads on one processor, released at the same moment. The higher one logs before it
 * yields, and then waits for its next frame; the lower one logs after its own yield.
 */
final class ContextSwitchCase implements Case {
  @Override
  public void measure(Lab lab) throws Exception {
    lab.warmUp((frames, into) -> switches(lab, frames, into));
    lab.measure(
        List.of(new Lab.Variant("", "switch", 0, (frames, into) -> switches(lab, frames, into))));
  }

  private static void switches(Lab lab, Frames frames, Samples into) throws InterruptedException {
    // After its last frame the higher thread ends instead of waiting, which is no switch.
    Frames oneMore = frames.plus(1);
    long[] beforeNs = new long[oneMore.count()];
    long[] afterNs = new long[oneMore.count()];
    long originNs = Lab.originNs(frames);
    FrameThread low =
        FrameThread.start(
            lab,
            "low",
            ThreadKind.REALTIME,
            Lab.PRIORITY - 1,
            oneMore,
            originNs,
            0,
            frame -> {
              Thread.yield();
              afterNs[frame] = System.nanoTime();
            });
    FrameThread high =
        FrameThread.start(
            lab,
            "high",
            ThreadKind.REALTIME,
            Lab.PRIORITY,
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
        Lab.differences(
            Arrays.copyOf(afterNs, frames.count()), Arrays.copyOf(beforeNs, frames.count())));
  }
}
