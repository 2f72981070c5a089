package dev.takt.bench.persist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder for what is stored, which is gone afterwards. */
public final class TemporaryFolder {
  /**
   * Does something with it.
   *
   * @param <T> what that gives
   */
  @FunctionalInterface
  public interface Use<T> {
    /** Does it. */
    T in(Path folder) throws Exception;
  }

  private TemporaryFolder() {}

  /** Makes a folder, and deletes it when it was used. */
  public static <T> T with(Use<T> use) throws Exception {
    Path folder = Files.createTempDirectory("takt-bench-persist");
    try {
      return use.in(folder);
    } finally {
      delete(folder);
    }
  }

  /** Deletes a folder with all that is in it. */
  static void delete(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> files = Files.walk(folder)) {
      all = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : all) {
      Files.delete(each);
    }
  }
}
