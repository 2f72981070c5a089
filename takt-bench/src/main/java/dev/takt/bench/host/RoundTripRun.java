package dev.takt.bench.host;

import com.sun.management.ThreadMXBean;
import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Helper;
import dev.takt.bench.measure.Measurement;
import dev.takt.bench.rtj.BaselineProgram;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * How long requests take from one process to another one and back, by several links in turns.
 *
 * @param folder where both sides meet, and which is empty
 * @param links which
 * @param turns how many turns each has
 * @param rounds how many rounds a turn has at most. Before the first turn there are ten times as
 *     many that do not count, for three turns' time at most, since each side is code that the JVM
 *     compiles while it runs: with half as many, most of what was measured was not compiled for
 *     good. Before each later turn there are a twentieth as many
 * @param turnMs how long a turn lasts at most
 * @param forked whether the answering sides have processes of their own; only tests go without
 * @param floor the compiled floor, which takes turns, too: two processes that wake each other by a
 *     futex; {@link BaselineProgram#NONE}: without
 */
public record RoundTripRun(
    String folder,
    List<HostLink> links,
    int turns,
    int rounds,
    int turnMs,
    boolean forked,
    String floor)
    implements ChildRun.Body<RoundTripRun.Found> {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final long MILLI_NS = 1_000_000;
  private static final int WARMUP_TURNS = 3;

  /** One round of so many is timed by its requests. */
  private static final int PARTS_EVERY = 4;

  /**
   * What was found about a link.
   *
   * @param roundNs a round
   * @param partNs each request of a round that has several, in other rounds than those of {@code
   *     roundNs}
   * @param clientBytes what a round allocated on the asking thread
   * @param hostBytes the same, on the answering one
   */
  public record Trip(
      Histogram roundNs, List<Histogram> partNs, double clientBytes, double hostBytes) {}

  /**
   * What was found.
   *
   * @param trips by the words of the links
   * @param failures why a link could not be measured, by its word
   * @param floorNs of the floor; null: there was none
   */
  public record Found(Map<String, Trip> trips, Map<String, String> failures, Histogram floorNs) {}

  @Override
  public Found run() throws Exception {
    Map<String, String> failures = new TreeMap<>();
    Map<String, Trip> trips = new LinkedHashMap<>();
    List<Side> sides = new ArrayList<>();
    Histogram floorNs = floor.equals(BaselineProgram.NONE) ? null : Measurement.histogram();
    try {
      for (HostLink link : links) {
        try {
          sides.add(new Side(link, Path.of(folder), turnMs * MILLI_NS, forked));
        } catch (Exception | LinkageError e) {
          failures.put(link.word(), String.valueOf(e));
        }
      }
      for (int turn = 0; turn < turns; turn++) {
        for (Side side : sides) {
          if (!failures.containsKey(side.link.word())) {
            turn(side, turn == 0 ? 10 * rounds : rounds / 20, failures);
          }
        }
        if (floorNs != null) {
          BaselineProgram.futexNs(floor, rounds).forEach(floorNs::recordValue);
        }
      }
      for (Side side : sides) {
        if (!failures.containsKey(side.link.word())) {
          trips.put(side.link.word(), side.found());
        }
      }
    } finally {
      for (Side side : sides) {
        side.close();
      }
    }
    return new Found(trips, failures, floorNs);
  }

  /** One link that fails does not end the turns of the others. */
  private void turn(Side side, int warmupRounds, Map<String, String> failures)
      throws InterruptedException {
    try {
      side.turn(warmupRounds, rounds);
    } catch (InterruptedException cancelled) {
      throw cancelled;
    } catch (Exception | LinkageError e) {
      failures.put(side.link.word(), String.valueOf(e));
    }
  }

  /** How long rounds took, and each request of them. */
  private record Times(Histogram roundNs, List<Histogram> partNs) {
    static Times of(int parts) {
      int timed = parts > 1 ? parts : 0;
      List<Histogram> partNs = Stream.generate(Measurement::histogram).limit(timed).toList();
      return new Times(Measurement.histogram(), partNs);
    }
  }

  /** Both sides of a link. */
  private static final class Side implements Closeable {
    final HostLink link;
    private final long turnNs;
    private final Helper host;
    private final Asking asking;
    private final Times warmup;
    private final Times times;
    private long number;
    private long counted;
    private long clientBytes;
    private long hostBytes;

    Side(HostLink link, Path root, long turnNs, boolean forked) throws Exception {
      this.link = link;
      this.turnNs = turnNs;
      Path folder = Files.createDirectory(root.resolve(link.word()));
      host = Helper.start(forked, HostLink.FLAGS, new AnsweringRole(link, folder.toString()));
      try {
        asking = link.asking(folder);
      } catch (Throwable failure) {
        host.close();
        throw failure;
      }
      warmup = Times.of(asking.parts());
      times = Times.of(asking.parts());
    }

    /** What does not count is recorded all the same, so that all is compiled. */
    void turn(int warmupRounds, int rounds) throws Exception {
      ask(warmupRounds, WARMUP_TURNS * turnNs, warmup);
      long hostBefore = hostBytes();
      long before = THREADS.getCurrentThreadAllocatedBytes();
      counted += ask(rounds, turnNs, times);
      clientBytes += THREADS.getCurrentThreadAllocatedBytes() - before;
      hostBytes += hostBytes() - hostBefore;
    }

    private long hostBytes() throws Exception {
      return host.ask("state", AnsweringRole.State.class).allocatedBytes();
    }

    /**
     * Returns how many rounds there was time for. Of a round with several requests either the whole
     * is timed or each request: what timing these costs does not count for the round.
     */
    private int ask(int rounds, long limitNs, Times into) throws Exception {
      int parts = asking.parts();
      int done = 0;
      long startNs = System.nanoTime();
      long beginNs = startNs;
      while (done < rounds && beginNs - startNs < limitNs) {
        done++;
        number++;
        beginNs = System.nanoTime();
        if (parts > 1 && done % PARTS_EVERY == 0) {
          askByParts(beginNs, into.partNs);
          continue;
        }
        for (int part = 0; part < parts; part++) {
          asking.ask(part, number);
        }
        into.roundNs.recordValue(System.nanoTime() - beginNs);
      }
      return done;
    }

    private void askByParts(long beginNs, List<Histogram> partNs) throws Exception {
      long fromNs = beginNs;
      for (int part = 0; part < partNs.size(); part++) {
        asking.ask(part, number);
        long nowNs = System.nanoTime();
        partNs.get(part).recordValue(nowNs - fromNs);
        fromNs = nowNs;
      }
    }

    Trip found() {
      return new Trip(
          times.roundNs,
          times.partNs,
          clientBytes / (double) counted,
          hostBytes / (double) counted);
    }

    @Override
    public void close() throws IOException {
      try (host) {
        asking.close();
      }
    }
  }
}
