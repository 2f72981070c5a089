package dev.takt.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All probes that read files, on whole machines. */
class ProbesTest {
  @TempDir private Path folder;

  @Test
  void shouldHaveAMeaningAndARemedyInEachText() {
    assertThat(DoctorFinding.TEXTS.values())
        .isNotEmpty()
        .allSatisfy(each -> assertThat(each).hasSize(3).noneMatch(String::isBlank));
  }

  @Test
  void shouldFindNothingToMendOnATunedMachine() throws IOException {
    List<DoctorFinding> findings = examine(FakeMachine.tuned(folder).root());

    assertThat(findings)
        .allSatisfy(each -> assertThat(each.verdict()).as(each.toString()).isEqualTo(Verdict.GOOD));
  }

  @Test
  void shouldFindWhatHarmsOnAGuestAsItComes() throws IOException {
    List<DoctorFinding> findings = examine(FakeMachine.guest(folder).root());

    assertThat(names(findings, Verdict.BAD))
        .containsExactlyInAnyOrder(
            "clock source",
            "steal time",
            "isolated cpus",
            "interrupts",
            "irqbalance",
            "smt",
            "load",
            "cpu governor",
            "idle states",
            "rt throttling",
            "fair server",
            "preemption",
            "numa balancing",
            "huge pages",
            "huge page defrag",
            "khugepaged",
            "swap",
            "swappiness",
            "free memory");
    assertThat(names(findings, Verdict.UNKNOWN)).isEmpty();
    assertThat(findings)
        .filteredOn(DoctorFinding::isBad)
        .allSatisfy(each -> assertThat(each.meaning()).isNotBlank())
        .allSatisfy(each -> assertThat(each.mend()).isNotBlank());
  }

  @Test
  void shouldFindInAContainerWhatItsLimitsAre() throws IOException {
    List<DoctorFinding> findings = examine(FakeMachine.container(folder).root());

    assertThat(found(findings, "container")).isEqualTo("yes, by /.dockerenv");
    assertThat(found(findings, "cpu quota"))
        .isEqualTo("50000 us of every 100000 us, stopped 4 times so far");
    assertThat(found(findings, "cpuset")).isEqualTo("processors 0");
    assertThat(names(findings, Verdict.BAD))
        .contains("cpu quota", "memory limit", "rtprio limit", "memlock limit");
  }

  @Test
  void shouldFindTheLimitsOfOldCgroups() throws IOException {
    List<DoctorFinding> findings = examine(FakeMachine.oldCgroups(folder).root());

    assertThat(found(findings, "cpu quota")).isEqualTo("150000 us of every 100000 us");
    assertThat(found(findings, "cpuset")).isEqualTo("processors 1");
    assertThat(found(findings, "memory limit")).isEqualTo("none");
    assertThat(names(findings, Verdict.BAD)).contains("cpu quota", "rt group");
  }

  @Test
  void shouldKnowNothingAndBlameNothingWhereNothingCanBeRead() {
    List<DoctorFinding> findings = examine(new FileSystemRoot(folder));

    assertThat(findings)
        .hasSize(35)
        .allSatisfy(
            each -> assertThat(each.verdict()).as(each.toString()).isEqualTo(Verdict.UNKNOWN))
        .allSatisfy(each -> assertThat(each.found()).startsWith("unknown: "));
  }

  @Test
  void shouldHaveTheSameProbesOnEveryMachine() throws IOException {
    List<String> expected =
        examine(new FileSystemRoot(folder.resolve("none"))).stream()
            .map(DoctorFinding::probe)
            .toList();

    assertThat(expected).doesNotHaveDuplicates();
    assertThat(examine(FakeMachine.guest(folder).root()))
        .extracting(DoctorFinding::probe)
        .containsExactlyElementsOf(expected);
  }

  @Test
  void shouldSurviveGarbageInEveryFile() throws IOException {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    FakeMachine.oldCgroups(folder);
    FakeMachine.container(folder);
    FakeMachine.tuned(folder);
    List<Path> files = files();
    int rounds = Boolean.getBoolean("takt.full") ? 20_000 : 300;
    for (int round = 0; round < rounds; round++) {
      Path file = files.get(random.nextInt(files.size()));
      Files.write(file, garbage(random));

      assertThat(examine(new FileSystemRoot(folder)))
          .as("seed " + seed + ", round " + round + ", " + file)
          .hasSize(35)
          .allSatisfy(each -> assertThat(each.found()).isNotBlank())
          .allSatisfy(each -> assertThat(each.found()).doesNotContainPattern("\\p{Cntrl}"))
          .allSatisfy(
              each -> assertThat(each.found()).hasSizeLessThan(DoctorFinding.MAX_FOUND + 1));
    }
  }

  @Test
  void shouldNotChokeOnHugeFiles() throws IOException {
    FakeMachine.oldCgroups(folder);
    FakeMachine.tuned(folder);
    for (String unit : List.of("0::/a", "/a", "0-8191,", "1 ", "[always] ", "x\n0::/a/b\n")) {
      String huge = unit.repeat(FileSystemRoot.MAX_BYTES / unit.length() + 2);
      for (Path file : files()) {
        Files.writeString(file, file.endsWith("self/cgroup") ? "0::" + huge : huge);
      }

      assertThat(examine(new FileSystemRoot(folder))).as(unit).hasSize(35);
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  private static byte[] garbage(Random random) {
    String[] words = {
      "-1",
      "max",
      "99999999999999999999",
      "0-",
      "[]",
      "::",
      "\u001b[31m",
      "cpu",
      "\n",
      " ",
      "/..",
      "-9223372036854775808",
      "9223372036854775807",
      "0::/../../x",
      "1:cpu:",
      "kB",
      "1.5",
      "\0"
    };
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(30); i > 0; i--) {
      text.append(words[random.nextInt(words.length)]).append(random.nextBoolean() ? " " : "");
    }
    return text.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  private static List<DoctorFinding> examine(FileSystemRoot root) {
    return Stream.of(
            new HostProbe(),
            new CpuProbe(),
            new PowerProbe(),
            new SchedulerProbe(),
            new PrivilegeProbe(),
            new MemoryProbe(),
            new CgroupProbe(1L << 30))
        .flatMap(probe -> probe.examine(root).stream())
        .toList();
  }

  private static List<String> names(List<DoctorFinding> findings, Verdict verdict) {
    return findings.stream()
        .filter(each -> each.verdict() == verdict)
        .map(DoctorFinding::probe)
        .toList();
  }

  private static String found(List<DoctorFinding> findings, String probe) {
    return findings.stream()
        .filter(each -> each.probe().equals(probe))
        .findFirst()
        .orElseThrow()
        .found();
  }
}
