package dev.takt.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;
import dev.takt.bench.session.EchoPeer;
import dev.takt.bench.session.MailPeer;
import dev.takt.bench.session.SwitchPeer;
import dev.takt.cli.doctor.CommandOutput;
import dev.takt.cli.doctor.Cyclictest;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The measuring code and the names that scripts rely on; the figures of such short runs mean
 * nothing.
 */
class SuiteTest {
  private final ByteArrayOutputStream progress = new ByteArrayOutputStream();
  private final SuiteRunner runner =
      new SuiteRunner(RunProfile.TINY, new PrintStream(progress, true, StandardCharsets.UTF_8));

  @Test
  void shouldMeasureTheSpace() throws Exception {
    Report report = BenchCommand.run(SpaceSuite.SUITE, runner);

    assertThat(runner.failures()).isEmpty();
    Map<String, Map<?, ?>> results = parsed(report, "space");
    assertThat(results.keySet())
        .contains("limit", "empty", "solo", "duo", "max", "pair", "transaction", "publish-consume")
        .contains("pair-events-10", "pair-events-100", "delivery-subscriptions-10")
        .contains("pair-2", "duo-one", "delivery-any-10")
        .contains("pair-keys-long", "pair-keys-long-48")
        .contains("pair-keys-string", "pair-keys-string-colliding")
        .contains("pair-open-0", "pair-open-16000", "pair-open-16000-guarded")
        .contains("waiters-10", "waiters-floor-10", "waiters-leave-10");
    assertThat(number(results.get("duo-one"), "value"))
        .as("twice what an iteration of either task takes")
        .isCloseTo(2 * number(results.get("duo"), "value"), withPercentage(1));
    for (String name : List.of("pair", "transaction")) {
      shouldCompare(results.get(name), "outrigger");
    }
    shouldCompare(results.get("publish-consume"), "disruptor");
    for (String name : List.of("pair", "pair-2", "transaction", "solo", "max", "duo", "duo-one")) {
      double limit = number(results.get("limit"), "value");
      assertThat(number(results.get(name), "limit_ratio"))
          .isCloseTo(number(results.get(name), "value") / limit, withPercentage(1));
    }
    assertThat(results.get("solo").get("paper_value")).isEqualTo(4553);
    assertThat(report.toHtml()).contains("\"kind\":\"lines\"", "\"kind\":\"bars\"");
  }

  @Test
  void shouldMeasureTheChain() throws Exception {
    Report report = BenchCommand.run(ChainSuite.SUITE, runner);

    assertThat(runner.failures()).isEmpty();
    assertThat(parsed(report, "chain").keySet()).containsExactlyInAnyOrder("chain-1", "chain-10");
  }

  @Test
  void shouldMeasureAtomicCalls() throws Exception {
    Report report = BenchCommand.run(AtomicSuite.SUITE, runner);

    assertThat(runner.failures()).isEmpty();
    Map<String, Map<?, ?>> results = parsed(report, "atomic");
    assertThat(results.keySet())
        .contains("atomic-20ms", "atomic-tight", "floor", "apply-1", "apply-1000");
    for (String name : List.of("atomic-20ms", "atomic-tight")) {
      assertThat(results.get(name).get("violations")).isEqualTo(0);
    }
    assertThat(number(results.get("atomic-tight"), "calls")).isPositive();
    assertThat(results.get("atomic-20ms").get("paper_value")).isEqualTo(144_000);
  }

  @Test
  void shouldFailWhenAMeasurementShowsAFault() {
    runner.fail("atomic-tight", "an update was lost");

    assertThat(runner.failures()).containsExactly(Map.entry("atomic-tight", "an update was lost"));
  }

  @Test
  void shouldMeasureTheMemoryOfTasks() throws Exception {
    Report report = BenchCommand.run(MemorySuite.SUITE, runner);

    assertThat(runner.failures()).isEmpty();
    for (String name :
        List.of(
            "release-empty", "store-4", "store-array", "new-pooled", "new-array", "new-lambda")) {
      shouldCompare(report.result(name).members(), "plain");
      assertThat(number(report.result(name).members(), "alloc_bytes")).as(name).isZero();
    }
    assertThat(number(report.result("new-pooled").members(), "peer_alloc_bytes"))
        .as("bytes of a plain new")
        .isPositive();
    assertThat(number(report.result("reclaim-100000").members(), "times_reclaim_1")).isPositive();
    shouldCompare(report.result("application").members(), "plain");
    assertThat(number(report.result("application").members(), "alloc_bytes")).isZero();
    assertThat(number(report.result("application").members(), "peer_alloc_bytes")).isPositive();
    for (String program : List.of("stockbuyer", "builder")) {
      for (String collector : List.of("g1", "zgc", "serial", "epsilon")) {
        assertThat(report.result(program + "-" + collector).unit()).isEqualTo("bytes");
      }
    }
  }

