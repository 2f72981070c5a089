package dev.takt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorTest {
  @TempDir private Path root;

  @Test
  void shouldAnswerEveryProbeOnAMachineThatTellsNothing() {
    List<Finding> findings = new Doctor(root).examine();

    assertThat(findings).hasSize(15).allSatisfy(each -> assertThat(each.found()).isNotBlank());
    assertThat(findings).extracting(Finding::probe).doesNotHaveDuplicates();
  }

  @Test
  void shouldWarnWithARemedyWhenTheMachineHarmsTimeliness() throws IOException {
    given("proc/loadavg", "7.50 1.00 1.00 2/200 77\n");
    given("proc/swaps", "Filename Type Size Used Priority\n/swapfile file 1 0 -2\n");
    given("proc/self/cgroup", "0::/app\n");
    given("sys/fs/cgroup/app/cpu.max", "50000 100000\n");
    given("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
    given("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");
    given("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
    given(
        "proc/self/limits",
        "Limit                     Soft Limit           Hard Limit           Units\n"
            + "Max locked memory         65536                65536                bytes\n"
            + "Max realtime priority     0                    0\n");
    Doctor doctor = new Doctor(root);

    assertThat(doctor.load(2))
        .matches(each -> !each.isGood())
        .extracting(Finding::found)
        .isEqualTo("7.50 on 2 cores");
    assertThat(doctor.swap().isGood()).isFalse();
    assertThat(doctor.cpuQuota().found()).isEqualTo("50000 us every 100000 us");
    assertThat(doctor.cpuQuota().remedy()).contains("cpuset");
    assertThat(doctor.hugePages().isGood()).isFalse();
    assertThat(doctor.clockSource().isGood()).isFalse();
    assertThat(doctor.governor().isGood()).isFalse();
    assertThat(doctor.lockedMemory().found()).isEqualTo("65536");
    assertThat(doctor.realTimePriority().isGood()).isFalse();
    assertThat(Doctor.cores(1).isGood()).isFalse();
  }

  @Test
  void shouldFindNothingWrongOnAMachineThatIsFit() throws IOException {
    given("proc/loadavg", "0.10 1.00 1.00 2/200 77\n");
    given("proc/swaps", "Filename Type Size Used Priority\n");
    given("proc/self/cgroup", "0::/\n");
    given("sys/fs/cgroup/cpu.max", "max 100000\n");
    given("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    given("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
    given("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
    given(
        "proc/self/limits",
        "Max locked memory  unlimited  unlimited  bytes\nMax realtime priority  90  90\n");
    Doctor doctor = new Doctor(root);

    assertThat(
            List.of(
                doctor.load(2),
                doctor.swap(),
                doctor.cpuQuota(),
                doctor.hugePages(),
                doctor.clockSource(),
                doctor.governor(),
                doctor.lockedMemory(),
                doctor.realTimePriority()))
        .allMatch(Finding::isGood);
  }

  @Test
  void shouldJudgeLatenessByItsTail() {
    assertThat(Doctor.lateness(new long[] {50_000, 60_000, 70_000}).isGood()).isTrue();
    assertThat(Doctor.lateness(new long[] {50_000, 60_000, 2_000_000}))
        .matches(each -> !each.isGood())
        .extracting(Finding::found)
        .isEqualTo("p50 60 us, p99 2000 us, max 2000 us (sleeps of 1 ms)");
  }

  @Test
  void shouldTakePercentilesFromSortedValues() {
    long[] sorted = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

    assertThat(Lateness.percentile(sorted, 0)).isEqualTo(1);
    assertThat(Lateness.percentile(sorted, 0.5)).isEqualTo(5);
    assertThat(Lateness.percentile(sorted, 0.99)).isEqualTo(10);
    assertThat(Lateness.percentile(sorted, 1)).isEqualTo(10);
  }

  @Test
  void shouldPrintTheRemedyBelowAWarningAndCountThem() {
    StringWriter text = new StringWriter();

    Doctor.print(
        List.of(Finding.ok("cores", "2"), Finding.warn("swap", "1", "swapoff -a")),
        new PrintWriter(text, true));

    assertThat(text.toString().lines())
        .containsSubsequence("OK    cores              2", "WARN  swap               1")
        .anyMatch(line -> line.strip().equals("-> swapoff -a"))
        .anyMatch(line -> line.startsWith("1 of 2 probes want attention"));
  }

  private void given(String file, String content) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, content);
  }
}
