package dev.takt.bench.rtj;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The floor's program in a private folder, while it is needed.
 *
 * <p><b>Thread rule:</b> one thread.
 */
public final class BaselineProgram implements AutoCloseable {
  /** The path of a program that could not be compiled. */
  public static final String NONE = "-";

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
      return new BaselineProgram(folder, CBaseline.compile(folder).toString(), Optional.empty());
    } catch (IOException e) {
      return new BaselineProgram(folder, NONE, Optional.of(e.getMessage()));
    }
  }

  /** Returns one that is not there, for those who do not measure. */
  public static BaselineProgram none() {
    return new BaselineProgram(null, NONE, Optional.empty());
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
    Samples samples = CBaseline.at(Path.of(path)).run("cyclic", frames, priority, 0, cpu);
    SortedMap<Long, Long> wakeUps = new TreeMap<>();
    for (long lateNs : samples.series("late")) {
      wakeUps.merge(Math.max(0, lateNs), 1L, Long::sum);
    }
    return wakeUps;
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