  @Test
  void shouldMeasurePeriodicTasksBesideGarbage() throws Exception {
    Report report = BenchCommand.run(GcSuite.SUITE, runner);

    assertThat(runner.failures()).isEmpty();
    for (String kind : List.of("g1-100us", "g1-5ms", "zgc-100us", "zgc-5ms")) {
      for (String program : List.of("takt", "plain", "realtime")) {
        assertThat(report.result(program + "-" + kind).members())
            .containsKeys("p50", "p99", "p999", "max", "late", "collections", "other_mb_s");
      }
      assertThat(report.result("takt-" + kind).get("peer")).isEqualTo("plain");
      assertThat(report.result("realtime-" + kind).members()).containsKeys("ratio_p99", "fifo");
    }
    assertThat(number(report.result("plain-g1-100us").members(), "alloc_bytes"))
        .isGreaterThan(1_000);
    assertThat(report.result("floor").get("periods")).isNotNull();
    assertThat(report.toTable().replaceAll("\\s+", " ")).contains("What a stock JVM cannot hide");
  }

  @Test
  void shouldMeasurePunctualityBesideTheFloorAndPlainJava() throws Exception {
    Report report = BenchCommand.run(PredictSuite.SUITE, runner);

    assertThat(runner.failures()).isEmpty();
    for (String name :
        List.of(
            "period-50us-50000",
            "period-50us",
            "seller-80us",
            "executor",
            "executor-fifo",
            "parknanos",
            "parknanos-fifo")) {
      assertThat(report.result(name).members())
          .as(name)
          .containsKeys("p50", "p99", "p999", "max", "late", "periods", "gap_error_p99")
          .containsKeys("alloc_bytes", "steal_ticks", "fifo_priority", "noise_rounds");
      double percent =
          100
              * number(report.result(name).members(), "late")
              / number(report.result(name).members(), "periods");
      assertThat(number(report.result(name).members(), "value")).isCloseTo(percent, within(0.01));
    }
    for (String name : List.of("period-50us-50000", "period-50us", "seller-80us")) {
      assertThat(report.result(name).members()).containsKeys("spin_percent", "pass", "not_met");
    }
    assertThat(number(report.result("period-50us").members(), "periods"))
        .as("a stall at the end counts too")
        .isGreaterThanOrEqualTo(400);
    assertThat(report.result("period-50us").get("paper_value")).isEqualTo(0.036);
    assertThat(report.result("seller-80us").get("paper_value")).isEqualTo(0.065);
    assertThat(number(report.result("seller-80us").members(), "processing_p50")).isPositive();
    String floor = Cyclictest.installed().isPresent() ? "cyclictest" : "floor";
    assertThat(report.result(floor).members()).containsKeys("p50", "p999", "late");
    assertThat(report.result("period-50us").get("peer")).isEqualTo(floor);
    for (String name :
        List.of("seen-active", "seen-passive", "aborted-active", "aborted-passive")) {
      assertThat(report.result(name).unit()).isEqualTo("ns");
      assertThat(report.result(name).members()).containsKeys("p50", "p99", "p999", "max");
    }
    assertThat(report.toHtml()).contains("Fig. 8", "Fig. 10");
  }

