package dev.takt.bench.host;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Helper;
import dev.takt.bench.measure.Measurement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/**
 * Clients that write events of 64 bytes, each when the host has answered what it has written
 * before, and a host that takes them.
 *
 * @param link how they write: single events, or many in a transaction
 * @param folder where both sides meet, and which is empty
 * @param clients how many there are, each with a thread and a link of its own
 * @param active how many of them write; the others are only there
 * @param warmupMs for how long nothing counts
 * @param measureMs for how long all counts after that
 * @param forked whether the host has a process of its own; only tests go without
 */
public record WritesRun(
    HostLink link,
    String folder,
    int clients,
    int active,
    int warmupMs,
    int measureMs,
    boolean forked)
    implements ChildRun.Body<WritesRun.Found> {
  private static final long MILLI_NS = 1_000_000;
  private static final int LOOKS = 16;

  /**
   * What was found.
   *
   * @param events how many were written and answered
   * @param elapsedNs in how long
   * @param writeNs how long each write or transaction took
   * @param wayNs how long it took from the begin of a write until the host had taken the event
   */
  public record Found(long events, long elapsedNs, Histogram writeNs, Histogram wayNs) {}

  @Override
  public Found run() throws Exception {
    AnsweringRole role = new AnsweringRole(link, folder);
    List<Asking> all = new ArrayList<>();
    try (Helper host = Helper.start(forked, HostLink.FLAGS, role);
        ExecutorService threads = Executors.newCachedThreadPool()) {
      try {
        for (int i = 0; i < clients; i++) {
          all.add(link.asking(Path.of(folder)));
        }
        List<Asking> writers = all.subList(0, active);
        write(threads, writers, warmupMs);
        host.ask("clear", AnsweringRole.State.class);
        long beginNs = System.nanoTime();
        Histogram writeNs = write(threads, writers, measureMs);
        long elapsedNs = System.nanoTime() - beginNs;
        Histogram wayNs = host.ask("state", AnsweringRole.State.class).wayNs();
        return new Found(writeNs.getTotalCount() * link.events(), elapsedNs, writeNs, wayNs);
      } finally {
        for (Asking each : all) {
          each.close();
        }
      }
    }
  }

  private static Histogram write(ExecutorService threads, List<Asking> writers, int ms)
      throws Exception {
    long endNs = System.nanoTime() + ms * MILLI_NS;
    List<Future<Histogram>> each = new ArrayList<>();
    for (Asking writer : writers) {
      each.add(threads.submit((Callable<Histogram>) () -> write(writer, endNs)));
    }
    Histogram all = Measurement.histogram();
    for (Future<Histogram> times : each) {
      all.add(times.get());
    }
    return all;
  }

  private static Histogram write(Asking writer, long endNs) throws Exception {
    Histogram ns = Measurement.histogram();
    long fromNs = System.nanoTime();
    for (long number = 0; fromNs - endNs < 0; number++) {
      for (int i = 0; i < LOOKS; i++) {
        writer.ask(0, number);
        long nowNs = System.nanoTime();
        ns.recordValue(nowNs - fromNs);
        fromNs = nowNs;
      }
    }
    return ns;
  }
}
