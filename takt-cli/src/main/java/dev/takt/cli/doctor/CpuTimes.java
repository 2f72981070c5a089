package dev.takt.cli.doctor;

import dev.takt.cpu.monitor.ProcStat;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the time of all processors went since boot, in ticks of 10 ms as a rule.
 *
 * @param total all of it, idle time included
 * @param stolen what the host gave to others
 */
public record CpuTimes(long total, long stolen) {
  /** Returns what the host has taken from this machine so far; 0 where that is not counted. */
  public static long stolenTicks() {
    return of(new FileSystemRoot(Path.of("/"))).map(CpuTimes::stolen).orElse(0L);
  }

  static Optional<CpuTimes> of(FileSystemRoot root) {
    return ProcStat.of(root.text("proc/stat").orElse(""))
        .map(stat -> new CpuTimes(stat.total(), stat.stolen()));
  }

  /** The share that was stolen between an earlier look and this one, in percent. */
  double stolenPercentSince(CpuTimes earlier) {
    long passed = total - earlier.total;
    return passed <= 0 ? 0 : 100.0 * Math.max(0, stolen - earlier.stolen) / passed;
  }
}