  @Test
  void shouldMeasureTheCpuManagerBesidePlainJavaAndTheFloor() throws Exception {
    Report report = BenchCommand.run(CpuSuite.SUITE, runner);

    assertThat(runner.failures()).isEmpty();
    for (String word : List.of("standard", "rt", "portable", "fifo", "deadline")) {
      assertThat(report.result("video-" + word).members())
          .as(word)
          .containsKeys("late_10ms_percent", "late_1ms_percent", "late", "periods", "gap_p99")
          .containsKeys("p50", "p99", "p999", "max", "granted", "user", "grabbed_percent");
      assertThat(number(report.result("video-" + word).members(), "periods"))
          .as("each due time has a delay")
          .isEqualTo(4);
      assertThat(report.result("multi-" + word).members())
          .as(word)
          .containsKeys("outside_percent", "mean", "p99", "others_missed", "granted", "user");
    }
    for (String word : List.of("portable", "fifo", "deadline")) {
      assertThat(report.result("multi-" + word).members()).containsKeys("fifth", "states");
      assertThat(report.result("multi-" + word + "-endless").members()).containsKeys("fifth");
      assertThat(report.result("video-" + word).get("paper_value")).isEqualTo(0.5);
      assertThat(report.result("multi-" + word).get("paper_value")).isEqualTo(1.8);
    }
    assertThat(report.result("video-rt").get("paper_value")).isEqualTo(32.0);
    assertThat(report.result("multi-rt").get("paper_value")).isEqualTo(15.2);
    for (String name : List.of("analysis-1000", "admission-100")) {
      assertThat(report.result(name).unit()).isEqualTo("ms");
      assertThat(report.result(name).members()).containsKeys("cold_ns", "p99", "pass");
    }
    assertThat(report.result("supervision").unit()).isEqualTo("ns");
    for (String name : List.of("manager", "manager-top")) {
      assertThat(report.result(name).get("tasks")).isEqualTo(100);
    }
    assertThat(report.result("manager-top").members()).containsKey("top_looks");
    assertThat(report.result("supervision-top").unit()).isEqualTo("ns");
    for (String name : List.of("runaway", "runaway-portable")) {
      assertThat(report.result(name).unit()).isEqualTo("ms");
      assertThat(report.result(name).members())
          .containsKeys(
              "dropped_within_ms",
              "p50",
              "max",
              "others_missed",
              "runs",
              "control_missed",
              "busy_missed");
    }
    for (String name : List.of("flood", "flood-above")) {
      assertThat(report.result(name).members()).containsKeys("quiet_misses", "events_per_second");
    }
    assertThat(report.toHtml())
        .contains("Fig. 3", "Fig. 4", "Fig. 5", "Fig. 6", "Fig. 7", "Fig. 8", "Fig. 9");
  }

  @Test
  void shouldMeasurePersistenceBesideItsPeers() throws Exception {
    Report report = BenchCommand.run(PersistSuite.SUITE, runner);

    assertThat(runner.failures()).isEmpty();
    for (String graph : List.of("tree-10", "tree-100", "array-10", "array-100")) {
      shouldCompare(report.result(graph).members(), "fory");
      assertThat(report.result(graph).members()).containsKeys("bytes", "peer_bytes", "load_ns");
      for (String peer : List.of("marking", "java", "kryo", "fory", "fory-safe", "eclipsestore")) {
        assertThat(number(report.result(graph + "-" + peer).members(), "value")).isPositive();
      }
    }
    for (String name : List.of("stw", "preemptible", "three-threads")) {
      for (String scheme : List.of("", "-marking")) {
        assertThat(report.result(name + scheme).members())
            .containsKeys("max_pause_us", "increments", "barrier_calls", "barrier_saves")
            .containsKeys("extra_objects", "application_us");
        assertThat(number(report.result(name + scheme).members(), "objects"))
            .as("51 nodes, 1,275 connections, and the task")
            .isEqualTo(1_327);
      }
    }
    assertThat(report.result("preemptible").get("paper_value")).isEqualTo(5_632);
    assertThat(report.result("preemptible").get("peer")).isEqualTo("stw");
    for (String name : List.of("none", "takt", "fory", "eclipsestore")) {
      assertThat(report.result("task-1khz-" + name).members())
          .containsKeys("p50", "p999", "max", "gap_p999_ns", "stores");
    }
    assertThat(report.result("barrier-idle").unit()).isEqualTo("%");
    assertThat(report.result("barrier-idle-plain").members())
        .containsKeys("update_ns", "plain_ns", "gate_ns");
    for (String name : List.of("increment-500us", "increment-50us")) {
      assertThat(report.result(name).members())
          .containsKeys("p50", "p99", "p999", "max", "over_target", "floor_p999_ns", "objects");
    }
    assertThat(report.result("three-threads").get("paper_extra_objects")).isEqualTo(351);
    for (String name : List.of("recover-lazy", "recover-eager-fory", "recover-eager")) {
      assertThat(report.result(name).members()).containsKeys("value", "first_ms", "objects");
    }
    assertThat(report.result("recover-lazy").members())
        .containsKeys("first_max_ms", "first_jvms", "fory_first_ms", "fory_first_max_ms");
    shouldCompare(report.result("recover-eager").members(), "fory");
    for (String name : List.of("none", "never", "interval", "every")) {
      assertThat(report.result("journal-" + name).members())
          .containsKeys("value", "p50", "p99", "max", "refused");
    }
    assertThat(report.result("journal-every").get("peer")).isEqualTo("journal-none");
    assertThat(report.toHtml()).contains("Fig. 3", "Fig. 4", "Fig. 5", "Fig. 6", "1 kHz");
  }

