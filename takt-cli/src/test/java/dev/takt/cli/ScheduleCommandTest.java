package dev.takt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cli.schedule.Patience;
import dev.takt.cli.schedule.TaskSetFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ScheduleCommandTest {
  private static final String FOUR =
      """
      name,cost,period,deadline
      a,1ms,4ms,4ms
      b,1ms,5ms,5ms
      c,3ms,9ms,9ms
      d,3ms,18ms,18ms
      """;

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String text, String... options) throws IOException {
    Path file = Files.writeString(folder.resolve("tasks"), text);
    String[] arguments = new String[options.length + 1];
    System.arraycopy(options, 0, arguments, 1, options.length);
    arguments[0] = file.toString();
    return CommandLines.of(new ScheduleCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  @Test
  void shouldShowResponseTimesOfSchedulableTasksAndDrawThem() throws IOException {
    Path json = folder.resolve("tasks.json");
    Path html = folder.resolve("tasks.html");
    assertThat(run(FOUR, "--json", json.toString(), "--html", html.toString())).isZero();
    assertThat(out.toString())
        .contains("Schedulable: all deadlines are met (4 tasks, utilization 95.0 %)")
        .containsPattern("(?m)^a  [#+]+\\.")
        .containsPattern("(?m)^d  \\.+[#+]")
        .contains("It goes on until 180 ms");
    assertThat(Files.readString(json))
        .contains("\"value\" : 18000000", "\"value\" : 7000000", "\"schedule\"");
    assertThat(Files.readString(html)).contains("Who runs when");
  }

  @Test
  void shouldExplainWhichTaskMissesItsDeadlineAndWhatWouldFit() throws IOException {
    String text = "name,cost,period\nfast,2ms,4ms\nslow,3ms,6ms\n";
    assertThat(run(text)).isEqualTo(1);
    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains("Not schedulable (2 tasks, utilization 100.0 %).")
        .contains("slow ends 7 ms after its arrival at the worst, its deadline is 6 ms")
        .contains("it fits with a cost of 2 ms at most");
    assertThat(run(text, "--order", "edf")).isZero();
  }

  /** The manager gives such a set up; who asks here has the time. */
  @Test
  void shouldJudgeAlsoWhatTheManagerRefusesBecauseItTakesTooLong() throws IOException {
    String text = "name,cost,period,deadline\nhigh,3s,10s,10s\nlow,200ns,1300ns,20s\n";
    assertThat(run(text, "--alpha", "1")).isZero();
    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains("Schedulable: all deadlines are met")
        .contains("it takes too long to find out whether all deadlines are met");
  }

  @Test
  void shouldNameTheFirstMissOfEarliestDeadlineFirst() throws IOException {
    String text = "name,cost,period,deadline\nfast,2ms,8ms,3ms\nslow,2ms,8ms,3ms\n";
    assertThat(run(text, "--order", "EDF")).isEqualTo(1);
    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains("slow, arrived at 0 ns, misses its deadline at 3 ms");
  }

  @Test
  void shouldDrawPartOfAVeryLongHyperperiod() throws IOException {
    assertThat(run("name,cost,period\na,1us,1000003us\nb,1us,999983us\n")).isZero();
    assertThat(out.toString()).contains("The drawing ends before the schedule repeats itself");
  }

  @Test
  void shouldReadJsonWithAllColumns() throws IOException {
    String text =
        """
        [{"name": "a", "cost": "1us", "period": "2us", "blocking": "1us"},
         {"name": "b", "cost": "5us", "period": "20us", "blocking": "5us"},
         {"name": "c", "cost": "1us", "period": "20us", "deadline": "20us", "jitter": "0ns"}]
        """;
    assertThat(run(text)).isZero();
    assertThat(out.toString()).contains("20 us", "12 us");
  }

  @Test
  void shouldPlaceTasksOnSeveralProcessors() throws IOException {
    String text = "name,cost,period\na,6ms,10ms\nb,6ms,10ms\nc,4ms,10ms\nd,4ms,10ms\n";
    Path json = folder.resolve("placed.json");
    assertThat(run(text)).as("on one").isEqualTo(1);
    assertThat(run(text, "--cpus", "2", "--json", json.toString())).isZero();
    assertThat(out.toString())
        .contains(
            "Schedulable on 2 processors: all deadlines are met", "Processor 0:", "Processor 1:");
    assertThat(Files.readString(json)).contains("\"processor\" : 1", "\"cpus\" : 2");
  }

  @Test
  void shouldSayThatThereIsNoWayToPlaceTasks() throws IOException {
    String text = "name,cost,period\na,6ms,10ms\nb,6ms,10ms\nc,6ms,10ms\n";
    assertThat(run(text, "--cpus", "2", "--order", "edf")).isEqualTo(1);
    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains("Not schedulable: there is no way to place each task", "90.0 % of 2 processors");
    assertThat(run(text, "--cpus", "0")).isEqualTo(2);
    assertThat(err.toString()).contains("--cpus=0 (expected: 1 to 1024)");
  }

  @ParameterizedTest
  @CsvSource({
    "1us 1us 1us 1000s,deadline",
    "2us 1us 1us 1000000s,deadline",
    "2us 1us 1us 1000000s,edf",
    "1ms 1ms 1ms 1000000s,deadline"
  })
  void shouldEndWhereOneTaskRunsThrough(String times, String order) throws IOException {
    String[] each = times.split(" ");
    String text =
        "name,cost,period\na,%s,%s\nb,%s,%s\n".formatted(each[0], each[1], each[2], each[3]);
    assertThat(run(text, "--order", order)).isEqualTo(1);
    assertThat(words()).contains("Not schedulable", "The drawing ends before the schedule repeats");
  }

  @Test
  void shouldSayThatASetTakesTooLongToAnalyse() throws IOException {
    String text = "name,cost,period,jitter\na,999999998ns,1s,2ns\nb,2ns,1000000007ns,0ns\n";
    assertThat(run(text, "--order", "edf")).isEqualTo(1);
    assertThat(words()).contains("It takes too long to find out whether all deadlines are met");
  }

  @Test
  void shouldGiveASearchUpWhenItsTimeIsOver() {
    long[] nowNs = {5};
    Patience patience = new Patience(() -> nowNs[0], 10);
    assertThat(patience.within(_ -> true).test(List.of())).isTrue();
    assertThat(patience.isLost()).isFalse();
    nowNs[0] = 15;
    assertThat(patience.within(_ -> true).test(List.of())).isFalse();
    assertThat(patience.isLost()).isTrue();
  }

  private String words() {
    return out.toString().replaceAll("\\s+", " ");
  }

  @Test
  void shouldShowWhatTheManagerWouldDecideBesideTheExactVerdict() throws IOException {
    Path json = folder.resolve("judged.json");
    Path html = folder.resolve("judged.html");
    assertThat(run(FOUR, "--json", json.toString(), "--html", html.toString())).isZero();
    assertThat(words())
        .contains(
            "Schedulable: all deadlines are met",
            "The CPU manager (fixed-priority, deadline, alpha 0.7, E 1) would refuse c: with it"
                + " 3 tasks would take 78.3 % of the processor, the limit is 70.0 %",
            "Liu-Layland 0.950 limit 0.757 not passed",
            "hyperbolic 2.333 limit 2.000 not passed",
            "extended 0.950 limit 0.530 not passed")
        .doesNotContain("machine was busy");
    assertThat(Files.readString(json))
        .contains("\"decisions\"", "\"admitted\" : false", "\"bounds\"", "\"alpha\" : 0.7");
    assertThat(Files.readString(html)).contains("fixed-priority", "Liu-Layland");
  }

  @Test
  void shouldRefuseForTheSchedulerThatDoesNotInterruptWhatItAdmitsForTheOthers()
      throws IOException {
    String text = "name,cost,period\nshort,1ms,4ms\nlong,4ms,20ms\n";
    assertThat(run(text, "--alpha", "0.8")).isZero();
    assertThat(words())
        .contains(
            "(fixed-priority, deadline, alpha 0.8, E 1) would admit all tasks.",
            "(portable, alpha 0.8, E 1) would refuse long: short would end 5 ms",
            "Liu-Layland 0.450 limit 0.828 passed",
            "extended 0.450 limit 0.663 passed");
  }

  @Test
  void shouldGiveEachTaskItsTimeMoreAsTheManagerDoes() throws IOException {
    String text = "name,cost,period,deadline\na,4ms,10ms,9ms\n";
    assertThat(run(text, "--extensum", "2", "--cpus", "2")).isZero();
    assertThat(words())
        .contains(
            "(fixed-priority, portable, deadline, alpha 0.7, E 2) would refuse a: it alone would"
                + " take 80.0 %",
            "(extensum=2.00)", "Liu-Layland 0.400 limit 1.000 does not apply to these tasks");
    assertThat(run(text, "--extensum", "0.5")).isEqualTo(2);
    assertThat(err.toString()).contains("--extensum=0.5 (expected: ");
    assertThat(run(text, "--alpha", "1.1")).isEqualTo(2);
    assertThat(err.toString()).contains("--alpha=1.1 (expected: above 0, at most 1)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      ''                                 | has 0 tasks (expected: 1 to 1000)
      name,cost,period                   | has 0 tasks
      name,cost,period\\na,1,2ms         | line 2: cost="1" is no time (expected: a number and ns, us, ms or s
      name,cost,period\\na,1ms           | line 2 has 2 cells (expected: 3, as the heading [name, cost, period])
      name,cost,period\\na,-1ms,2ms      | line 2: cost="-1ms" is no time
      name,cost,period\\na,0ms,2ms       | line 2: task a: costNs=0 (expected: 1 to
      name,cost,period\\na,1ms,99999999s | line 2: task a: periodNs=99999999000000000 (expected: 1 to
      name,cost,prio\\na,1ms,3           | line 1: "prio" is unknown (expected: name, cost, period
      \\n\\nname,cost,prio\\na,1ms,3     | line 3: "prio" is unknown
      name,cost,period\\na,1ms,2ms\\na,1ms,2ms | the name a is there twice
      name,cost,cost,period\\na,1ms,2ms,3ms  | line 1: the column cost is there twice
      name,cost,period\\na,1.9ns,2ms     | line 2: cost="1.9ns" is no time
      name,cost,period\\n,1ms,2ms        | line 2: name="" (expected: something, without control
      name,cost,period\\na\u001b[2J,1ms,2ms | line 2: name="a
      [1]                                | task 1 is no object
      {"tasks":[]}                       | is a JSON object (expected: an array of tasks
      [{"name":                          | line 1: Unexpected end-of-input
      [{"name":"a","cost":"1ms"}]        | task 1: period="" is no time
      """)
  void shouldRefuseWhatIsNoSetOfTasks(String text, String message) throws IOException {
    assertThat(run(text.replace("\\n", "\n"))).isEqualTo(2);
    assertThat(err.toString()).startsWith("takt schedule: ").contains(message);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void shouldRefuseWhatIsNoUtf8AndShowNothingThatATerminalWouldObey() throws IOException {
    Path file = folder.resolve("tasks\u001b[2J");
    Files.write(file, "name,cost,period\nt\u00e4,1ms,2ms\n".getBytes(StandardCharsets.ISO_8859_1));
    CommandLine line =
        CommandLines.of(new ScheduleCommand())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err));
    assertThat(line.execute(file.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("is no text in UTF-8").doesNotContain("\u001b");
    Files.writeString(file, "name,cost,period\na,1ms,2ms\n");
    assertThat(line.execute(file.toString())).isZero();
    assertThat(out.toString()).contains("Takt: the tasks of ").doesNotContain("\u001b");
  }

  @Test
  void shouldReadWhatASpreadsheetWrites() throws IOException {
    assertThat(run("\uFEFF\"name\",cost,period\r\n\"the first\",1ms,\"4ms\"\r\n")).isZero();
    assertThat(out.toString()).contains("the first").doesNotContain("\"");
  }

  @Test
  void shouldRefuseAFileThatIsMissingOrTooLong() throws IOException {
    assertThat(run("x".repeat(TaskSetFile.MAX_BYTES + 1))).isEqualTo(2);
    assertThat(err.toString()).contains("is longer than 1048576 bytes");
    int missing =
        CommandLines.of(new ScheduleCommand())
            .setErr(new PrintWriter(err))
            .execute(folder.resolve("nothing").toString());
    assertThat(missing).isEqualTo(2);
    assertThat(err.toString()).contains("nothing");
    int folders =
        CommandLines.of(new ScheduleCommand())
            .setErr(new PrintWriter(err))
            .execute(folder.toString());
    assertThat(folders).isEqualTo(2);
    assertThat(err.toString()).contains(folder + " is a folder");
  }
}
