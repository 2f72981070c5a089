package dev.takt.cpu.monitor;

/**
 * What the system has counted since boot; -1: unknown.
 *
 * @param totalTicks the time of all processors
 * @param interruptTicks the part of it that interrupts had
 * @param stolenTicks the part of it that the host gave to others
 * @param runNs how long threads have run
 * @param waitNs how long threads were ready and did not run
 * @param pressureUs how long some thread was ready and did not run
 * @param ready how many threads run or are ready at the moment
 * @param processors how many processors the machine has, whatever this process may use
 */
record SystemCounters(
    long totalTicks,
    long interruptTicks,
    long stolenTicks,
    long runNs,
    long waitNs,
    long pressureUs,
    long ready,
    long processors) {
  /** In a line of a processor in /proc/schedstat, after its name: ran, waited. */
  private static final int RAN = 6;

  private static final int WAITED = 7;

  static SystemCounters read(SystemFiles files) {
    String statText = files.text("stat");
    ProcStat stat = ProcStat.of(statText).orElse(new ProcStat(-1, -1, -1, -1));
    long runNs = Numbers.UNKNOWN;
    long waitNs = Numbers.UNKNOWN;
    for (String line : (Iterable<String>) files.text("schedstat").lines()::iterator) {
      if (line.startsWith("cpu")) {
        long[] numbers = Numbers.of(line, WAITED + 1);
        if (numbers[WAITED] != Numbers.UNKNOWN) {
          runNs = Math.max(0, runNs) + numbers[RAN];
          waitNs = Math.max(0, waitNs) + numbers[WAITED];
        }
      }
    }
    return new SystemCounters(
        stat.total(),
        stat.interrupts(),
        stat.stolen(),
        runNs,
        waitNs,
        between(files.text("pressure/cpu"), "total=", '\n'),
        readyOf(files.text("loadavg")),
        processorsOf(statText));
  }

  /** After the line of all processors there is one for each. */
  private static long processorsOf(String stat) {
    long count = stat.lines().filter(line -> line.matches("cpu\\d.*")).count();
    return count == 0 ? Numbers.UNKNOWN : count;
  }

  /** The fourth word of /proc/loadavg is {@code ready/all}. */
  private static long readyOf(String loadavg) {
    int slash = loadavg.indexOf('/');
    return slash < 0
        ? Numbers.UNKNOWN
        : Numbers.parse(loadavg.substring(loadavg.lastIndexOf(' ', slash) + 1, slash));
  }

  private static long between(String text, String before, char after) {
    int from = text.indexOf(before);
    int to = text.indexOf(after, Math.max(0, from));
    return from < 0
        ? Numbers.UNKNOWN
        : Numbers.parse(text.substring(from + before.length(), to < 0 ? text.length() : to));
  }
}