  @Test
  void shouldMeasureAHostFromOutside() throws Exception {
    Report report = BenchCommand.run(HostSuite.SUITE, runner);

    assertThat(runner.failures()).isEmpty();
    Map<String, Result> results = new TreeMap<>();
    report.results().forEach(each -> results.put(each.name(), each));
    assertThat(results.keySet())
        .contains("rtt-shm", "rtt-aeron-ipc", "rtt-aeron-udp", "rtt-socket", "rtt-pipe")
        .contains("rtt-shm-wake", "futex", "oneway-shm")
        .contains("throughput-shm-1", "throughput-shm-2", "clients-1", "clients-2")
        .contains("host-alone", "host-g1", "host-zgc", "host-parallel")
        .contains("inside-g1", "inside-zgc", "inside-parallel", "plain-g1", "floor", "floor-g1")
        .contains("task-1khz-quiet", "task-1khz-hostile", "task-1khz-hostile-shm")
        .contains("floor-1khz-quiet", "floor-1khz-hostile");
    assertThat(results.get("rtt-shm").members())
        .containsKeys("write_p50_ns", "take_p50_ns", "times_aeron_udp")
        .containsKeys("client_bytes", "host_bytes");
    shouldCompare(results.get("rtt-shm").members(), "rtt-aeron-ipc");
    shouldCompare(results.get("rtt-shm-wake").members(), "futex");
    shouldCompare(results.get("inside-zgc").members(), "host-alone");
    shouldCompare(results.get("task-1khz-hostile").members(), "task-1khz-quiet");
    for (String name : List.of("host-alone", "host-g1", "inside-parallel", "plain-g1", "floor")) {
      Map<?, ?> beside = results.get(name).members();
      assertThat(number(beside, "periods")).as(name).isPositive();
      assertThat(number(beside, "collections")).as(name).isNotNegative();
      assertThat(number(beside, "other_mb_s") > 0)
          .as(name)
          .isEqualTo(!name.equals("host-alone") && !name.equals("floor"));
    }
    for (Result each : results.values()) {
      assertThat(number(each.members(), "value")).as(each.name()).isPositive();
      assertThat(each.members()).as(each.name()).containsKeys("p50", "p99", "p999", "max");
    }
    assertThat(report.toTable().replaceAll("\\s+", " "))
        .contains("two requests with their answers");
  }

