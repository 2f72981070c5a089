package dev.takt.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cli.CommandLines;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** Each sample prints what its Javadoc says. */
@Timeout(60)
class SamplesTest {
  @FunctionalInterface
  private interface Sample {
    void main(String[] args) throws Exception;
  }

  @Test
  void shouldWriteAndTake() throws Exception {
    assertThat(linesOf(Sample01WriteAndTake::main))
        .containsExactly("took 12.5", "took 13.0", "took nothing");
  }

  @Test
  void shouldMatchTemplates() throws Exception {
    assertThat(linesOf(Sample02Templates::main))
        .containsExactly(
            "stock=AAPL value=3    true",
            "stock=*    value=3    true",
            "stock=AAPL            true",
            "stock=AAPL value=4    false",
            "price=*               false",
            "nothing               true");
  }

  @Test
  void shouldLeaveNoTraceOfAnAbortedTransaction() throws Exception {
    assertThat(linesOf(Sample03Transaction::main))
        .containsExactly("transfer of 60: true   a=40 b=60", "transfer of 60: false  a=40 b=60");
  }

  @Test
  void shouldNotifySubscriber() throws Exception {
    assertThat(linesOf(Sample04Subscription::main))
        .containsExactly("notices: 3", "offer 10", "offer 11", "offer 12");
  }

  @Test
  void shouldReleaseActiveTaskByTime() throws Exception {
    assertThat(linesOf(Sample05ActiveTask::main))
        .containsExactly("tick 1", "tick 2", "tick 3", "tick 4", "tick 5", "conflicts: 0");
  }

  @Test
  void shouldReleasePassiveTaskByEvents() throws Exception {
    assertThat(linesOf(Sample06PassiveTask::main))
        .containsExactly("1 squared is 1", "2 squared is 4", "3 squared is 9");
  }

  @Test
  void shouldBuyAtHalfTheHighestPrice() throws Exception {
    assertThat(linesOf(Sample07StockBuyer::main))
        .containsExactly("bought at 50.0", "bought at 40.0");
  }

  @Test
  void shouldNumberParcelsWithoutGapsWhenReleasesAbort() throws Exception {
    assertThat(linesOf(Sample08Memory::main))
        .containsExactly("too light", "parcel 1: 3 + 5 + 4 = 12 kg", "parcel 2: 7 + 6 = 13 kg");
  }

  @Test
  void shouldLoseAndTearNoAtomicCall() throws Exception {
    assertThat(linesOf(Sample09AtomicMethods::main))
        .containsExactly("limits: 1000 to 1010", "seen torn: 0");
  }

  /** What is granted depends on who runs the test; that it is told and works does not. */
  @Test
  void shouldAskForRealtimeSchedulingAndRunWhateverIsGranted() throws Exception {
    List<String> lines = List.of(linesOf(Sample11RealtimeScheduling::main));

    assertThat(lines.getFirst()).isEqualTo("steering asks for FIFO 40");
    assertThat(lines.get(1)).isIn("steering runs as FIFO 40", "steering runs as OTHER");
    boolean granted = lines.get(1).endsWith("FIFO 40");
    assertThat(lines.stream().anyMatch(line -> line.startsWith("not granted: policy")))
        .isEqualTo(!granted);
    assertThat(lines)
        .anyMatch(
            line -> line.startsWith("FIFO 40 granted on " + (granted ? 1 : 0) + " of 1 thread"));
    assertThat(lines.getLast()).isEqualTo("steered: true");
  }

  @Test
  void shouldGiveMemoryBackAfterEachRelease() throws Exception {
    assertThat(linesOf(Sample14MemoryAreas::main))
        .containsExactly(
            "release 1: mean 2.0, 96 of 256 bytes used",
            "release 2: mean 12.0, 96 of 256 bytes used",
            "after it: 0 bytes used",
            "too much: area readings is exhausted",
            "kept view: refused");
  }

  @Test
  void shouldReleaseThreadsByTimeAndByArrivals() throws Exception {
    assertThat(linesOf(Sample12RealtimeThread::main))
        .containsExactly("control: 100 releases", "alarm: 1 release, 9 rings ignored");
  }

  @Test
  void shouldRunHandlersWhenTimersFireAndBindASignal() throws Exception {
    assertThat(linesOf(Sample13EventsAndTimers::main))
        .containsExactly("ticks: 3, alarms: 1", "a signal would raise the alarm, too: true");
  }

