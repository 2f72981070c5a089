package dev.takt.bench.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether a process may have so many threads of the operating system as a run needs. Linux bounds
 * the mappings of a process ({@code vm.max_map_count}), and each thread of a JVM has two: its stack
 * and the guard pages below it.
 */
final class ThreadRoom {
  private static final Path LIMIT = Path.of("/proc/sys/vm/max_map_count");
  private static final Path MAPPINGS = Path.of("/proc/self/maps");

  private static final int OF_A_THREAD = 2;

  /** For what the process maps later: its heap, code, libraries and other threads. */
  private static final int SPARE = 1_000;

  private ThreadRoom() {}

  /**
   * Refuses a number of threads that the process cannot have.
   *
   * @param threads how many more there will be
   * @throws IOException with value, limit and remedy
   */
  static void require(int threads) throws IOException {
    if (Files.isReadable(LIMIT) && Files.isReadable(MAPPINGS)) {
      try (var lines = Files.lines(MAPPINGS)) {
        // by lines: with one read of many bytes, as this file gives all to the first read alone
        long limit = Long.parseLong(Files.readAllLines(LIMIT).getFirst().strip());
        require(threads, lines.count(), limit);
      }
    }
  }

  /** Does the same where the process has some mappings of those it may have. */
  static void require(int threads, long mappings, long limit) throws IOException {
    long needed = mappings + SPARE + (long) OF_A_THREAD * threads;
    if (needed > limit) {
      throw new IOException(
          ("%d threads need %d memory mappings (limit: vm.max_map_count=%d); take fewer"
                  + " connections, or raise it: sysctl -w vm.max_map_count=%d")
              .formatted(threads, needed, limit, needed));
    }
  }
}
