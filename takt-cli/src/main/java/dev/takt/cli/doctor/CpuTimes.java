package dev.takt.cli.doctor;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where the time of all processors went since boot, in ticks of 10 ms as a rule.
 *
 * @param total all of it, idle time included
 * @param stolen what the host gave to others
 */
public record CpuTimes(long total, long stolen) {
  /** user nice system idle iowait irq softirq steal; what follows is part of user and nice. */
  private static final int COLUMNS = 8;

  /** Returns what the host has taken from this machine so far; 0 where that is not counted. */
  public static long stolenTicks() {
    return of(new FileSystemRoot(Path.of("/"))).map(CpuTimes::stolen).orElse(0L);
  }

  static Optional<CpuTimes> of(FileSystemRoot root) {
    String line = root.lines("proc/stat").stream().findFirst().orElse("");
    String[] words = line.split("\\s+");
    if (!words[0].equals("cpu") || words.length <= COLUMNS) {
      return Optional.empty();
    }
    long total = 0;
    long last = 0;
    for (int i = 1; i <= COLUMNS; i++) {
      OptionalLong ticks = FileSystemRoot.parse(words[i]);
      if (ticks.isEmpty() || ticks.getAsLong() < 0 || ticks.getAsLong() > Long.MAX_VALUE / 16) {
        return Optional.empty();
      }
      last = ticks.getAsLong();
      total += last;
    }
    return total == 0 ? Optional.empty() : Optional.of(new CpuTimes(total, last));
  }

  /** The share that was stolen between an earlier look and this one, in percent. */
  double stolenPercentSince(CpuTimes earlier) {
    long passed = total - earlier.total;
    return passed <= 0 ? 0 : 100.0 * Math.max(0, stolen - earlier.stolen) / passed;
  }
}
