package dev.takt.bench.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A folder in memory where two processes meet; deleted with all that is in it. It is the suite's,
 * and not that of a measuring process, which may be killed.
 */
public final class MeetingFolder implements AutoCloseable {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  private final Path root;

  private MeetingFolder(Path root) {
    this.root = root;
  }

  /** Makes one. */
  public static MeetingFolder create() throws IOException {
    return new MeetingFolder(
        Files.isDirectory(SHARED_MEMORY)
            ? Files.createTempDirectory(SHARED_MEMORY, "takt-bench")
            : Files.createTempDirectory("takt-bench"));
  }

  /** Makes a folder in it. */
  public Path folder(String name) throws IOException {
    return Files.createDirectory(root.resolve(name));
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    }
  }
}
