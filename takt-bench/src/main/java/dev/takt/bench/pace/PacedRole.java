package dev.takt.bench.pace;

import dev.takt.bench.measure.Helper;
import dev.takt.bench.measure.LatenessRecorder;
import dev.takt.bench.measure.Measurement;
import dev.takt.bench.programs.QuoteTask;
import dev.takt.reflex.RuntimeScheduling;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * A process with a task of 100 us, or with an application that makes garbage, or with both. It
 * knows the commands
 *
 * <ul>
 *   <li>{@code garbage N}: makes N bytes of garbage a second, until the next such command; 0: none;
 *   <li>{@code turn NAME PROGRAM WARMUP_MS MEASURE_MS}: runs the task as {@code realtime} or {@code
 *       plain} for so long, and counts it under that name;
 *   <li>{@code found NAME}: tells what was found under that name, as a {@link Found}.
 * </ul>
 */
public record PacedRole() implements Helper.Role {
  private static final long MILLI_NS = 1_000_000;

  /**
   * What was found in all turns of a name.
   *
   * @param gaps from one begin of the task to the next; counts {@code late} and {@code periods}
   * @param collections how many there were in this process while the task ran
   * @param granted what the operating system has granted
   */
  public record Found(Measurement gaps, long collections, String granted) {}

  /**
   * What an application has managed.
   *
   * @param bytesPerSecond of garbage
   */
  public record Made(double bytesPerSecond) {}

  @Override
  public Helper.Running open() {
    return new Process();
  }

  private static final class Process implements Helper.Running {
    private final Map<String, Case> cases = new TreeMap<>();
    private Garbage garbage = new Garbage(0);
    private Thread other = new Thread();

    @Override
    public Object ask(String command) throws Exception {
      String[] words = command.split(" ");
      return switch (words[0]) {
        case "garbage" -> new Made(garbage(Long.parseLong(words[1])));
        case "turn" -> {
          Case of = cases.computeIfAbsent(words[1], _ -> new Case());
          of.turn(words[2], Integer.parseInt(words[3]), Integer.parseInt(words[4]));
          yield Helper.Done.DONE;
        }
        case "found" -> cases.get(words[1]).found();
        default -> throw new IOException("no command " + command);
      };
    }

    /** Returns how many bytes a second the one before has managed. */
    private double garbage(long bytesPerSecond) throws InterruptedException {
      double managed = garbage.bytesPerSecond();
      garbage.stop();
      other.join();
      garbage = new Garbage(bytesPerSecond);
      other = Thread.ofPlatform().daemon().unstarted(garbage);
      if (bytesPerSecond > 0) {
        other.start();
      }
      return managed;
    }

    @Override
    public void close() {
      garbage.stop();
    }
  }

  private static final class Case {
    private final LatenessRecorder pace = new LatenessRecorder(PacedRun.PERIOD_NS);
    private long collections;
    private long before;
    private String granted = "";

    void turn(String program, int warmupMs, int measureMs) throws Exception {
      pace.begin(
          warmupMs * MILLI_NS / PacedRun.PERIOD_NS, measureMs * MILLI_NS / PacedRun.PERIOD_NS);
      Runnable begun = () -> before = PacedRun.collections(); // a start collects once
      switch (program) {
        case "realtime" ->
            granted =
                PacedRun.takt(
                    EventSpace.create(),
                    pace,
                    PacedRun.PERIOD_NS,
                    RuntimeScheduling.REALTIME,
                    begun);
        case "plain" -> {
          QuoteTask task = new QuoteTask();
          begun.run();
          PacedRun.plain(pace, PacedRun.PERIOD_NS, task::execute);
        }
        default -> throw new IOException("no program " + program);
      }
      collections += PacedRun.collections() - before;
    }

    Found found() {
      return new Found(pace.gaps(), collections, granted);
    }
  }
}
