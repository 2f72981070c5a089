package dev.takt.bench.cpu;

import dev.takt.bench.measure.ChildRun;
import dev.takt.cpu.ManagedTask;
import dev.takt.cpu.Profile;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One block of the video: a contestant plays frames.
 *
 * @param contestant who
 * @param periodNs the time between two frames, in nanoseconds
 * @param warmup how many frames do not count
 * @param frames how many do, then
 */
public record PlaybackRun(Contestant contestant, long periodNs, int warmup, int frames)
    implements ChildRun.Body<PlaybackRun.Played> {
  /** How many frames are decoded before the first one is due, so that the decoder is compiled. */
  private static final int DECODED_BEFORE = 1_000;

  private static final String NAME = "video";

  /**
   * What was found.
   *
   * @param times of the frames
   * @param granted how the thread was scheduled at the end
   * @param user who it was run by
   * @param state what became of the task; empty without a manager
   */
  public record Played(ReleaseTimes times, String granted, String user, String state) {}

  @Override
  public Played run() throws InterruptedException {
    VideoDecoder decoder = new VideoDecoder();
    for (int frame = 0; frame < Math.min(DECODED_BEFORE, 10 * frames); frame++) {
      decoder.decode(frame);
    }
    AtomicReference<String> granted = new AtomicReference<>("");
    ReleaseLog log =
        new ReleaseLog(periodNs, warmup, frames, () -> granted.set(Workbench.granted()));
    try (Workbench bench = Workbench.of(contestant)) {
      bench.start(
          Profile.of(NAME, periodNs),
          new Workbench.Work() {
            private long frame;

            @Override
            public void release(long dueNs) {
              long beginNs = System.nanoTime();
              decoder.decode(frame++);
              log.released(dueNs, beginNs, System.nanoTime());
            }
          });
      log.await();
      ReleaseTimes times = log.times(System.nanoTime());
      String state = bench.task(NAME).map(ManagedTask::toString).orElse("");
      return new Played(times, granted.get(), System.getProperty("user.name"), state);
    }
  }
}
