package dev.takt.bench.rtj;

import dev.takt.bench.rtj.flight.FlightControl;
import dev.takt.realtime.ThreadKind;
import java.util.List;

/**
 * A periodic no-heap thread without and with 15 contending threads: 3.2.1 when each frame only logs
 * its beginning; 3.1.2 and 3.2.2, which are the same frames, when each computes the algorithm: how
 * long that takes, and when it is finished.
 */
final class FrameCase implements Case {
  private static final long WARM_UP_PERIOD_NS = 6_000_000;

  private final boolean working;

  FrameCase(boolean working) {
    this.working = working;
  }

  @Override
  public void measure(Lab lab) throws Exception {
    FlightControl flight = ThroughputCase.flight();
    String floor = working ? "end" : "start";
    lab.warmUp(
        WARM_UP_PERIOD_NS, (frames, into) -> frames(lab, flight, Background.THREADS, frames, into));
    lab.measure(
        List.of(
            new Lab.Variant(
                "0-threads.", floor, 0, (frames, into) -> frames(lab, flight, 0, frames, into)),
            new Lab.Variant(
                "15-threads.",
                floor,
                Background.THREADS,
                (frames, into) -> frames(lab, flight, Background.THREADS, frames, into))));
  }

  private void frames(Lab lab, FlightControl flight, int background, Frames frames, Samples into)
      throws InterruptedException {
    long[] startsNs = new long[frames.count()];
    long[] endsNs = new long[frames.count()];
    long originNs = Lab.originNs();
    Background lower = Background.start(lab, background, frames, originNs);
    FrameThread thread;
    try {
      thread =
          FrameThread.start(
              lab,
              "measured",
              ThreadKind.NO_HEAP,
              Lab.PRIORITY,
              frames,
              Lab.nextNs(originNs, frames),
              0,
              frame -> {
                startsNs[frame] = System.nanoTime();
                if (working) {
                  flight.rewind();
                  flight.frame();
                  endsNs[frame] = System.nanoTime();
                }
              });
      thread.join();
    } finally {
      lower.stop();
    }
    into.add("start", Lab.gaps(startsNs));
    if (working) {
      into.add("end", Lab.gaps(endsNs));
      into.add("work", Lab.differences(endsNs, startsNs));
    }
    into.add("bytes", thread.thread().counts().allocatedBytes());
  }
}
