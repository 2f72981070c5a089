package dev.takt.cpu.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuMonitorTest {
  private static final long SECOND_NS = 1_000_000_000;

  private final Map<String, String> files = new HashMap<>();
  private final CpuMonitor monitor = new CpuMonitor(file -> files.getOrDefault(file, ""), 2, 1, 10);
  private long nowNs;

  private double sample(double late, boolean queued) {
    nowNs += SECOND_NS;
    return monitor.sample(nowNs, late, queued);
  }

  /** Columns as of Linux: user nice system idle iowait irq softirq steal guest guest_nice. */
  private void stat(long user, long idle, long irq, long softIrq, long steal) {
    files.put(
        "stat",
        "cpu  %s 0 0 %s 0 %s %s %s 7 7\ncpu0 1 2 3\n".formatted(user, idle, irq, softIrq, steal));
  }

  @Test
  void shouldTakeStolenTimeAndInterruptsFromTheProcessorsTimes() {
    stat(0, 1_000, 0, 0, 0);
    assertThat(sample(0, false)).isEqualTo(1);
    stat(50, 1_100, 5, 5, 40);
    sample(0, false);

    assertThat(monitor.workload()).isEqualTo(new CpuWorkload(0.2, 0.05, 0, 0));
    assertThat(monitor.workload().extensum(false)).isEqualTo(1.25 / 0.95, within(1e-9));
    assertThat(monitor.workload())
        .hasToString(
            "20.0 % stolen, 5.0 % interrupts, a queue of 0.00, looks and releases 0.0 % late");
  }

  @Test
  void shouldCountTheQueueWhereTasksHaveNoRealTimePolicy() {
    String schedstat = "version 15\ntimestamp 1\ncpu0 0 0 0 0 0 0 %s %s 9\ndomain0 03 1 2 3 4\n";
    files.put("schedstat", schedstat.formatted(1_000, 500));
    sample(0, true);
    files.put("schedstat", schedstat.formatted(3_000, 1_500));
    sample(0, true);

    assertThat(monitor.workload().queue()).isEqualTo(0.5);
    assertThat(monitor.workload().extensum(true)).isEqualTo(1.5);
    assertThat(monitor.workload().extensum(false)).isEqualTo(1);
  }

  @Test
  void shouldTakeThePressureOrTheReadyThreadsWhereThereIsNoSchedstat() {
    files.put("loadavg", "0.70 0.45 0.31 5/116 9420\n");
    sample(0, true);
    sample(0, true);
    assertThat(monitor.workload().queue()).as("4 on 2 processors").isEqualTo(1);

    String pressure = "some avg10=14.13 avg60=8.24 avg300=4.42 total=%s\nfull total=7\n";
    files.put("pressure/cpu", pressure.formatted(1_000));
    sample(0, true);
    files.put("pressure/cpu", pressure.formatted(251_000));
    sample(0, true);
    assertThat(monitor.workload().queue()).as("a quarter of a second").isEqualTo(0.25);
  }

  /** A process that keeps to some processors does not change how many wait for one of all. */
  @Test
  void shouldShareTheReadyThreadsAmongTheProcessorsOfTheMachine() {
    files.put("stat", "cpu  1 0 0 1 0 0 0 0\ncpu0 1\ncpu1 1\ncpu2 1\ncpu3 1\nintr 5\n");
    files.put("loadavg", "0.70 0.45 0.31 9/116 9420\n");
    sample(0, true);
    sample(0, true);

    assertThat(monitor.workload().queue()).as("8 on 4 processors").isEqualTo(1);
  }

  @Test
  void shouldTakeLatenessAloneWhereNothingCanBeRead() {
    sample(0.3, false);
    for (int i = 0; i < 50; i++) {
      sample(0.3, false);
    }
    assertThat(sample(0.3, false)).isEqualTo(1.3, within(1e-9));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "cpu",
        "cpu ",
        "cpu  1 2 3",
        "cpu  1 2 3 4 5 6 7 -8",
        "cpu  1 2 3 4 5 6 7 99999999999999999999999",
        "cpu  9000000000000000000 9000000000000000000 1 1 1 1 1 1",
        "cpu  0 0 0 0 0 0 0 0",
        "cpu0 1 2 3 4 5 6 7 8",
        "total=",
        "total=x\n",
        "/",
        "1 2 3 /",
        "cpu0 a b c"
      })
  void shouldTakeNothingFromTextThatIsSomethingElse(String text) {
    for (String each : new String[] {"stat", "schedstat", "pressure/cpu", "loadavg"}) {
      files.put(each, text);
    }
    sample(0, true);
    assertThat(sample(0, true)).isEqualTo(1);
    assertThat(monitor.workload()).isEqualTo(new CpuWorkload(0, 0, 0, 0));
  }

  @Test
  void shouldStayWithinItsLimitsWhateverIsRead() {
    long seed = Seeds.seed();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 5_000; i++) {
      for (String each : new String[] {"stat", "schedstat", "pressure/cpu", "loadavg"}) {
        StringBuilder text = new StringBuilder(random.nextBoolean() ? "cpu " : "some total=");
        for (int word = random.nextInt(12); word > 0; word--) {
          text.append(random.nextLong() >>> random.nextInt(64))
              .append(random.nextInt(9) > 0 ? ' ' : '/');
        }
        files.put(each, text.toString());
      }
      double late = Double.longBitsToDouble(random.nextLong());
      assertThat(sample(late, random.nextBoolean()))
          .as("seed %s %s", seed, files)
          .isBetween(1.0, 10.0);
    }
  }

  @Test
  void shouldNotCountWhatGoesBackwards() {
    stat(500, 500, 50, 50, 500);
    sample(0, false);
    stat(1, 1, 1, 1, 1);
    assertThat(sample(0, false)).isEqualTo(1);
  }

  @Test
  void shouldReadFilesOfAFolderAndTakeNothingFromAPartOfALongerOne(@TempDir Path folder)
      throws IOException {
    Files.writeString(folder.resolve("stat"), "x".repeat(SystemFiles.MAX_BYTES));
    Files.writeString(folder.resolve("schedstat"), "x".repeat(SystemFiles.MAX_BYTES + 1));
    Files.createDirectory(folder.resolve("loadavg"));
    SystemFiles files = SystemFiles.below(folder);
    assertThat(files.text("stat")).hasSize(SystemFiles.MAX_BYTES);
    assertThat(files.text("schedstat")).isEmpty();
    assertThat(files.text("loadavg")).isEmpty();
    assertThat(files.text("pressure/cpu")).isEmpty();
  }

  @Test
  void shouldCompareLatenessWithTheQuietestWindow() {
    ObservedLateness lateness = new ObservedLateness();
    assertThat(late(lateness, 100)).isZero();
    assertThat(late(lateness, 300)).isEqualTo(0.2);
    assertThat(late(lateness, 50)).isZero();
    assertThat(late(lateness, 300)).isEqualTo(0.25);
    lateness.add(1_000_000);
    assertThat(lateness.shareSinceLast(1_000)).as("too few to say").isZero();
  }

  private static double late(ObservedLateness lateness, long lateNs) {
    for (int i = 0; i < 10; i++) {
      lateness.add(lateNs);
    }
    return lateness.shareSinceLast(1_000);
  }
}
