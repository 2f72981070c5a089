package dev.takt.bench.session;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Helper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * The process of an echo server over the loopback interface, which has its clients in another
 * process. It knows the command {@code turn WARMUP_MS MEASURE_MS}: for so long clients ask that do
 * not count, and then for so long such that do. The server is there for that turn only, so between
 * its turns the process has nothing to do.
 *
 * @param peer what serves
 * @param connections how many clients there are to be; fewer, if the process may not open so many
 *     files
 * @param forked whether the clients have a process of their own; only tests go without
 */
public record EchoRole(EchoPeer peer, int connections, boolean forked) implements Helper.Role {
  private static final List<String> FLAGS = List.of("-Xms256m", "-Xmx256m");
  private static final long LIMIT_S = 120;

  /** For the JVM's own files and those of the server's other work. */
  private static final int OTHER_FILES = 500;

  /**
   * What was found in a turn.
   *
   * @param load what the clients found
   * @param connections how many there were
   * @param cpuNs what the server's process took of the processors
   */
  public record Turn(EchoLoad.Found load, int connections, long cpuNs) {
    double requestsPerS() {
      return load.ns().getTotalCount() * 1e9 / load.elapsedNs();
    }
  }

  @Override
  public Helper.Running open() {
    return new Helper.Running() {
      @Override
      public Object ask(String command) throws Exception {
        String[] words = command.split(" ");
        if (!words[0].equals("turn")) {
          throw new IOException("no command " + command);
        }
        return turn(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
      }

      @Override
      public void close() {}
    };
  }

  private Turn turn(int warmupMs, int countedMs) throws Exception {
    try (EchoPeer.Server server = peer.open(allowed())) {
      long beforeNs = cpuNs();
      EchoLoad.Found found = load(server, warmupMs, countedMs);
      return new Turn(found, allowed(), cpuNs() - beforeNs);
    }
  }

  /** Runs the clients, which count for so many milliseconds; an interrupt ends them. */
  EchoLoad.Found load(EchoPeer.Server server, int warmupMs, int countedMs) throws Exception {
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
