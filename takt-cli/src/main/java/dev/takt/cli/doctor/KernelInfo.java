package dev.takt.cli.doctor;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The kernel's version, how it was built, and what it was booted with.
 *
 * @param release empty if unknown
 * @param version the text of {@code /proc/version}, empty if unknown
 * @param isRealTime whether it was built for real time
 * @param parameters what it was booted with
 * @param options how it was built; empty if unknown
 */
record KernelInfo(
    String release,
    String version,
    boolean isRealTime,
    List<String> parameters,
    List<String> options) {
  private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})\\b.*");

  static KernelInfo of(FileSystemRoot root) {
    String version = root.text("proc/version").orElse("");
    String release = root.text("proc/sys/kernel/osrelease").orElse("");
    boolean realTime =
        version.contains("PREEMPT_RT")
            || root.text("sys/kernel/realtime").filter("1"::equals).isPresent();
    List<String> options = root.unzippedLines("proc/config.gz");
    if (options.isEmpty() && !release.isEmpty()) {
      options = root.lines("boot/config-" + release);
    }
    String commandLine = root.text("proc/cmdline").orElse("");
    return new KernelInfo(
        release, version, realTime, Arrays.asList(commandLine.split("\\s+")), options);
  }

  boolean isKnown() {
    return !version.isEmpty();
  }

  /** Whether it is of this version or a later one; false if its version is unknown. */
  boolean isAtLeast(int major, int minor) {
    Matcher matcher = VERSION.matcher(release.lines().findFirst().orElse(""));
    if (!matcher.matches()) {
      return false;
    }
    int here = Integer.parseInt(matcher.group(1));
    return here > major || here == major && Integer.parseInt(matcher.group(2)) >= minor;
  }

  /** The values that the boot parameter was given, in order. */
  List<String> parameters(String name) {
    return parameters.stream()
        .filter(each -> each.startsWith(name + "="))
        .map(each -> each.substring(name.length() + 1))
        .toList();
  }

  /** Whether it is known to have been built with this option. */
  boolean has(String option) {
    return options.contains(option + "=y");
  }

  /** Whether it may have been built with this option: its configuration is not always there. */
  boolean mayHave(String option) {
    return options.isEmpty() || has(option);
  }
}
