package dev.takt.bench.session;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.takt.bench.measure.ChildRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * An echo server over the loopback interface, with its clients in another process.
 *
 * @param peer what serves
 * @param connections how many clients there are to be; fewer, if the process may not open so many
 *     files
 * @param warmupMs how long nothing counts, in milliseconds
 * @param measureMs how long everything counts after that
 * @param forked whether the clients have a process of their own; only tests go without
 */
public record EchoRun(EchoPeer peer, int connections, int warmupMs, int measureMs, boolean forked)
    implements ChildRun.Body<EchoRun.Found> {
  private static final List<String> FLAGS = List.of("-Xms256m", "-Xmx256m");
  private static final long LIMIT_S = 120;

  /** For the JVM's own files and those of the server's other work. */
  private static final int OTHER_FILES = 500;

  /**
   * What was found.
   *
   * @param load what the clients found
   * @param connections how many there were
   * @param cpuNs what the server's process took of the processors
   */
  public record Found(EchoLoad.Found load, int connections, long cpuNs) {}

  @Override
  public Found run() throws Exception {
    try (EchoPeer.Server server = peer.open(allowed())) {
      long beforeNs = cpuNs();
      EchoLoad.Found found = load(server, measureMs);
      return new Found(found, allowed(), cpuNs() - beforeNs);
    }
  }

  /** Runs the clients, which count for so many milliseconds; an interrupt ends them. */
  EchoLoad.Found load(EchoPeer.Server server, int countedMs) throws Exception {
    EchoLoad load = new EchoLoad(server.port(), allowed(), warmupMs, countedMs);
    long limitS = LIMIT_S + countedMs / 1_000;
    try {
      return forked ? ChildRun.forked(FLAGS, load, EchoLoad.Found.class, limitS) : load.run();
    } catch (IOException | UncheckedIOException ofClients) {
      Throwable reason = server.failure();
      if (reason != null) {
        throw new IOException(
            "the server has failed, with %d connections: %s".formatted(server.accepted(), reason),
            ofClients);
      }
      throw ofClients;
    }
  }

  /** Returns how many clients there can be. */
  int allowed() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        ? (int) Math.min(connections, system.getMaxFileDescriptorCount() - OTHER_FILES)
        : connections;
  }

  private static long cpuNs() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : 0;
  }
}
