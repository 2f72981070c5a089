package dev.takt.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.takt.realtime.OperatingSystems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeMeasurementTest {
  private static final long SHORT_NS = 20_000_000;

  @TempDir private Path folder;

  @Test
  void shouldMeasureEachWayIdleAndUnderLoad() {
    List<String> progress = new ArrayList<>();
    int fifoPriority = GrantProbe.fifoPriority(OperatingSystems.current());

    List<TimeMeasurement> measurements =
        new MeasurementRun(
                OperatingSystems.current(),
                fifoPriority,
                Optional.empty(),
                10 * SHORT_NS,
                progress::add)
            .run();

    assertThat(measurements)
        .extracting(TimeMeasurement::name)
        .contains("lateness-park-idle", "lateness-sleeper-load", "handover-park-load")
        .contains("handover-sleeper-idle", "gaps-idle", "gaps-load")
        .hasSize(fifoPriority > 0 ? 14 : 10);
    assertThat(measurements).allSatisfy(each -> assertThat(each.ns().getTotalCount()).isPositive());
    assertThat(progress).hasSize(measurements.size() + 1).first().isEqualTo("warming up");
  }

  @Test
  void shouldEndItsThreads() {
    new MeasurementRun(OperatingSystems.current(), 0, Optional.empty(), SHORT_NS, next -> {}).run();

    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.startsWith("doctor-"));
  }

  @Test
  void shouldReadTheHistogramOfCyclictest() throws IOException {
    SortedMap<Long, Long> wakeUps =
        Cyclictest.parse(
            """
            WARN: not setting cpu_dma_latency from cyclictest
            # /dev/cpu_dma_latency set to 0us
            # Histogram
            000008 000000
            000009 000900
            000020 000099
            # Total: 000000999
            # Min Latencies: 00009
            # Avg Latencies: 00010
            # Max Latencies: 25000
            # Histogram Overflows: 00001
            # Histogram Overflow at cycle number:
            # Thread 0: 00188
            """);

    assertThat(wakeUps)
        .containsExactly(entry(9_000L, 900L), entry(20_000L, 99L), entry(25_000_000L, 1L));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Unable to change scheduling policy!\n",
        "-5 7\n3 -1\nx y\n1 2 3\n99999999999999999999 1\n"
      })
  void shouldSayWhenCyclictestHasMeasuredNothing(String output) {
    assertThatThrownBy(() -> Cyclictest.parse(output))
        .isInstanceOf(IOException.class)
        .hasMessage("cyclictest printed no histogram: " + output.strip());
  }

  @Test
  void shouldRunCyclictestOnlyWhereItIs() throws IOException {
    Path tools = Files.createDirectory(folder.resolve("tools"));
    assertThat(Cyclictest.find(tools + "::relative:\0")).isEmpty();

    program(tools, "echo 000007 000003");
    Optional<Histogram> measured =
        Cyclictest.find("/none:" + tools).orElseThrow().measure(SHORT_NS, 1);
    assertThat(measured.orElseThrow().getTotalCount()).isEqualTo(3);

    program(tools, "echo 000007 000003; exit 1");
    assertThat(Cyclictest.find(tools.toString()).orElseThrow().measure(SHORT_NS, 1)).isEmpty();
  }

  @Test
  void shouldAskCyclictestForTheSamePeriodAndPriority() throws IOException {
    Path tools = Files.createDirectory(folder.resolve("tools"));
    program(tools, "echo \"$*\" >" + folder + "/arguments; echo 1 1");

    Cyclictest.find(tools.toString()).orElseThrow().measure(1_000_000_000, 37);

    assertThat(folder.resolve("arguments"))
        .hasContent("-q -p 37 -i 500 -l 2000 -h 200000 --default-system");
  }

  @Test
  void shouldDoWithAnOldCyclictest() throws IOException {
    Path tools = Files.createDirectory(folder.resolve("tools"));
    program(tools, "case $* in *default*) exit 1 ;; esac; echo 7 3");

    assertThat(Cyclictest.find(tools.toString()).orElseThrow().measure(SHORT_NS, 1)).isPresent();
  }

  private static void program(Path tools, String script) throws IOException {
    Path program = tools.resolve("cyclictest");
    Files.writeString(program, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void shouldJudgeTheBestWayThatWasGranted() {
    List<TimeMeasurement> measurements =
        List.of(
            measurement("lateness-park-idle", 9_000_000),
            measurement("lateness-sleeper-idle", 9_000_000),
            measurement("lateness-fifo-idle", 20_000),
            measurement("cyclictest-idle", 15_000),
            measurement("lateness-park-load", 20_000),
            measurement("lateness-sleeper-load", Thresholds.HIDDEN_NS * 2),
            measurement("handover-park-idle", 20_000),
            measurement("handover-park-load", Thresholds.HIDDEN_NS * 2),
            measurement("gaps-idle", 1_000),
            measurement("gaps-load", Thresholds.LONG_GAP_NS * 2));

    List<DoctorFinding> findings = new Thresholds(measurements).findings();

    assertThat(findings)
        .extracting(each -> each.probe() + ": " + each.verdict())
        .containsExactly(
            "lateness, idle: GOOD",
            "hand-over, idle: GOOD",
            "gaps, idle: GOOD",
            "lateness, load: BAD",
            "hand-over, load: BAD",
            "gaps, load: BAD");
    assertThat(findings.getFirst().found())
        .isEqualTo("p50 20 us, p99 20 us, max 20 us; cyclictest p99 15 us");
  }

  @Test
  void shouldBeBadWhenFewAreLateButVeryLate() {
    TimeMeasurement late = measurement("lateness-fifo-load", 20_000);
    for (int i = 0; i < 1_000; i++) {
      TimeMeasurement.record(late.ns(), 20_000);
    }
    TimeMeasurement.record(late.ns(), 17_000_000);

    assertThat(new Thresholds(List.of(late)).findings())
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.isBad()).isTrue();
              assertThat(each.meaning()).startsWith("now and then a release begins more than 1 ms");
            });
  }

  @Test
  void shouldBlameTheMachineForWhatCyclictestSuffersToo() {
    TimeMeasurement late = measurement("lateness-fifo-load", Thresholds.HIDDEN_NS * 2);

    assertThat(new Thresholds(List.of(late, measurement("cyclictest-load", 9_000))).findings())
        .singleElement()
        .satisfies(each -> assertThat(each.mend()).startsWith("the JVM's share"));
    assertThat(
            new Thresholds(List.of(late, measurement("cyclictest-load", Thresholds.HIDDEN_NS * 2)))
                .findings())
        .singleElement()
        .satisfies(each -> assertThat(each.mend()).startsWith("the machine's share"));
  }

  @Test
  void shouldFindNothingInNothing() {
    assertThat(new Thresholds(List.of()).findings()).isEmpty();
  }

  private static TimeMeasurement measurement(String name, long ns) {
    Histogram histogram = TimeMeasurement.emptyHistogram();
    TimeMeasurement.record(histogram, ns);
    return new TimeMeasurement(name, name, histogram);
  }

  @Test
  void shouldRecordWhatIsOutOfRangeAtItsEnds() {
    Histogram histogram = TimeMeasurement.emptyHistogram();

    TimeMeasurement.record(histogram, -5);
    TimeMeasurement.record(histogram, Long.MAX_VALUE);

    assertThat(histogram.getTotalCount()).isEqualTo(2);
  }

  @Test
  void shouldTellTheShareThatTheHostTook() {
    CpuTimes before = new CpuTimes(1_000, 10);

    assertThat(Thresholds.steal(before, new CpuTimes(2_000, 10)).isBad()).isFalse();
    assertThat(Thresholds.steal(before, before).isBad()).as("no time passed").isFalse();
    assertThat(Thresholds.steal(before, new CpuTimes(2_000, 15)).found()).startsWith("0.500 %");
    assertThat(Thresholds.steal(before, new CpuTimes(2_000, 15)).isBad()).isTrue();
  }

  @Test
  void shouldJudgeACoarseClock() {
    assertThat(Thresholds.clock(new ClockMeter(10, 22.5)).isBad()).isFalse();
    assertThat(Thresholds.clock(new ClockMeter(15_000_000, 22.5)).isBad()).isTrue();
    assertThat(ClockMeter.measure().stepNs()).isPositive();
  }
}
