package dev.takt.bench.cpu;

import dev.takt.bench.rtj.BaselineProgram;
import dev.takt.bench.rtj.Samples;
import dev.takt.realtime.os.CpuSet;
import java.io.IOException;
import java.util.Arrays;

/** The video in C: what this machine allows anybody. */
public final class VideoFloor {
  private VideoFloor() {}

  /** Plays so many frames, with the priority and on the processor of the contestants. */
  public static PlaybackRun.Played run(BaselineProgram program, long periodNs, int frames)
      throws IOException, InterruptedException {
    CpuSet processor = Workbench.processor();
    int cpu = processor == null ? -1 : processor.toArray()[0];
    Samples samples =
        BaselineProgram.playback(program.path(), periodNs, frames, Workbench.PRIORITY, cpu);
    long[] dueNs = new long[samples.series("begin").length];
    Arrays.setAll(dueNs, i -> i * periodNs);
    long[] endNs = sum(dueNs, samples.series("end"));
    ReleaseTimes times =
        new ReleaseTimes(
            periodNs,
            dueNs.length,
            dueNs,
            sum(dueNs, samples.series("begin")),
            endNs,
            endNs[endNs.length - 1]);
    String granted = samples.facts().getOrDefault("scheduling", "");
    return new PlaybackRun.Played(times, granted, System.getProperty("user.name"), "");
  }

  private static long[] sum(long[] left, long[] right) {
    long[] sum = new long[left.length];
    Arrays.setAll(sum, i -> left[i] + right[i]);
    return sum;
  }
}
