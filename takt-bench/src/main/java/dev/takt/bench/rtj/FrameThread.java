package dev.takt.bench.rtj;

import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.Periodic;
import dev.takt.rtsj.RealtimeThread;
import dev.takt.rtsj.RealtimeThreadBuilder;
import dev.takt.rtsj.ThreadKind;

/** A periodic thread of any kind that does something at the beginning of each frame. */
final class FrameThread {
  /** What it does. */
  @FunctionalInterface
  interface Body {
    /**
     * Called right after {@code waitForNextPeriod}.
     *
     * @param frame its number, from 0; the frames of the lead-in have number 0, too, so that the
     *     frame that counts replaces what they have left there
     */
    void frame(int frame);
  }

  private final RealtimeThread thread;

  /**
   * Starts one.
   *
   * @param runner where it asks how to be scheduled, and where its grant is noted
   * @param originNs when its frames begin
   */
  FrameThread(
      CaseRunner runner, ThreadKind kind, int priority, Frames frames, long originNs, Body body) {
    RealtimeThreadBuilder builder = RealtimeThread.builder("measured-" + priority).kind(kind);
    if (kind != ThreadKind.ORDINARY) {
      builder.scheduling(runner.scheduling(priority));
    }
    thread =
        builder
            .release(Periodic.ofNs(frames.periodNs()))
            .program(
                self -> {
                  if (kind == ThreadKind.ORDINARY) {
                    // It asks for nothing by itself; but it is to run where the others do.
                    OperatingSystems.current().schedule(runner.scheduling(0));
                  }
                  for (int i = -CaseRunner.LEAD_IN; i < frames.count() && next(self, body, i); ) {
                    i++;
                  }
                })
            .build();
    thread.startAt(originNs);
    runner.granted(thread.grant());
  }

  /** Runs one of the usual priority, whose frames begin soon, to its end. */
  static void run(CaseRunner runner, ThreadKind kind, Frames frames, Body body)
      throws InterruptedException {
    new FrameThread(runner, kind, CaseRunner.PRIORITY, frames, CaseRunner.originNs(frames), body)
        .join();
  }

  /**
   * Waits and calls the body. A method of its own: the loop is begun once in a block, which is too
   * seldom to be compiled, and from the wake-up to the body nothing is to be interpreted.
   */
  private static boolean next(RealtimeThread self, Body body, int frame) {
    if (!self.waitForNextPeriod()) {
      return false;
    }
    body.frame(Math.max(0, frame));
    return true;
  }

  void join() throws InterruptedException {
    thread.join();
  }

  RealtimeThread thread() {
    return thread;
  }
}