  @Test
  void shouldMeasureSessionsBesideTheirPeers() throws Exception {
    Report report = BenchCommand.run(SessionSuite.SUITE, runner);

    assertThat(runner.failures()).isEmpty();
    for (MailPeer each : MailPeer.values()) {
      for (String delay : List.of("", "-1ms")) {
        Result mail = report.result("mail-" + each.word() + delay);
        assertThat(mail.unit()).isEqualTo("ms");
        assertThat(number(mail.members(), "value")).as(mail.name()).isPositive();
      }
      assertThat(number(report.result("mail-" + each.word() + "-1ms").members(), "times_delay"))
          .as("nobody is faster than the delays of a transaction")
          .isGreaterThanOrEqualTo(1);
    }
    shouldCompare(report.result("mail-session").members(), "mail-sync");
    assertThat(report.result("mail-session").members())
        .containsKeys("times_sync", "times_sync_called", "called_n1_ms", "n1_ms");
    for (SwitchPeer each : SwitchPeer.values()) {
      assertThat(report.result("suspend-resume" + each.suffix()).members())
          .containsKeys("p99", "p999", "max", "batch");
    }
    for (String name : List.of("suspend-resume", "suspend-resume-raw")) {
      shouldCompare(report.result(name).members(), "javaflow");
      for (int depth : List.of(1, 10, 30)) {
        Map<?, ?> deep = report.result(name + "-depth-" + depth).members();
        shouldCompare(deep, "suspend-resume-javaflow-depth-" + depth);
        assertThat(number(deep, "returning")).as("%s", deep).isPositive();
      }
    }
    assertThat(report.result("bytes-suspended").members())
        .containsKeys("value", "limit", "stack_bytes", "bare_bytes");
    Map<?, ?> waiting = report.result("waiting-100").members();
    assertThat(waiting.get("delivered")).isEqualTo(100);
    assertThat(waiting.get("doubled")).isEqualTo(0);
    for (int connections : List.of(1, 10)) {
      for (EchoPeer each : EchoPeer.values()) {
        Result echo = report.result("echo-" + connections + each.suffix());
        assertThat(echo.unit()).isEqualTo("requests/s");
        assertThat(echo.members()).containsKeys("p50", "p99", "p999", "server_cpu_ns");
        assertThat(number(echo.members(), "turn_p99_ns")).isPositive();
        assertThat(echo.get("connections")).isEqualTo(connections);
        assertThat(echo.get("turns")).isEqualTo(connections == 1 ? 1 : 3);
      }
      Result echo = report.result("echo-" + connections);
      assertThat(echo.get("peer")).isEqualTo("echo-" + connections + "-netty");
      assertThat(number(echo.members(), "turn_ratio")).isPositive();
      assertThat(number(echo.members(), "turn_times_peer_p99")).isPositive();
    }
    assertThat(report.result("overload").members())
        .containsKeys("target", "shed_per_s", "heap_after_bytes", "task_misses_alone");
    for (String beside : besideTasks()) {
      Result task = report.result("task-1khz-" + beside);
      assertThat(task.members()).as(beside).containsKeys("p999", "misses", "granted");
      assertThat(number(task.members(), "releases")).as(beside).isPositive();
      if (CommandOutput.of(List.of("sh", "-c", "command -v cc"), 10_000_000_000L).isGood()) {
        shouldCompare(task.members(), "floor");
        assertThat(task.members()).as(beside).containsKey("floor_misses");
        assertThat(report.toHtml()).contains(task.name() + ", floor");
      }
    }
    assertThat(number(report.result("task-1khz-10").members(), "times_alone")).isPositive();
    assertThat(number(report.result("task-1khz-10").members(), "turn_times_alone")).isPositive();
    assertThat(number(report.result("task-1khz-10").members(), "lines")).isPositive();
    assertThat(report.toHtml()).contains("1 kHz");
  }

  /** What the tasks of 1 kHz run beside. */
  private static List<String> besideTasks() {
    List<String> names = new ArrayList<>(List.of("0", "10"));
    for (MailPeer each : MailPeer.values()) {
      names.add("mail-" + each.word());
    }
    for (EchoPeer each : SessionSuite.BESIDE) {
      names.add("echo-10" + each.suffix());
    }
    return names;
  }

  @Test
  void shouldMeasureEverythingThatTheContractNames() {
    for (RunProfile profile : List.of(RunProfile.QUICK, RunProfile.FULL)) {
      assertThat(profile.sizes().events())
          .containsExactly(10, 100, 1_000, 10_000, 100_000, 1_000_000);
      assertThat(profile.sizes().subscriptions()).containsExactly(10, 100, 1_000, 10_000, 100_000);
      assertThat(profile.sizes().chain()).containsExactly(1, 10, 100, 1_000, 2_000, 5_000, 10_000);
      assertThat(profile.taskIterations()).isEqualTo(1_000_000);
      RunProfile.Predict predict = profile.predict();
      assertThat(predict.block() * predict.paperBlocks()).isEqualTo(50_000);
    }
    RunProfile.Cpu cpu = RunProfile.FULL.cpu();
    assertThat(cpu.multiBlocks() * cpu.iterations()).isEqualTo(1_000);
    assertThat(cpu.multiBlocks()).as("one to demote, one to drop").isGreaterThan(1);
    assertThat(RunProfile.FULL.persist().sizes())
        .contains(5_000, 10_000, 15_000, 20_000, 25_000, 1_000_000);
    assertThat(RunProfile.FULL.persist().rounds()).isEqualTo(40);
    RunProfile.Predict full = RunProfile.FULL.predict();
    assertThat(full.block() * full.longBlocks()).isEqualTo(1_000_000);
    assertThat(full.block() * full.sellerBlocks()).isEqualTo(100_000);
  }

