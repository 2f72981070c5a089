package dev.takt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cli.schedule.TaskSetFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
      name,cost,prio\\na,1ms,3           | line 2: "prio" is unknown (expected: name, cost, period
      name,cost,period\\na,1ms,2ms\\na,1ms,2ms | the name a is there twice
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
