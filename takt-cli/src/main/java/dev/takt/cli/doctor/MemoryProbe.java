package dev.takt.cli.doctor;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the kernel does with memory behind a program's back: huge pages, swap. */
final class MemoryProbe implements Probe {
  static final String HUGE = "sys/kernel/mm/transparent_hugepage/";
  private static final Pattern CHOSEN = Pattern.compile("\\[([a-z+_]+)]");
  private static final Pattern KIB = Pattern.compile("(\\d{1,18}) kB");

  @Override
  public List<DoctorFinding> examine(FileSystemRoot root) {
    Optional<String> enabled = chosen(root, "enabled");
    boolean swaps = root.lines("proc/swaps").size() > 1;
    return List.of(
        hugePages(enabled),
        defrag(enabled, chosen(root, "defrag")),
        khugepaged(enabled, root.number(HUGE + "khugepaged/defrag")),
        swap(root, swaps),
        swappiness(root.number("proc/sys/vm/swappiness"), swaps),
        available(root));
  }

  private static Optional<String> chosen(FileSystemRoot root, String file) {
    Matcher chosen = CHOSEN.matcher(root.text(HUGE + file).orElse(""));
    return chosen.find() ? Optional.of(chosen.group(1)) : Optional.empty();
  }

  private static DoctorFinding hugePages(Optional<String> enabled) {
    return enabled
        .map(mode -> DoctorFinding.of(!mode.equals("always"), "huge pages", mode))
        .orElse(DoctorFinding.unknown("huge pages", "no /" + HUGE + "enabled"));
  }

  private static DoctorFinding defrag(Optional<String> enabled, Optional<String> defrag) {
    if (enabled.isEmpty() || defrag.isEmpty()) {
      return DoctorFinding.unknown("huge page defrag", "no /" + HUGE + "defrag");
    }
    return DoctorFinding.of(
        !defrag.get().equals("always") || enabled.get().equals("never"),
        "huge page defrag",
        defrag.get());
  }

  private static DoctorFinding khugepaged(Optional<String> enabled, OptionalLong defrag) {
    if (enabled.isEmpty() || defrag.isEmpty()) {
      return DoctorFinding.unknown("khugepaged", "no /" + HUGE + "khugepaged");
    }
    boolean works = enabled.get().equals("always") && defrag.getAsLong() != 0;
    return DoctorFinding.of(
        !works,
        "khugepaged",
        works
            ? "collapses pages of all programs"
            : enabled.get().equals("never") ? "idle" : "works for programs that ask for it");
  }

  private static DoctorFinding swap(FileSystemRoot root, boolean swaps) {
    if (root.text("proc/swaps").isEmpty()) {
      return DoctorFinding.unknown("swap", "no /proc/swaps");
    }
    return DoctorFinding.of(
        !swaps,
        "swap",
        swaps ? root.lines("proc/swaps").size() - 1 + " in use or ready for use" : "none");
  }

  private static DoctorFinding swappiness(OptionalLong swappiness, boolean swaps) {
    if (swappiness.isEmpty()) {
      return DoctorFinding.unknown("swappiness", "no vm.swappiness");
    }
    return DoctorFinding.of(
        !swaps || swappiness.getAsLong() <= 1,
        "swappiness",
        swappiness.getAsLong() + (swaps ? "" : " (of no matter without swap)"));
  }

  private static DoctorFinding available(FileSystemRoot root) {
    OptionalLong total = kib(root.field("proc/meminfo", "MemTotal"));
    OptionalLong available = kib(root.field("proc/meminfo", "MemAvailable"));
    if (total.isEmpty() || available.isEmpty() || total.getAsLong() == 0) {
      return DoctorFinding.unknown("free memory", "no /proc/meminfo");
    }
    long percent = Math.round(100.0 * available.getAsLong() / total.getAsLong());
    return DoctorFinding.of(
        percent >= 10,
        "free memory",
        "%d MiB of %d MiB available (%d %%)"
            .formatted(available.getAsLong() / 1_024, total.getAsLong() / 1_024, percent));
  }

  private static OptionalLong kib(Optional<String> text) {
    Matcher matcher = KIB.matcher(text.orElse(""));
    return matcher.matches() ? FileSystemRoot.parse(matcher.group(1)) : OptionalLong.empty();
  }
}
