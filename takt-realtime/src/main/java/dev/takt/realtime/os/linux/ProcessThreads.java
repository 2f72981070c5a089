package dev.takt.realtime.os.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The threads of this process, as {@code /proc} lists them; any thread may ask. */
final class ProcessThreads {
  private static final Path TASKS = Path.of("/proc/self/task");

  /** In a line of {@code stat}, after the name in brackets. */
  private static final int STATE_FIELD = 0;

  private static final int PROCESSOR_FIELD = 36;
  private static final String READY = "R";

  private ProcessThreads() {}

  /** The numbers of all threads; empty if they cannot be listed. */
  static int[] all() {
    try (Stream<Path> tasks = Files.list(TASKS)) {
      return tasks.mapToInt(each -> Integer.parseInt(String.valueOf(each.getFileName()))).toArray();
    } catch (IOException | UncheckedIOException | NumberFormatException _) {
      return new int[0]; // no such system
    }
  }

  /**
   * Whether a thread works in the JVM's pauses, by HotSpot's names: the thread that runs its
   * operations while all others stand still, which under Serial also collects; and the workers of
   * Parallel's and G1's pauses. Workers that collect while the program runs have other names.
   */
  static boolean worksInPauses(int thread) {
    try {
      String name = Files.readString(TASKS.resolve(thread + "/comm")).strip();
      return name.equals("VM Thread") || name.startsWith("GC Thread#");
    } catch (IOException _) {
      return false; // it has ended
    }
  }

  /** The processor that a thread runs on or would run on; -1: it sleeps, or it has ended. */
  static int readyOn(int thread) {
    String[] fields = fields(thread);
    return fields != null && fields.length > PROCESSOR_FIELD && fields[STATE_FIELD].equals(READY)
        ? Integer.parseInt(fields[PROCESSOR_FIELD])
        : -1;
  }

  private static String @Nullable [] fields(int thread) {
    try {
      // A name can be any bytes: the JVM truncates a long one, perhaps within a character.
      String line = Files.readString(TASKS.resolve(thread + "/stat"), StandardCharsets.ISO_8859_1);
      return line.substring(line.lastIndexOf(')') + 2).split(" ");
    } catch (IOException | IndexOutOfBoundsException _) {
      return null; // it has ended
    }
  }
}