  @Test
  void shouldGoOnAfterAFailure() throws InterruptedException {
    assertThat(runner.child("broken", new Broken())).isEmpty();
    assertThat(runner.child("whole", new Whole())).isPresent();

    assertThat(runner.failures()).containsOnlyKeys("broken");
    assertThat(runner.failures().get("broken")).contains("on purpose");
    assertThat(progress.toString(StandardCharsets.UTF_8)).contains("failed");
  }

  @Test
  void shouldTellWhatAMeasuringJvmSaid() throws Exception {
    SuiteRunner forked =
        new SuiteRunner(RunProfile.QUICK, new PrintStream(progress, true, StandardCharsets.UTF_8));

    assertThat(forked.child("broken", new Broken())).isEmpty();
    assertThat(forked.child("whole", new Whole()).orElseThrow().p50()).isEqualTo(10);

    assertThat(forked.failures().get("broken")).contains("exited with 1", "on purpose");
  }

  /** Measures something that fails and something that does not. */
  private final Suite half =
      new Suite(
          "half",
          "Half",
          (runner, report) -> {
            runner
                .child("whole", new Whole())
                .ifPresent(each -> report.add("whole", "ns", each.p50()));
            if (!runner.isPlan() && cancelAfterFirst()) {
              runner.cancel();
            }
            runner.child("broken", new Broken());
          });

  private boolean cancelAfterFirst;

  private boolean cancelAfterFirst() {
    return cancelAfterFirst;
  }

  @Test
  void shouldKeepWhatFailedInTheReports() throws Exception {
    Report report = BenchCommand.run(half, runner);

    Map<String, Object> json = JSON.std.mapFrom(report.toJson());
    assertThat((List<?>) json.get("failed")).singleElement().asString().contains("broken");
    assertThat(json.get("interrupted")).isEqualTo(false);
    assertThat(report.toHtml()).contains("<tr class=\"failed\"><td>broken</td>");
    assertThat(report.toTable()).contains("broken: FAILED");
    assertThat(progress.toString(StandardCharsets.UTF_8)).contains("1 of 2 ", "2 of 2, ");
  }

  @Test
  void shouldKeepWhatWasMeasuredWhenItIsInterrupted() throws Exception {
    cancelAfterFirst = true;

    Report report = BenchCommand.run(half, runner);

    Map<String, Object> json = JSON.std.mapFrom(report.toJson());
    assertThat(json.get("interrupted")).isEqualTo(true);
    assertThat((List<?>) json.get("results")).hasSize(1);
    assertThat((List<?>) json.get("failed")).isEmpty();
    assertThat(report.toTable()).contains("interrupted");
  }

  private static Map<String, Map<?, ?>> parsed(Report report, String suite) throws IOException {
    Map<String, Object> json = JSON.std.mapFrom(report.toJson());
    assertThat(json.get("suite")).isEqualTo(suite);
    Map<String, Map<?, ?>> results = new TreeMap<>();
    for (Object each : (List<?>) json.get("results")) {
      Map<?, ?> result = (Map<?, ?>) each;
      assertThat(result.get("unit")).isEqualTo("ns");
      assertThat(number(result, "value")).as("%s", result).isFinite().isPositive();
      assertThat(number(result, "alloc_bytes")).as("%s", result).isFinite().isNotNegative();
      results.put((String) result.get("name"), result);
    }
    return results;
  }

  private static void shouldCompare(Map<?, ?> result, String peer) {
    assertThat(result.get("peer")).isEqualTo(peer);
    assertThat(number(result, "ratio"))
        .isCloseTo(number(result, "peer_value") / number(result, "value"), withPercentage(1));
  }

  private static double number(Map<?, ?> result, String member) {
    return ((Number) result.get(member)).doubleValue();
  }

  /** Fails. */
  public record Broken() implements ChildRun.Body<Measurement> {
    @Override
    public Measurement run() {
      throw new IllegalStateException("on purpose");
    }
  }

  /** Gives a figure. */
  public record Whole() implements ChildRun.Body<Measurement> {
    @Override
    public Measurement run() {
      System.out.println("what a measuring JVM prints is not what it has found");
      return Measurement.of(new long[] {0, 10}, 1, 0);
    }
  }
}
