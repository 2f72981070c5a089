package dev.takt.bench.session;

import static dev.takt.bench.session.EchoPeer.NETTY;
import static dev.takt.bench.session.EchoPeer.SESSION;
import static dev.takt.bench.session.EchoPeer.THREADS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.takt.bench.measure.Helper;
import dev.takt.bench.measure.Measurement;
import dev.takt.cli.report.Machine;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Echo servers take turns, and what counts of these. */
@Timeout(60)
class EchoRunTest {
  private static final EchoRun THREE = new EchoRun(2, 3, 70, 40, List.of(), false);

  private final List<String> steps = new ArrayList<>();

  /** A process of a server that only says what it is told, until it fails. */
  private record Told(EchoPeer peer, List<String> steps, int failingTurn)
      implements Helper.Role, Helper.Running {
    @Override
    public Helper.Running open() {
      return this;
    }

    @Override
    public Object ask(String command) throws IOException {
      steps.add(peer + " " + command);
      if (steps.stream().filter(each -> each.startsWith(peer + " ")).count() == failingTurn) {
        throw new IOException("no more turns");
      }
      return turn(1, 1);
    }

    @Override
    public void close() {
      steps.add("close " + peer);
    }
  }

  private Helper told(EchoPeer peer, int failingTurn) throws Exception {
    return Helper.start(false, List.of(), new Told(peer, steps, failingTurn));
  }

  /** A turn of a second with so many requests, each of as many nanoseconds. */
  private static EchoRole.Turn turn(int requests, long ns) {
    Histogram all = Measurement.histogram();
    all.recordValueWithCount(ns, requests);
    EchoLoad.Found load = new EchoLoad.Found(all, 1_000_000_000, 2L * requests);
    return new EchoRole.Turn(load, 2, 100L * requests);
  }

  private static EchoRun.Turns turns(EchoRole.Turn... all) {
    return new EchoRun.Turns(Arrays.asList(all));
  }

  @Test
  void shouldLetAnotherServerBeginEachRound() throws Exception {
    EchoRun.Found found = THREE.measure(peer -> told(peer, 0));

    assertThat(steps)
        .containsExactly(
            "NETTY turn 70 40",
            "THREADS turn 70 40",
            "VIRTUAL turn 70 40",
            "SESSION turn 70 40",
            "TIMED turn 70 40",
            "THREADS turn 20 40",
            "VIRTUAL turn 20 40",
            "SESSION turn 20 40",
            "TIMED turn 20 40",
            "NETTY turn 20 40",
            "VIRTUAL turn 20 40",
            "SESSION turn 20 40",
            "TIMED turn 20 40",
            "NETTY turn 20 40",
            "THREADS turn 20 40",
            "close NETTY",
            "close THREADS",
            "close VIRTUAL",
            "close SESSION",
            "close TIMED");
    assertThat(found.failures()).isEmpty();
    assertThat(found.turns()).containsOnlyKeys(EchoPeer.values());
    assertThat(found.turns().values()).allMatch(each -> each.all().size() == 3);
  }

  @Test
  void shouldMeasureTheOthersWhenOneFails() throws Exception {
    EchoRun.Found found = THREE.measure(peer -> told(peer, peer == THREADS ? 2 : 0));

    assertThat(found.failures())
        .containsExactly(Map.entry(THREADS, "java.io.IOException: no more turns"));
    assertThat(found.turns()).hasSize(4).doesNotContainKey(THREADS);
    assertThat(steps).filteredOn(each -> each.startsWith("THREADS")).hasSize(2);
    assertThat(steps).contains("close THREADS");
  }

  @Test
  void shouldRefuseTurnsWithoutAMedianOne() {
    assertThatThrownBy(() -> new EchoRun(1, 2, 0, 1, List.of(), false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("turns=2 (expected: an odd number above 0)");
  }

  @Test
  void shouldServeSeveralTurnsInAProcessOfItsOwn() throws Exception {
    try (Helper server = Helper.start(true, List.of("-Xmx64m"), new EchoRole(SESSION, 2, true))) {
      for (int turn = 0; turn < 2; turn++) {
        EchoRole.Turn found = server.ask("turn 1 1", EchoRole.Turn.class);

        assertThat(found.connections()).isEqualTo(2);
        assertThat(found.requestsPerS()).isPositive();
        assertThat(found.load().answers())
            .isGreaterThanOrEqualTo(found.load().ns().getTotalCount());
        assertThat(found.cpuNs()).as("in ticks").isNotNegative();
      }
    }
  }

  @Test
  void shouldCompareTheServersRoundByRound() {
    // a machine that is twice as fast in the last round, and a stall of one server in the second
    EchoRun.Turns netty = turns(turn(100, 10), turn(110, 12), turn(200, 5));
    EchoRun.Turns session = turns(turn(120, 20), turn(50, 90), turn(220, 8));
    Map<EchoPeer, EchoRun.Turns> found = Map.of(NETTY, netty, SESSION, session);
    Report report = new Report("session", "Sessions", Machine.detect());

    new SessionReport(report).add(THREE, new EchoRun.Found(new EnumMap<>(found), Map.of()));

    Result result = report.result("echo-2");
    assertThat(result.value()).as("the median turn").isEqualTo(120.0);
    assertThat(result.get("turn_p99_ns")).isEqualTo(20L);
    assertThat(result.get("p50")).as("of all turns").isEqualTo(8L);
    assertThat(result.get("max")).isEqualTo(90L);
    assertThat(result.get("peer_value")).isEqualTo(110.0);
    assertThat((double) result.get("ratio")).isCloseTo(120.0 / 110, within(0.001));
    assertThat((double) result.get("turn_ratio")).as("1.2, 0.45, 1.1").isEqualTo(1.1);
    assertThat((double) result.get("turn_times_peer_p99")).isCloseTo(20.0 / 12, within(0.001));
    assertThat((double) result.get("server_cpu_ns")).as("of all answers").isEqualTo(50);
    assertThat(report.result("echo-2-netty").members()).doesNotContainKeys("ratio", "turn_ratio");
  }
}
