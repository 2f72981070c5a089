package dev.takt.bench.rtj;

import dev.takt.realtime.Periodic;
import dev.takt.rtsj.RealtimeThread;
import dev.takt.rtsj.ThreadKind;
import java.util.ArrayList;
import java.util.List;

/**
 * The contending threads of the paper: periodic real-time threads of a lower priority that log a
 * timestamp and yield in each frame, all at the same moment as the measured thread.
 */
final class Background {
  /** How many there are in the cases that have them. */
  static final int THREADS = 15;

  private static final int LOG = 64;

  private final List<RealtimeThread> threads = new ArrayList<>();

  private Background() {}

  /** Starts them. */
  static Background start(CaseRunner runner, int count, Frames frames, long originNs) {
    Background background = new Background();
    for (int i = 0; i < count; i++) {
      long[] logNs = new long[LOG];
      background.threads.add(
          RealtimeThread.builder("lower-" + i)
              .kind(ThreadKind.REALTIME)
              .scheduling(runner.scheduling(CaseRunner.LOWER_PRIORITY))
              .release(Periodic.ofNs(frames.periodNs()))
              .program(
                  self -> {
                    for (int frame = 0; next(self, logNs, frame); ) {
                      frame++;
                    }
                  })
              .build()
              .startAt(originNs));
    }
    return background;
  }

  /** A frame, in a method of its own to be compiled, as that of {@link FrameThread}. */
  private static boolean next(RealtimeThread self, long[] logNs, int frame) {
    if (!self.waitForNextPeriod()) {
      return false;
    }
    logNs[frame % LOG] = System.nanoTime();
    Thread.yield();
    return true;
  }

  /** Ends them. */
  void stop() {
    threads.forEach(RealtimeThread::stop);
    threads.forEach(RealtimeThread::close);
  }
}
