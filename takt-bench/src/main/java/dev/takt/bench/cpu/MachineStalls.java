package dev.takt.bench.cpu;

import dev.takt.bench.rtj.BaselineProgram;
import dev.takt.realtime.os.CpuSet;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * When the processor of the real-time tasks ran nobody: a process in C looks at the clock on it
 * again and again, with a priority above all of Takt's. Nothing that Takt's threads do holds it up,
 * so what does is the machine: the hypervisor, or the kernel.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class MachineStalls implements AutoCloseable {
  /** Looking takes some 4 % of a processor at this. */
  private static final long PERIOD_NS = 500_000;

  private static final int PRIORITY = 95;

  /** A time in which nobody ran, at least. */
  private record Stall(long fromNs, long toNs) {
    long within(long sinceNs, long untilNs) {
      return Math.max(0, Math.min(toNs, untilNs) - Math.max(fromNs, sinceNs));
    }
  }

  /** Null: nobody looks. */
  private final Process process;

  private final Thread reader;
  private final List<Stall> stalls = Collections.synchronizedList(new ArrayList<>());

  private MachineStalls(Process process) {
    this.process = process;
    reader = process == null ? null : Thread.ofPlatform().daemon().start(this::read);
  }

  /**
   * Starts to look.
   *
   * @param path of the compiled program; {@link BaselineProgram#NONE}: there will be no stalls
   */
  static MachineStalls watch(String path) throws IOException {
    if (path.equals(BaselineProgram.NONE)) {
      return new MachineStalls(null);
    }
    CpuSet processor = Workbench.processor();
    int cpu = processor == null ? -1 : processor.toArray()[0];
    return new MachineStalls(
        new ProcessBuilder(BaselineProgram.stalls(path, PERIOD_NS, PRIORITY, cpu))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  /** Returns stalls as the program reports them, for tests. */
  static MachineStalls of(String... lines) {
    MachineStalls stalls = new MachineStalls(null);
    List.of(lines).forEach(stalls::add);
    return stalls;
  }

  private void add(String line) {
    int space = line.indexOf(' ');
    stalls.add(
        new Stall(
            Long.parseLong(line.substring(0, space)), Long.parseLong(line.substring(space + 1))));
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        add(line);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ends looking; then all stalls are known. */
  @Override
  public void close() throws IOException {
    if (process != null) {
      process.getOutputStream().close();
      try {
        reader.join();
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns how long nobody ran between two moments, at least; all in nanoseconds. */
  long ns(long sinceNs, long untilNs) {
    synchronized (stalls) {
      return stalls.stream().mapToLong(each -> each.within(sinceNs, untilNs)).sum();
    }
  }

  ProcessHandle process() {
    return process.toHandle();
  }
}
