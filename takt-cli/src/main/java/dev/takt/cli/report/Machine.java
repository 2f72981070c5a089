package dev.takt.cli.report;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a figure was measured on; a figure without it means nothing. */
public final class Machine {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private Machine() {}

  /**
   * Looks at this machine and this JVM: {@code cpu}, {@code cores}, {@code memory}, {@code kernel},
   * {@code jdk}, {@code gc}, {@code jvm_flags}, {@code load} (of the last minute, -1 if unknown)
   * and {@code date} (UTC). What cannot be found out is {@code unknown}; this never fails.
   */
  public static Machine detect() {
    String collectors =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .map(GarbageCollectorMXBean::getName)
            .collect(Collectors.joining(", "));
    // Only what tunes the machine: paths and properties say nothing about speed.
    String flags =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(each -> each.startsWith("-X"))
            .collect(Collectors.joining(" "));
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    Machine machine =
        new Machine()
            .with("cpu", field(Path.of("/proc/cpuinfo"), "model name"))
            .with("cores", Runtime.getRuntime().availableProcessors())
            .with("memory", field(Path.of("/proc/meminfo"), "MemTotal"))
            .with("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"))
            .with("jdk", jdk())
            .with("gc", collectors)
            .with("jvm_flags", flags)
            .with("load", Double.isFinite(load) ? Result.rounded(load) : -1);
    return machine
        .with("overloaded", machine.isOverloaded())
        .with("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
  }

  /** Returns which virtual machine this is, and its version. */
  public static String jdk() {
    return System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version");
  }

  /** Returns the version of Takt that runs. */
  public static String taktVersion() {
    try {
      // Maven writes the version into the module's descriptor, which is there on a class path too.
      Path place =
          Path.of(Machine.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return ModuleFinder.of(place)
          .find("dev.takt.cli")
          .flatMap(module -> module.descriptor().rawVersion())
          .orElse("of unknown version: " + place);
    } catch (URISyntaxException | IllegalArgumentException e) {
      return "of unknown version";
    }
  }

  /**
   * Returns whether more threads wanted to run than there are processors, when this was made: then
   * every time is longer than the machine could do.
   */
  public boolean isOverloaded() {
    return members.get("load") instanceof Number load
        && members.get("cores") instanceof Number cores
        && load.doubleValue() > cores.doubleValue();
  }

  /** Adds a fact, or replaces it; see {@link Result#with}. */
  public Machine with(String member, Object value) {
    members.put(member, Result.checked(member, value));
    return this;
  }

  /** Returns the facts in order; a read-only view. */
  public Map<String, Object> members() {
    return Collections.unmodifiableMap(members);
  }

  /** The value of the first line {@code name : value}, or {@code unknown}. */
  static String field(Path file, String name) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(name) && line.indexOf(':') > 0)
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException | java.io.UncheckedIOException e) {
      return "unknown"; // not a Linux machine, or /proc is not mounted
    }
  }
}
