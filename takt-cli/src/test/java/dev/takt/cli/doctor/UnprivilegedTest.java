package dev.takt.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole doctor as a user without any privilege, on this machine: as {@code nobody} where the
 * tests run as root, otherwise as whoever runs them.
 */
class UnprivilegedTest {
  /** The user that owns nothing, by its number on any Linux. */
  private static final int NOBODY = 65_534;

  @TempDir private Path folder;

  @Test
  void shouldLookAndMeasureAndWriteWithoutPrivileges() throws Exception {
    String classPath = copyOfClassPath();
    Path report = Files.createDirectory(folder.resolve("report"));
    Files.setPosixFilePermissions(report, PosixFilePermissions.fromString("rwxrwxrwx"));
    for (String nativeAccess : List.of("--enable-native-access=ALL-UNNAMED", "-Dno.access=true")) {
      Path out = report.resolve("out" + nativeAccess.length());
      Path json = report.resolve("doctor" + nativeAccess.length() + ".json");
      Path tune = report.resolve("tune" + nativeAccess.length());

      int exitCode =
          run(
              out,
              List.of(nativeAccess, "-cp", classPath, "dev.takt.cli.Main", "doctor"),
              List.of("--duration", "1", "--json", json.toString(), "--tune", tune.toString()));

      String printed = Files.readString(out);
      assertThat(exitCode).as(printed).isZero();
      assertThat(printed)
          .doesNotContain("WARNING", "Exception")
          .contains("findings want attention");
      assertThat(JSON.std.mapFrom(Files.readString(json)))
          .containsEntry("suite", "doctor")
          .extractingByKey("results")
          .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.list(Map.class))
          .extracting(each -> each.get("name"))
          .contains("lateness-park-idle", "lateness-sleeper-load", "handover-sleeper-idle");
      assertThat(tune.resolve(Tuning.NOTE)).exists();
      if (isRoot()) {
        assertThat(printed.lines())
            .anyMatch(line -> line.matches("OK +user +uid " + NOBODY))
            .anyMatch(line -> line.startsWith("WARN  real-time policy  FIFO 50 not granted: "))
            .anyMatch(
                line -> line.matches("WARN +wake-up limit +quick wake-ups .* not granted: .*"));
      }
    }
  }

  @Test
  void shouldSayWhatAnUnprivilegedUserLacks() throws IOException {
    List<DoctorFinding> findings =
        new PrivilegeProbe()
            .examine(
                new FakeMachine(folder)
                    .withUser(NOBODY, "0000000000000000", "0", "8388608")
                    .root());

    assertThat(findings)
        .filteredOn(DoctorFinding::isBad)
        .extracting(DoctorFinding::probe)
        .containsExactly("rtprio limit", "memlock limit");
  }

  private int run(Path out, List<String> java, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY));
      command.addAll(List.of("--clear-groups", "--inh-caps=-all", "--"));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(java);
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends").isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  private static boolean isRoot() throws IOException {
    return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
  }

  /**
   * Where everybody can read it: the checkout and the local repository may be for one user only.
   */
  private String copyOfClassPath() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    String[] entries =
        (System.getProperty("jdk.module.path", "")
                + File.pathSeparator
                + System.getProperty("java.class.path", ""))
            .split(File.pathSeparator);
    List<String> copies = new ArrayList<>();
    for (String entry : entries) {
      Path from = Path.of(entry).toAbsolutePath();
      if (!entry.isEmpty() && Files.exists(from)) {
        Path to = folder.resolve("path" + copies.size() + (entry.endsWith(".jar") ? ".jar" : ""));
        copy(from, to);
        copies.add(to.toString());
      }
    }
    return String.join(File.pathSeparator, copies);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path each : (Iterable<Path>) files::iterator) {
        Path target = to.resolve(from.relativize(each).toString());
        boolean directory = Files.isDirectory(each);
        if (directory) {
          Files.createDirectories(target);
        } else {
          Files.copy(each, target);
        }
        Files.setPosixFilePermissions(
            target, PosixFilePermissions.fromString(directory ? "rwxr-xr-x" : "rw-r--r--"));
      }
    }
  }
}