  @Test
  void shouldSayWhichRulesATaskBreaks() throws Exception {
    assertThat(linesOf(Sample10WhatTheCheckerSays::main))
        .contains("R8 at Hoarder.all", "R5 at Hoarder.execute()")
        .anySatisfy(line -> assertThat(line).contains("java.util.List"))
        .anySatisfy(line -> assertThat(line).startsWith("  do: "));
  }

  @Test
  void shouldListEachSampleByItsNumber() throws Exception {
    Path folder =
        Path.of(SampleCommand.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .resolve("dev/takt/samples");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .filteredOn(name -> name.matches("Sample\\d+\\w+\\.class"))
          .containsExactlyInAnyOrderElementsOf(
              SampleCommand.ALL.stream().map(each -> each.split(" ")[0] + ".class").toList());
    }
    for (int i = 0; i < SampleCommand.ALL.size(); i++) {
      assertThat(SampleCommand.ALL.get(i)).startsWith("Sample%02d".formatted(i + 1));
    }
  }

  @Test
  void shouldAdmitWhatFitsAndEndWhatRunsAway() throws Exception {
    assertThat(linesOf(Sample15CpuManager::main))
        .containsExactly(
            "control: ADMITTED",
            "greedy: REJECTED",
            "runaway: DROPPED",
            "control has gone on: true");
  }

  @Test
  void shouldKeepTheStateOfAPlainProgram() throws Exception {
    assertThat(linesOf(Sample16PlainProgram::main))
        .containsExactly(
            "cold start, sales: 0",
            "warm start, the sum fits: true",
            "warm start, the sum fits: true");
  }

  @Test
  void shouldKeepATaskThatAgreesWithTheEvents() throws Exception {
    assertThat(linesOf(Sample17KeptTask::main))
        .containsExactly(
            "cold start, counted: 0",
            "warm start, counted + waiting = ordered: true",
            "warm start, counted + waiting = ordered: true");
  }

  @Test
  void shouldServeManyConnectionsByPlainBlockingCode() throws Exception {
    assertThat(linesOf(Sample18Sessions::main))
        .containsExactly(
            "200 clients wait",
            "stock-0 costs 100",
            "stock-199 costs 299",
            "each has its price: true",
            "the last one was cancelled: true");
  }

  @Test
  void shouldRefuseWhatIsTooMuchForAStageAndLoseNothingOfTheRest() throws Exception {
    assertThat(linesOf(Sample19Stages::main))
        .containsExactly(
            "order 2: ACCEPTED",
            "order 3: ACCEPTED",
            "order 4: ACCEPTED",
            "order 5: ACCEPTED",
            "order 6: FULL",
            "order 7: FULL",
            "stored: [order 1, order 2, order 3, order 4, order 5], left: {}",
            "check: 5 accepted, 2 full, 5 handled",
            "store: 5 accepted, 0 full, 5 handled",
            "too much for its target: shed");
  }

  @Test
  void shouldUseTasksInAnotherProcess() throws Exception {
    assertThat(linesOf(Sample20HostProcess::main))
        .containsExactly(
            "the account is in another process: true",
            "deposited 40, balance 40",
            "deposited 2, balance 42",
            "taken and written in one transaction: true",
            "receipts: 1");
  }

  @Test
  void shouldRunSampleByNumberAndRefuseOneThatIsNotThere() throws Exception {
    StringWriter text = new StringWriter();
    CommandLine command =
        CommandLines.of(new SampleCommand())
            .setOut(new PrintWriter(text))
            .setErr(new PrintWriter(text));
    assertThat(linesOf(_ -> assertThat(command.execute("1")).isZero()))
        .containsExactly("took 12.5", "took 13.0", "took nothing");
    assertThat(command.execute()).isZero();
    assertThat(text.toString()).contains(" 1  write puts", "15  a CPU manager");
    int all = SampleCommand.ALL.size();
    assertThat(command.execute(Integer.toString(all + 1))).isEqualTo(2);
    assertThat(text.toString())
        .contains("sample " + (all + 1) + " is not there (expected: 1 to " + all + ")");
  }

  private static String[] linesOf(Sample sample) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream before = System.out;
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      System.setOut(out);
      sample.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8).lines().toArray(String[]::new);
  }
}
