package dev.takt.cli.doctor;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.takt.cli.report.Machine;
import dev.takt.realtime.os.OperatingSystem;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The JVM: which one, its collector, and its flags. The launcher starts {@code doctor} with the
 * flags that {@code run} and {@code demo} get.
 *
 * @param flags the value of a flag by its name, absent if this JVM has none of that name
 * @param collectors the names of the collectors
 * @param nativeAccess whether Takt may call the operating system
 */
record JvmProbe(
    Function<String, Optional<String>> flags, List<String> collectors, boolean nativeAccess)
    implements Probe {
  static JvmProbe ofThisJvm() {
    return new JvmProbe(
        JvmProbe::flag,
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .map(GarbageCollectorMXBean::getName)
            .toList(),
        OperatingSystem.class.getModule().isNativeAccessEnabled());
  }

  private static Optional<String> flag(String name) {
    HotSpotDiagnosticMXBean flags =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    try {
      return flags == null ? Optional.empty() : Optional.of(flags.getVMOption(name).getValue());
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // another JVM, or another version
    }
  }

  @Override
  public List<DoctorFinding> examine(FileSystemRoot root) {
    return List.of(
        DoctorFinding.good("jdk", Machine.jdk()),
        access(),
        collector(),
        heap(),
        pages(root),
        countedLoops(),
        performanceData(root));
  }

  private DoctorFinding access() {
    return DoctorFinding.of(
        nativeAccess, "native access", nativeAccess ? "granted" : "not granted");
  }

  private DoctorFinding collector() {
    String names = collectors.stream().collect(Collectors.joining(", "));
    boolean concurrent =
        collectors.stream().anyMatch(name -> name.matches("(ZGC|Shenandoah|Epsilon).*"));
    return DoctorFinding.of(concurrent, "collector", names.isEmpty() ? "unknown" : names);
  }

  private DoctorFinding heap() {
    OptionalLong initial = number("InitialHeapSize");
    OptionalLong max = number("MaxHeapSize");
    if (initial.isEmpty() || max.isEmpty()) {
      return DoctorFinding.unknown("heap", "this JVM does not say");
    }
    boolean fixed = initial.getAsLong() == max.getAsLong();
    boolean touched = isOn("AlwaysPreTouch");
    return DoctorFinding.of(
        fixed && touched,
        "heap",
        "%d to %d MiB, touched %s"
            .formatted(
                initial.getAsLong() >> 20,
                max.getAsLong() >> 20,
                touched ? "at the start" : "when first used"));
  }

  /** What is done seldom finds caches cold, also the processor's cache of page addresses. */
  private DoctorFinding pages(FileSystemRoot root) {
    if (flags.apply("UseTransparentHugePages").isEmpty()) {
      return DoctorFinding.unknown("page size", "this JVM does not say");
    }
    boolean large = isOn("UseTransparentHugePages") || isOn("UseLargePages");
    boolean refused =
        root.text(MemoryProbe.HUGE + "enabled")
            .filter(text -> text.contains("[never]"))
            .isPresent();
    return DoctorFinding.of(
        large,
        refused ? "page size/refused" : "page size",
        large ? "large, where there are such" : "4 KiB");
  }

  private DoctorFinding countedLoops() {
    if (flags.apply("UseCountedLoopSafepoints").isEmpty()) {
      return DoctorFinding.unknown("counted loops", "this JVM does not say");
    }
    boolean on = isOn("UseCountedLoopSafepoints");
    return DoctorFinding.of(on, "counted loops", on ? "have safepoints" : "have no safepoints");
  }

  /** With it, the JVM writes into a mapped file at each collection, and may wait for its disk. */
  private DoctorFinding performanceData(FileSystemRoot root) {
    if (flags.apply("UsePerfData").isEmpty()) {
      return DoctorFinding.unknown("perf data", "this JVM does not say");
    }
    boolean written = isOn("UsePerfData") && !isOn("PerfDisableSharedMem");
    boolean inMemory =
        root.lines("proc/mounts").stream()
            .anyMatch(line -> line.matches("\\S+ /tmp(/hsperfdata\\S*)? (tmpfs|ramfs) .*"));
    return DoctorFinding.of(
        !written || inMemory,
        "perf data",
        written ? inMemory ? "written to /tmp in memory" : "written to /tmp on a disk" : "off");
  }

  private boolean isOn(String flag) {
    return flags.apply(flag).filter("true"::equals).isPresent();
  }

  private OptionalLong number(String flag) {
    return flags.apply(flag).map(FileSystemRoot::parse).orElse(OptionalLong.empty());
  }
}
