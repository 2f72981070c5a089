package dev.takt.realtime.os.linux;

import dev.takt.realtime.os.Capability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The file {@code status} of a process; needs no native call.
 *
 * @param lines its lines
 */
public record ProcessStatus(List<String> lines) {
  private static final Path OWN = Path.of("/proc/self/status");

  /** Returns that of this process; empty where there is no such file. */
  public static ProcessStatus own() {
    return of(OWN);
  }

  static ProcessStatus of(Path file) {
    try {
      return new ProcessStatus(Files.readAllLines(file));
    } catch (IOException e) {
      return new ProcessStatus(List.of());
    }
  }

  /** Returns the rights in force; none where they are unknown. */
  public Set<Capability> capabilities() {
    String value = value("CapEff");
    long bits = value.isEmpty() ? 0 : Long.parseUnsignedLong(value, 16);
    Set<Capability> capabilities = EnumSet.allOf(Capability.class);
    capabilities.removeIf(each -> (bits >>> each.number() & 1) == 0);
    return capabilities;
  }

  /** Returns how much memory is locked, in bytes; -1: unknown. */
  public long lockedBytes() {
    String value = value("VmLck");
    return value.isEmpty() ? -1 : Long.parseLong(value.split(" ", 2)[0]) * 1_024;
  }

  private String value(String key) {
    for (String line : lines) {
      if (line.startsWith(key + ":")) {
        return line.substring(key.length() + 1).strip();
      }
    }
    return "";
  }
}
