package dev.takt.bench.rtj;

import dev.takt.bench.measure.LatenessRecorder;
import dev.takt.cli.doctor.CommandOutput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The floor: the same tests in C, by the same definitions, with the same priorities, compiled with
 * {@code cc} into a private folder when the suite starts. What it cannot keep, nothing on this
 * machine can.
 *
 * <p><b>Thread rule:</b> one thread.
 */
public final class BaselineProgram implements AutoCloseable {
  /** The path of a program that could not be compiled. */
  public static final String NONE = "-";

  private static final List<String> SOURCES =
      List.of("floor.h", "common.c", "flight.c", "frames.c", "locks.c", "rest.c", "video.c");
  private static final List<String> TABLES = List.of("gains.csv", "derivatives.csv");
  private static final long COMPILE_LIMIT_S = 30;
  private static final long SPARE_S = 20;

  /** Wake-ups beyond the periods that count: the first one, and the end of the last part. */
  private static final int MORE = 3;

  private final Path folder;
  private final String path;
  private final Optional<String> problem;

  private BaselineProgram(Path folder, String path, Optional<String> problem) {
    this.folder = folder;
    this.path = path;
    this.problem = problem;
  }

  /**
   * Compiles it; where that is not possible, there is none.
   *
   * @throws IOException if there can be no temporary folder
   */
  public static BaselineProgram compile() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("takt-floor");
    try {
      return new BaselineProgram(folder, compile(folder).toString(), Optional.empty());
    } catch (IOException e) {
      return new BaselineProgram(folder, NONE, Optional.of(e.getMessage()));
    }
  }

  private static Path compile(Path folder) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("cc", "-O2", "-ffp-contract=off", "-pthread", "-o"));
    Path program = folder.resolve("floor");
    command.add(program.toString());
    for (String source : SOURCES) {
      Path file = copy(source, folder.resolve(source));
      if (source.endsWith(".c")) {
        command.add(file.toString());
      }
    }
    for (String table : TABLES) {
      copy("flight/" + table, folder.resolve(table));
    }
    command.add("-lm");
    CommandOutput output = output(command, COMPILE_LIMIT_S);
    if (!Files.isExecutable(program)) {
      throw new IOException("cc " + output.failure().replace('\n', ' '));
    }
    return program;
  }

  private static Path copy(String resource, Path file) throws IOException {
    try (InputStream in = BaselineProgram.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException("takt-bench was built without its resource " + resource);
      }
      Files.copy(in, file);
      return file;
    }
  }

  /** Returns one that is not there, for a run that does not measure. */
  public static BaselineProgram none() {
    return at(NONE);
  }

  /** Returns one that was compiled before, by another process. */
  static BaselineProgram at(String path) {
    return new BaselineProgram(null, path, Optional.empty());
  }

  /**
   * Runs one kind of it.
   *
   * @param kind which, as the program names it
   * @param frames how many frames, and how long one is
   * @param priority of the measured thread
   * @param background how many lower threads there are
   * @param cpu where it runs; -1: anywhere
   */
  Samples run(String kind, Frames frames, int priority, int background, int cpu)
      throws IOException, InterruptedException {
    List<String> command =
        List.of(
            path,
            kind,
            Integer.toString(frames.count()),
            Long.toString(frames.periodNs()),
            Integer.toString(priority),
            Integer.toString(background),
            Integer.toString(cpu),
            String.valueOf(Path.of(path).toAbsolutePath().getParent()));
    Samples samples =
        Samples.fromJson(output(command, frames.durationNs() / 1_000_000_000 + SPARE_S).text());
    if (samples.facts().isEmpty()) {
      throw new IOException("the floor " + kind + " came to no end");
    }
    return samples;
  }

  private static CommandOutput output(List<String> command, long limitS)
      throws IOException, InterruptedException {
    CommandOutput output = CommandOutput.of(command, TimeUnit.SECONDS.toNanos(limitS));
    if (!output.ended()) {
      throw new IOException(command.getFirst() + " has not ended within " + limitS + " s");
    }
    return output;
  }

  /**
   * Runs the floor of timers: a thread in C that only sleeps until each due time.
   *
   * @param path of a compiled program
   * @param periodNs the time between two wake-ups, in nanoseconds
   * @param count how many wake-ups
   * @param priority of its thread; 0: as any other
   * @param cpu where it runs; -1: anywhere
   * @return how late the wake-ups were, in nanoseconds, and how many were so late
   */
  public static SortedMap<Long, Long> wakeUps(
      String path, long periodNs, long count, int priority, int cpu)
      throws IOException, InterruptedException {
    Frames frames = new Frames(Math.toIntExact(count), periodNs);
    Samples samples = at(path).run("cyclic", frames, priority, 0, cpu);
    SortedMap<Long, Long> wakeUps = new TreeMap<>();
    for (long lateNs : samples.series("late")) {
      wakeUps.merge(Math.max(0, lateNs), 1L, Long::sum);
    }
    return wakeUps;
  }

  /**
   * Runs the same anywhere, and tells each wake-up to a recorder as a release that ends where it
   * begins. A late one passes over the due times that are over.
   *
   * @param path of a compiled program
   * @param periodNs the time between two wake-ups, in nanoseconds
   * @param count how many periods count
   * @param priority of its thread; 0: as any other
   * @param into begins a block of so many periods
   */
  public static void wakeUps(
      String path, long periodNs, int count, int priority, LatenessRecorder into)
      throws IOException, InterruptedException {
    into.begin(1, count);
    Samples samples = at(path).run("cyclic", new Frames(count + MORE, periodNs), priority, 0, -1);
    long dueNs = 0;
    for (long lateNs : samples.series("late")) {
      long startNs = dueNs + Math.max(0, lateNs);
      into.released(dueNs, startNs, startNs);
      dueNs += periodNs * Math.max(1, Math.ceilDiv(lateNs, periodNs));
    }
  }

  /**
   * Runs the floor of a video: a thread in C that decodes a frame at each due time.
   *
   * @param path of a compiled program
   * @param periodNs the time between two frames, in nanoseconds
   * @param count how many frames
   * @param priority of its thread; 0: as any other
   * @param cpu where it runs; -1: anywhere
   * @return the series {@code begin} and {@code end}: how long after it was due each frame began
   *     and ended, in nanoseconds; the facts {@code scheduling} and {@code checksum}
   */
  public static Samples playback(String path, long periodNs, int count, int priority, int cpu)
      throws IOException, InterruptedException {
    return at(path).run("playback", new Frames(count, periodNs), priority, 0, cpu);
  }

  /**
   * Returns how much processor time a thread in C takes to wake up once, and sleep again, in
   * nanoseconds.
   *
   * @param path of a compiled program
   * @param periodNs the time between two wake-ups, in nanoseconds
   * @param count how many wake-ups
   * @param priority of its thread; 0: as any other
   */
  public static long wakeNs(String path, long periodNs, int count, int priority)
      throws IOException, InterruptedException {
    Samples samples = at(path).run("wakes", new Frames(count, periodNs), priority, 0, -1);
    return Long.parseLong(samples.facts().getOrDefault("wake-ns", "0"));
  }

  /**
   * Returns how long it took to wake another process by a futex and to be woken by it, each time,
   * in nanoseconds.
   *
   * @param path of a compiled program
   * @param count how many times
   */
  public static List<Long> futexNs(String path, int count)
      throws IOException, InterruptedException {
    long[] trips = at(path).run("futex", new Frames(count, 1_000), 0, 0, -1).series("trips");
    return Arrays.stream(trips).boxed().toList();
  }

  /**
   * Returns the command of a process that keeps each processor busy until its input ends.
   *
   * @param path of a compiled program
   * @param periodNs how often each processor is given free for a moment, in nanoseconds
   */
  public static List<String> grabber(String path, long periodNs) {
    return List.of(path, "grab", "0", Long.toString(periodNs), "0", "0", "-1", ".");
  }

  /**
   * Returns the command of a process that reports, until its input ends, when its processor did not
   * run it: a line for each such time, with its begin and its end, by the clock of {@link
   * System#nanoTime}.
   *
   * @param path of a compiled program
   * @param periodNs how often it looks, in nanoseconds; what is shorter is not reported
   * @param priority of its thread
   * @param cpu where it runs; -1: anywhere
   */
  public static List<String> stalls(String path, long periodNs, int priority, int cpu) {
    String period = Long.toString(periodNs);
    return List.of(
        path, "stalls", "0", period, Integer.toString(priority), "0", Integer.toString(cpu), ".");
  }

  /** Returns where it is; {@code -} if there is none. */
  public String path() {
    return path;
  }

  /** Returns why there is none. */
  public Optional<String> problem() {
    return problem;
  }

  @Override
  public void close() throws IOException {
    if (folder == null) {
      return;
    }
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
