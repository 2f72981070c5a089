package dev.takt.bench.rtj;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The floor's program in a private folder, while it is needed.
 *
 * <p><b>Thread rule:</b> one thread.
 */
public final class FloorProgram implements AutoCloseable {
  private final Path folder;
  private final String path;
  private final Optional<String> problem;

  private FloorProgram(Path folder, String path, Optional<String> problem) {
    this.folder = folder;
    this.path = path;
    this.problem = problem;
  }

  /**
   * Compiles it; where that is not possible, there is none.
   *
   * @throws IOException if there can be no temporary folder
   */
  public static FloorProgram compile() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("takt-floor");
    try {
      return new FloorProgram(folder, Floor.compile(folder).toString(), Optional.empty());
    } catch (IOException e) {
      return new FloorProgram(folder, "-", Optional.of(e.getMessage()));
    }
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
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
