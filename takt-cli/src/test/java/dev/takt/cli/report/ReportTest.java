package dev.takt.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  @TempDir Path folder;

  private final Report report = new Report("space", "The event <space>", Machine.detect());

  @Test
  void shouldHaveTheShapeOfTheCommandContract() throws IOException {
    report
        .add("pair", "ns", 60.5)
        .withPeer("outrigger", 9_075.0)
        .withPaper(4_553)
        .withAllocBytes(0);

    Map<String, Object> json = JSON.std.mapFrom(report.toJson());

    assertThat(json.keySet())
        .containsExactly(
            "suite",
            "version",
            "settings",
            "machine",
            "verdict",
            "interrupted",
            "results",
            "failed",
            "notes");
    assertThat(json).containsEntry("suite", "space").containsEntry("interrupted", false);
    assertThat(json.get("version")).asString().startsWith("0.");
    assertThat((List<?>) json.get("failed")).isEmpty();
    assertThat((Map<?, ?>) json.get("machine"))
        .extracting(Map::keySet)
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.COLLECTION)
        .contains("cpu", "cores", "kernel", "jdk", "gc", "load", "date");
    Map<?, ?> result = (Map<?, ?>) ((List<?>) json.get("results")).getFirst();
    assertThat(result.keySet().stream().map(Object::toString))
        .containsExactly(
            "name", "unit", "value", "peer", "peer_value", "ratio", "paper_value", "alloc_bytes");
    assertThat(result.get("ratio")).isEqualTo(150.0);
  }

  @Test
  void shouldKeepEveryDigitOfANumber() {
    report.add("quantity", "1", new BigDecimal("175778.65435677"));
    report.add("tiny", "1", new BigDecimal("0.00000001"));
    report.add("big", "1", Long.MAX_VALUE);
    report.add("measured", "ns", 0.1);

    assertThat(report.toJson())
        .contains("175778.65435677", "0.00000001", "9223372036854775807", "\"value\" : 0.1\n");
  }

  @Test
  void shouldEscapeText() throws IOException {
    String nasty = "\"quoted\"\\ \n</script><b>&\u2028é";
    report.add("text", "1", nasty);
    report.add(Plot.bars("</script>", "ns").bar(nasty, "", 1));

    Map<?, ?> result =
        (Map<?, ?>) ((List<?>) JSON.std.mapFrom(report.toJson()).get("results")).getFirst();
    String html = report.toHtml();

    assertThat(result.get("value")).isEqualTo(nasty);
    assertThat(html)
        .contains("The event &lt;space&gt;", "&lt;/script&gt;&lt;b&gt;&amp;")
        .doesNotContain("<b>");
    assertThat(html.split("</script>", -1)).as("only the page's own ends of scripts").hasSize(3);
  }

  @Test
  void shouldRefuseWhatJsonCannotSay() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> report.add("pair", "ns", Double.NaN))
        .withMessage("value=NaN (expected: a finite number)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> report.add("pair", "ns", 1).with("list", List.of()))
        .withMessageContaining("list: a report cannot hold a");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Plot.bars("t", "ns").bar("x", "", Double.POSITIVE_INFINITY));
  }

  @Test
  void shouldCarryRowsOfAnotherKind() throws IOException {
    report.put("findings", List.of(Map.of("probe", "swap", "found", "<b>1</b>"), Map.of("n", 2)));

    Map<String, Object> json = JSON.std.mapFrom(report.toJson());
    assertThat(json.keySet()).contains("suite", "machine", "results").endsWith("findings");
    assertThat((List<?>) json.get("findings")).hasSize(2);
    assertThat(report.toHtml())
        .contains("<h2>Findings</h2>", "&lt;b&gt;1&lt;/b&gt;", "<td class=\"number\">2</td>");
    assertThat(report.toTable()).doesNotContain("swap");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> report.put("results", List.of()))
        .withMessageContaining("results");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> report.put("x", List.of(Map.of("y", new Object()))));
  }

  @Test
  void shouldRefuseANameTwice() {
    report.add("pair", "ns", 1);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> report.add("pair", "ns", 2))
        .withMessageContaining("result name=pair is there already");
  }

  @Test
  void shouldCallMoreBetterOnlyForRates() {
    assertThat(report.add("time", "ns", 10).withPeer("other", 40).get("ratio")).isEqualTo(4.0);
    assertThat(report.add("rate", "1/s", 10).withPeer("other", 40).get("ratio")).isEqualTo(0.25);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> report.add("zero", "ns", 0).withPeer("other", 40))
        .withMessageContaining("must be above 0");
  }

  @Test
  void shouldAlignTheTable() {
    report.add("pair", "ns", 60.5).withPeer("outrigger", 9_075.25);
    report.add("a-longer-name", "ns", 1_234_567L);
    report.note("Less is better.");

    List<String> lines = report.toTable(new Terminal(200, false)).lines().toList();

    assertThat(lines.get(0)).isEqualTo("The event <space>");
    assertThat(lines)
        .containsSequence(
            "name             value  peer                ratio",
            "-------------------------------------------------",
            "pair           60.5 ns  outrigger 9.08 us  150.0x",
            "a-longer-name  1.23 ms");
    assertThat(lines.getLast()).isEqualTo("Less is better.");
  }

  @Test
  void shouldFitTheWidthWhenThereAreMoreColumnsAndWords() {
    Result result = report.add("period-50us", "%", 1.18).with("pass", false);
    for (int i = 0; i < 30; i++) {
      result.with("member_" + i, "a text of some length " + i);
    }
    result.with(
        "what", "the part of the due times that were missed by a task of fifty microseconds");
    result.with("p99", 411L).with("max", 1_110_441_983L).with("percentile_unit", "ns");
    report.columns("pass", "p99", "max", "member_1", "member_2", "member_3", "what");
    report.note("A note of many words. ".repeat(40));
    report.verdict(false, "The task missed some of its periods. ".repeat(5));
    report.fail("ping-pong", "no such thing ".repeat(20));

    for (int width : List.of(60, 80, 100, 140)) {
      assertThat(report.toTable(new Terminal(width, false)).lines())
          .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(width));
    }
    assertThat(report.toTable(new Terminal(100, false)))
        .contains("1.18 %", "411 ns", "1.11 s", "no", "More figures", "ping-pong: FAILED")
        .contains("due times")
        .doesNotContain("\u001b");
  }

  @Test
  void shouldShowQuotientsWithoutTheUnitOfWhatTheyCompare() {
    Result result = report.add("echo", "requests/s", 60_500).with("percentile_unit", "ns");
    result.with("p99", 411L).with("times_peer_p99", 1.13).with("times_peer_bytes", 2.27);

    assertThat(report.toHtml())
        .contains("411 ns</td>", "1.13</td>", "2.27</td>")
        .doesNotContain("1.13 ns", "2.27 B");
  }

  @Test
  void shouldSayTheVerdictFirstInTheColourOfItsMeaning() {
    report.add("pair", "ns", 60.5).with("pass", true);
    report.verdict(true, "All is well.");

    String text = report.toTable(new Terminal(100, true));

    assertThat(text.lines().toList().get(2)).isEqualTo("\u001b[32mAll is well.\u001b[0m");
    assertThat(text).contains("\u001b[32mpair");
    String html = report.toHtml();
    assertThat(html).contains("<p class=\"verdict good\">All is well.</p>");
    assertThat(html.indexOf("All is well.")).isLessThan(html.indexOf("Results"));
    assertThat(html.indexOf("<th>pass</th>")).isLessThan(html.indexOf(">value</th>"));
  }

  @Test
  void shouldKeepWhatFailedAndThatItWasInterrupted() throws IOException {
    report.add("pair", "ns", 60.5);
    report.setting("quick", true);
    report.fail("ping-pong", "the measuring JVM exited with 3");
    report.interrupted().note("A note.");

    Map<String, Object> json = JSON.std.mapFrom(report.toJson());

    assertThat(json)
        .containsEntry("interrupted", true)
        .containsEntry("settings", Map.of("quick", true))
        .containsEntry("notes", List.of("A note."))
        .containsEntry(
            "failed",
            List.of(Map.of("name", "ping-pong", "why", "the measuring JVM exited with 3")));
    assertThat(report.toHtml())
        .contains("<tr class=\"failed\"><td>ping-pong</td>", "exited with 3", "interrupted");
    assertThat(report.toTable()).contains("interrupted", "1 measurement failed");
  }

  @Test
  void shouldSayWhenTheMachineWasOverloaded() {
    Machine machine = Machine.detect().with("load", 14.3).with("cores", 2);

    assertThat(new Report("x", "X", machine).toTable()).contains("load 14.3", "2 processors");
    assertThat(new Report("x", "X", machine).withoutMeasurement().toTable()).doesNotContain("busy");
    machine.with("load", 1.5);
    assertThat(new Report("x", "X", machine).toTable()).doesNotContain("busy");
  }

  @Test
  void shouldTakePercentilesFromAHistogram() {
    Histogram histogram = new Histogram(3);
    for (int i = 1; i <= 1000; i++) {
      histogram.recordValue(i);
    }

    Result result = report.add("response", "ns", 500L).withPercentiles(histogram);

    assertThat(result.members())
        .containsEntry("p50", 500L)
        .containsEntry("p99", 990L)
        .containsEntry("p999", 999L)
        .containsEntry("max", 1000L);
  }

  @Test
  void shouldWriteFilesAsAWhole() throws IOException {
    report.add("pair", "ns", 1);
    Path json = folder.resolve("space.json");
    Path html = folder.resolve("space.html");
    Files.writeString(json, "older and longer than what comes ".repeat(1000));

    report.writeJson(json);
    report.writeHtml(html);

    assertThat(json).hasContent(report.toJson());
    assertThat(html).hasContent(report.toHtml());
    try (var files = Files.list(folder)) {
      assertThat(files).as("nothing temporary is left").containsExactlyInAnyOrder(json, html);
    }
  }

  @Test
  void shouldFollowALinkToTheFile() throws IOException {
    Path file = Files.writeString(folder.resolve("real.json"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link.json"), file);

    report.writeJson(link);

    assertThat(link).isSymbolicLink();
    assertThat(file).hasContent(report.toJson());
  }

  @Test
  void shouldSayWhyAFileCannotBeWritten() {
    assertThatThrownBy(() -> report.writeJson(folder.resolve("missing").resolve("space.json")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("there is no folder " + folder.resolve("missing"));
    assertThatThrownBy(() -> report.writeHtml(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("it is a folder");
  }

  /** A device, which has no name to take over, has an error to tell all the same. */
  @Test
  void shouldNameTheFileWhenADeviceIsFull() {
    assertThatThrownBy(() -> ReportFile.write(Path.of("/dev/full"), "text"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("file=/dev/full: ");
  }

  @Test
  void shouldMakeAPageThatNeedsNothingElse() {
    report.add("pair", "ns", 60.5);
    report.add(
        Plot.lines("Pair", "events", "ns")
            .logX()
            .series("takt", new double[] {10, 100}, new double[] {1, 2}));

    assertThat(report.toHtml())
        .startsWith("<!DOCTYPE html>")
        .contains("<td>pair</td>", "Chart.js v4", "\"title\":\"Pair\"")
        .doesNotContain("<link", "<script src", "<img", "sourceMappingURL", "@import", "${title}");
  }

  @Test
  void shouldShowFindingsBeforeAllFiguresAndOtherTablesAfterThem() {
    report.put("findings", List.of(Map.of("probe", "swap")));
    report.put("table_1_times_by_thread_ms", List.of(Map.of("statistic", "avg")));
    report.add("pair", "ns/byte", 60.5);

    assertThat(report.toHtml())
        .containsSubsequence(
            "<h2>Findings</h2>",
            "id=\"plots\"",
            "<h2>Results</h2>",
            "60.50 ns/B",
            "<h2>Table 1 times by thread, ms</h2>");
  }

  @Test
  void shouldLeaveOutPlotsWithoutData() {
    report.add(Plot.histogram("Response time", "ns").histogram("none", new Histogram(3)));

    assertThat(report.toHtml())
        .contains("const plots = [];")
        .doesNotContain("Response time", "Chart.js");
  }
}
