package dev.takt.cpu.monitor;

import java.util.Optional;

/**
 * Where the time of all processors went since boot, by the first line of {@code /proc/stat}: in
 * ticks, of 10 ms as a rule.
 *
 * @param total all of it, idle time included
 * @param idle what no thread had, waits for disks included
 * @param interrupts what interrupts had, hard and soft ones
 * @param stolen what the host gave to others
 */
public record ProcStat(long total, long idle, long interrupts, long stolen) {
  /** user nice system idle iowait irq softirq steal; what follows is part of user and nice. */
  private static final int COLUMNS = 8;

  private static final int IDLE = 3;
  private static final int IO_WAIT = 4;
  private static final int IRQ = 5;
  private static final int SOFT_IRQ = 6;
  private static final int STEAL = 7;

  /** Reads it; empty: it is not there, or not as Linux writes it. */
  public static Optional<ProcStat> of(String text) {
    int end = text.indexOf('\n');
    String line = end < 0 ? text : text.substring(0, end);
    if (!line.startsWith("cpu ")) {
      return Optional.empty();
    }
    long[] ticks = Numbers.of(line, COLUMNS);
    long total = 0;
    for (long each : ticks) {
      // Eight of them must not leave the range of a long.
      if (each < 0 || each > Long.MAX_VALUE / 16) {
        return Optional.empty();
      }
      total += each;
    }
    return total == 0
        ? Optional.empty()
        : Optional.of(
            new ProcStat(
                total, ticks[IDLE] + ticks[IO_WAIT], ticks[IRQ] + ticks[SOFT_IRQ], ticks[STEAL]));
  }
}
