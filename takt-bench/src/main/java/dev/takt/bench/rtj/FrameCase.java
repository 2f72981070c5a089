package dev.takt.bench.rtj;

import dev.takt.bench.rtj.flight.FlightControl;
import dev.takt.rtsj.ThreadKind;

/**
 * A periodic no-heap thread without and with 15 contending threads: 3.2.1 when each frame only logs
 * its beginning; 3.1.2 and 3.2.2, which are the same frames, when each computes the algorithm: how
 * long that takes, and when it is finished.
 *
 * @param working whether each frame computes the algorithm
 */
record FrameCase(boolean working) implements Case {
  /** Of frames that compute. */
  private static final long WORKING_PERIOD_NS = 6_000_000;

  private static final int WORKING_FRAMES = 100;

  /** In all other warm-ups only the last frame of a block computes: more would take too long. */
  private static final int SELDOM = CaseRunner.WARM_UP_BLOCK;

  private static final int NEVER = Integer.MAX_VALUE;

  /** Of frames with contending threads, each of which has frames, too. */
  private static final long CONTENDED_PERIOD_NS = 500_000;

  private static final int CONTENDED_FRAMES = 1_500;

  @Override
  public void measure(CaseRunner runner) throws Exception {
    FlightControl flight = ThroughputCase.flight();
    String floor = working ? "end" : "start";
    int all = Background.THREADS;
    if (working) {
      runner.warmUp(WORKING_PERIOD_NS, WORKING_FRAMES, block(flight, all, 1));
    }
    // The longest last: what the compiler learns from the others it takes back in its course.
    int seldom = working ? SELDOM : NEVER;
    runner.warmUp(CONTENDED_PERIOD_NS, CONTENDED_FRAMES, block(flight, all, seldom));
    runner.warmUp(block(flight, 0, seldom));
    int every = working ? 1 : NEVER;
    runner.measure(
        new CaseRunner.Variant("0-threads.", floor, block(flight, 0, every)),
        new CaseRunner.Variant("15-threads.", floor, all, block(flight, all, every)));
  }

  /** Returns a variant of which each so manieth frame computes. */
  private CaseRunner.Block block(FlightControl flight, int background, int every) {
    return (runner, frames, into) -> frames(runner, flight, background, every, frames, into);
  }

  private void frames(
      CaseRunner runner,
      FlightControl flight,
      int background,
      int every,
      Frames frames,
      Samples into)
      throws InterruptedException {
    long[] startsNs = new long[frames.count()];
    long[] endsNs = new long[frames.count()];
    FrameThread.Body body =
        frame -> {
          startsNs[frame] = System.nanoTime();
          if (frame % every == every - 1) {
            flight.rewind();
            flight.frame();
            endsNs[frame] = System.nanoTime();
          }
        };
    long originNs = CaseRunner.originNs(frames);
    Background lower = Background.start(runner, background, frames, originNs);
    FrameThread thread;
    try {
      long firstNs = CaseRunner.nextNs(originNs, frames);
      thread =
          new FrameThread(runner, ThreadKind.NO_HEAP, CaseRunner.PRIORITY, frames, firstNs, body);
      thread.join();
    } finally {
      lower.stop();
    }
    into.add("start", CaseRunner.gaps(startsNs));
    if (working) {
      into.add("end", CaseRunner.gaps(endsNs));
      into.add("work", CaseRunner.differences(endsNs, startsNs));
    }
    into.add("bytes", thread.thread().counts().allocatedBytes());
  }
}
