package dev.takt.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.takt.cli.CommandLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class DoctorCommandTest {
  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void shouldPrintFindingsWithTheirRemedies() throws IOException {
    FakeMachine.guest(machine());

    assertThat(execute("--duration", "0")).isZero();

    assertThat(out.toString().lines())
        .containsSubsequence(
            "Takt: what makes tasks late here",
            "WARN  rt throttling     on: real-time threads get 950000 us of every 1000000 us",
            "WARN  huge pages        always")
        .containsSubsequence(
            out.toString()
                .lines()
                .filter(each -> each.contains("want attention"))
                .toList()
                .getFirst(),
            "WARN  rt throttling     on: real-time threads get 950000 us of every 1000000 us")
        .anyMatch(line -> line.strip().startsWith("-> echo madvise >"))
        .anyMatch(line -> line.matches("\\d+ of \\d+ findings want attention.*"));
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void shouldPrintOneJsonObjectInsteadOfTables() throws IOException {
    FakeMachine.guest(machine());

    assertThat(execute("--json", "--duration", "1")).isZero();

    Map<String, Object> json = JSON.std.mapFrom(out.toString());
    assertThat(json)
        .containsOnlyKeys(
            "suite",
            "version",
            "settings",
            "machine",
            "verdict",
            "interrupted",
            "results",
            "failed",
            "notes",
            "findings");
    assertThat(json.get("suite")).isEqualTo("doctor");
    assertThat(rows(json, "results"))
        .allSatisfy(each -> assertThat(each).containsKeys("name", "unit", "value"));
    assertThat(rows(json, "results"))
        .filteredOn(each -> each.get("name").equals("lateness-park-idle"))
        .singleElement()
        .satisfies(each -> assertThat(each).containsKeys("p50", "p99", "p999", "max", "samples"));
    assertThat(rows(json, "findings"))
        .filteredOn(each -> each.get("probe").equals("huge pages"))
        .singleElement()
        .satisfies(
            each ->
                assertThat(each)
                    .containsEntry("verdict", "bad")
                    .containsEntry("found", "always")
                    .containsKeys("meaning", "mend"));
    assertThat(err.toString())
        .contains("measuring for about 1 s", "timer lateness, parkNanos, load");
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> rows(Map<String, Object> json, String member) {
    return (List<Map<String, Object>>) json.get(member);
  }

  @Test
  void shouldWriteReports() throws IOException {
    FakeMachine.tuned(machine());
    Path json = folder.resolve("d.json");
    Path html = folder.resolve("d.html");

    assertThat(execute("--duration", "0", "--json", json.toString(), "--html", html.toString()))
        .isZero();

    assertThat(JSON.std.mapFrom(Files.readString(json))).containsEntry("suite", "doctor");
    assertThat(html).content().contains("Findings", "PREEMPT_RT");
    assertThat(out.toString()).contains("PREEMPT_RT");
  }

  @Test
  void shouldWriteFilesThatMendForTheirOwnerAlone() throws IOException {
    FakeMachine.guest(machine());
    Path tune = folder.resolve("tune");

    assertThat(execute("--duration", "0", "--tune", tune.toString())).isZero();

    try (Stream<Path> files = Files.list(tune)) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(Tuning.names());
    }
    assertThat(mode(tune)).isEqualTo("rwx------");
    for (String name : Tuning.names()) {
      assertThat(mode(tune.resolve(name))).as(name).isEqualTo("rw-------");
    }
    assertThat(lines(tune, Tuning.DROP_IN))
        .contains("CPUAffinity=0,1", "AllowedCPUs=0-3", "LimitRTPRIO=90", "LimitMEMLOCK=infinity");
    assertThat(lines(tune, Tuning.SYSCTL))
        .contains("vm.swappiness = 1", "kernel.numa_balancing = 0")
        .contains("# kernel.sched_rt_runtime_us = -1")
        .doesNotContain("kernel.sched_rt_runtime_us = -1");
    assertThat(lines(tune, Tuning.LIMITS)).contains("@takt - rtprio  90");
    assertThat(lines(tune, Tuning.UDEV))
        .contains(
            "KERNEL==\"cpu_dma_latency\", SUBSYSTEM==\"misc\", GROUP=\"takt\", MODE=\"0660\"");
    assertThat(lines(tune, Tuning.MACHINE_UNIT))
        .contains(
            "ExecStart=/bin/sh -c 'echo madvise > /sys/kernel/mm/transparent_hugepage/enabled'")
        .anyMatch(line -> line.contains("smp_affinity_list; do echo 0,1 > $$f"));
    assertThat(tune.resolve(Tuning.NOTE))
        .content()
        .contains("isolcpus=managed_irq,domain,2,3 nohz_full=2,3 rcu_nocbs=2,3 irqaffinity=0,1")
        .contains("transparent_hugepage=madvise preempt=full")
        .contains(Tuning.names().subList(1, Tuning.names().size()));
    assertThat(out.toString()).contains("read " + tune.resolve(Tuning.NOTE));
  }

  @Test
  void shouldProposeNoDivisionOfOneProcessorAndNoUnknownKey() throws IOException {
    Files.createDirectories(machine());
    Path tune = folder.resolve("tune");

    assertThat(execute("--duration", "0", "--tune", tune.toString())).isZero();

    assertThat(lines(tune, Tuning.DROP_IN)).noneMatch(line -> line.startsWith("CPUAffinity"));
    assertThat(lines(tune, Tuning.SYSCTL)).noneMatch(line -> line.startsWith("kernel."));
    assertThat(lines(tune, Tuning.MACHINE_UNIT)).anyMatch(line -> line.contains("'true #"));
    assertThat(tune.resolve(Tuning.NOTE)).content().doesNotContain("isolcpus");
  }

  @Test
  void shouldReplaceNothingUnlessForced() throws IOException {
    FakeMachine.guest(machine());
    Path tune = Files.createDirectory(folder.resolve("tune"));
    Path other = Files.writeString(folder.resolve("precious"), "mine");
    Files.createSymbolicLink(tune.resolve(Tuning.SYSCTL), other);

    assertThat(execute("--duration", "0", "--tune", tune.toString())).isEqualTo(2);
    assertThat(err.toString()).contains(Tuning.SYSCTL + " is there already", "--force");
    assertThat(tune.resolve(Tuning.NOTE)).doesNotExist();

    assertThat(execute("--duration", "0", "--tune", tune.toString(), "--force")).isZero();
    assertThat(other).as("what a link leads to").hasContent("mine");
    assertThat(lines(tune, Tuning.SYSCTL)).contains("vm.swappiness = 1");
    assertThat(Files.isSymbolicLink(tune.resolve(Tuning.SYSCTL))).isFalse();
  }

  @Test
  void shouldEndWithTwoBeforeMeasuringWhenAFileHasNoPlace() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    Files.createDirectories(folder.resolve("t").resolve(Tuning.NOTE));
    String none = folder.resolve("none/x").toString();

    assertThat(execute("--json", none)).isEqualTo(2);
    assertThat(execute("--html", none)).isEqualTo(2);
    assertThat(execute("--tune", none)).isEqualTo(2);
    assertThat(execute("--tune", file.toString())).isEqualTo(2);
    assertThat(execute("--tune", folder.resolve("t").toString(), "--force")).isEqualTo(2);

    assertThat(err.toString()).doesNotContain("measuring");
    assertThat(out.toString()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--duration -1",
        "--duration 3601",
        "--duration ten",
        "--duration",
        "--quick --duration 3",
        "--force",
        "--tune",
        "--html",
        "--fast",
        "more"
      })
  void shouldEndWithTwoAndAReasonWhenUsedBadly(String arguments) {
    assertThat(execute(arguments.split(" "))).isEqualTo(2);

    assertThat(err.toString()).isNotBlank().doesNotContain("Exception");
  }

  @Test
  void shouldExplainItsOptions() {
    assertThat(execute("--help")).isZero();

    assertThat(out.toString())
        .contains("--quick", "--duration", "--json", "--html", "--tune", "--force", "Exit codes");
  }

  private Path machine() {
    return folder.resolve("machine");
  }

  private int execute(String... arguments) {
    CommandLine commandLine = CommandLines.of(new DoctorCommand(new FileSystemRoot(machine())));
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments);
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(
        Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
  }

  private static List<String> lines(Path folder, String name) throws IOException {
    return Files.readAllLines(folder.resolve(name));
  }
}
