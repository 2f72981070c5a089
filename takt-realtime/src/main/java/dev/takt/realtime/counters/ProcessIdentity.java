package dev.takt.realtime.counters;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process, and no other one that gets its number later.
 *
 * @param pid its number
 * @param start when it began: of {@code /proc/PID/stat}, elsewhere milliseconds since 1970; {@value
 *     #NONE}: there is no such process
 * @param namespace the number of the namespace that its number is of; 0: unknown
 */
public record ProcessIdentity(long pid, long start, long namespace) {
  static final long NONE = -1;

  /** The place of the start among the fields that come after the name, which is in parentheses. */
  private static final int START_FIELD = 19;

  private static final Pattern NAMESPACE = Pattern.compile("pid:\\[(\\d{1,18})]");

  /** Returns this process. */
  public static ProcessIdentity self() {
    return of(ProcessHandle.current().pid());
  }

  /** Returns the process that has a number now, in the namespace of this one. */
  static ProcessIdentity of(long pid) {
    return new ProcessIdentity(pid, start(pid), ownNamespace());
  }

  /** Returns whether its number means the same process here as where it was written. */
  boolean isOfThisNamespace() {
    return namespace == ownNamespace();
  }

  /** Returns whether it lives; it must be {@linkplain #isOfThisNamespace of this namespace}. */
  boolean isAlive() {
    return start != NONE && start == start(pid);
  }

  private static long start(long pid) {
    Path stat = Path.of("/proc", Long.toString(pid), "stat");
    try {
      String text = Files.readString(stat, StandardCharsets.ISO_8859_1);
      String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ");
      boolean ended = fields[0].equals("Z") || fields[0].equals("X");
      return ended ? NONE : Long.parseLong(fields[START_FIELD]);
    } catch (IOException | RuntimeException e) {
      return Files.exists(Path.of("/proc/self/stat")) ? NONE : startElsewhere(pid);
    }
  }

  private static long startElsewhere(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().startInstant())
        .map(instant -> instant.toEpochMilli())
        .orElse(NONE);
  }

  private static long ownNamespace() {
    return OwnNamespace.NUMBER;
  }

  private static final class OwnNamespace {
    static final long NUMBER = find();

    private static long find() {
      try {
        Matcher link =
            NAMESPACE.matcher(Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString());
        return link.matches() ? Long.parseLong(link.group(1)) : 0;
      } catch (IOException | RuntimeException e) {
        return 0; // not on Linux
      }
    }
  }
}
