package dev.takt.samples.trading;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.takt.samples.market.Inputs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command from its arguments to its exit code, its output and its files. */
@Timeout(120)
class DemoCommandTest {
  private static final String TRADES = "1,10.5,2\n2,11,1\n3,12,1\n4,13,0.5\n5,13,1\n";

  @TempDir private Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void shouldFindTheFiguresOfTheDefaultInput() throws Exception {
    Path json = folder.resolve("result.json");
    assertThat(run("--speed", "max", "--repeat", "3", "--json", json.toString())).isZero();
    assertThat(results(json))
        .containsEntry("lines", new BigDecimal("100000"))
        .containsEntry("trades", new BigDecimal("100000"))
        .containsEntry("quantity", new BigDecimal("175778.65435677"))
        .containsEntry("vwap", new BigDecimal("959.32520141"))
        .containsEntry("count-trade", new BigDecimal("100000"))
        .containsEntry("passes", new BigDecimal("3"))
        .containsKeys(
            "rising_runs",
            "longest_run",
            "lines_per_s",
            "misses",
            "conflicts",
            "inter-arrival",
            "response");
    assertThat(err()).doesNotContain("takt demo:");
  }

  @ParameterizedTest
  @CsvSource({
    "binance_spot_btcusdt_20240808.gz, max",
    "binance_usdm_btcusdt_20240808.gz, max",
  })
  void shouldFindTheFiguresOfABinanceCapture(String name, String speed) throws Exception {
    Path input = Inputs.outside("market/" + name);
    Map<?, ?> expected =
        (Map<?, ?>) mapFrom(Files.readString(Inputs.outside("market/expected.json"))).get(name);
    Path json = folder.resolve("result.json");
    assertThat(
            run(
                "--input",
                input.toString(),
                "--speed",
                speed,
                "--repeat",
                "2",
                "--json",
                json.toString()))
        .isZero();
    Map<String, BigDecimal> results = results(json);
    assertThat(results.get("lines")).isEqualByComparingTo(expected.get("lines").toString());
    assertThat(results.get("quantity")).isEqualByComparingTo(expected.get("trade_qty").toString());
    assertThat(results.get("vwap")).isEqualByComparingTo(expected.get("trade_vwap_8dp").toString());
    assertThat(results.get("rising_runs"))
        .isEqualByComparingTo(expected.get("trades_ending_run_of_>=3_rising_prices").toString());
    assertThat(results.get("longest_run"))
        .isEqualByComparingTo(expected.get("longest_rising_run").toString());
    ((Map<?, ?>) expected.get("by_stream"))
        .forEach(
            (stream, count) ->
                assertThat(results.get("count-" + stream))
                    .as("%s", stream)
                    .isEqualByComparingTo(count.toString()));
  }

  @Test
  void shouldCountTheMessagesOfAnItchFile() throws Exception {
    Path input = Inputs.outside("market/ritch_ex20101224.TEST_ITCH_50");
    Path json = folder.resolve("result.json");
    assertThat(run("--input", input.toString(), "--speed", "max", "--json", json.toString()))
        .isZero();
    Map<String, BigDecimal> results = results(json);
    Map.of(
            "S", 6, "R", 3, "H", 3, "A", 4997, "F", 3, "E", 198, "X", 45, "D", 1745, "U", 12, "P",
            5000)
        .forEach(
            (type, count) ->
                assertThat(results.get("count-" + type)).isEqualTo(BigDecimal.valueOf(count)));
    assertThat(results.get("trades")).isEqualTo(BigDecimal.valueOf(5000));
    assertThat(results.get("lines")).isEqualTo(BigDecimal.valueOf(12_012));
    assertThat(Files.readString(json))
        .contains("\"input\" : \"ritch_ex20101224.TEST_ITCH_50\"", "\"source\" : \"" + input);
  }

  @Test
  void shouldShowATableAndWriteAPageWithBothHistograms() throws Exception {
    Path html = folder.resolve("report.html");
    assertThat(
            run(
                "--input",
                input(TRADES).toString(),
                "--speed",
                "max",
                "--repeat",
                "300",
                "--html",
                html.toString()))
        .isZero();
    assertThat(out())
        .contains(
            "trades",
            "5.5",
            "11.54545455",
            "inter-arrival",
            "response",
            "misses",
            "conflicts",
            "alloc_bytes_per_release");
    assertThat(Files.readString(html))
        .contains("Inter-arrival time of the seller", "Response time", "11.54545455");
  }

  @Test
  void shouldShowPunctualityAtTheMarketsPaceBesidePlainJavaAndThenThroughput() throws Exception {
    Path json = folder.resolve("result.json");
    Path html = folder.resolve("report.html");
    String trades = input(TRADES).toString();
    assertThat(run("--input", trades, "--json", json.toString(), "--html", html.toString()))
        .isZero();

    Map<String, BigDecimal> results = results(json);
    assertThat(results)
        .containsEntry("lines", new BigDecimal("5"))
        .containsKeys("lateness", "executor-lateness", "misses", "skipped", "executor-late-starts")
        .containsKeys("response")
        .containsKeys(
            "lines_per_s", "full-speed-response", "full-speed-misses", "full-speed-skipped");
    assertThat(out().lines().skip(2).findFirst().orElse(""))
        .matches("(100|\\d{1,2}\\.\\d\\d) % of [\\d,]+ releases, one every 1 ms, met their .*");
    assertThat(out().replaceAll("\\s+", " "))
        .contains("a sleeping Java executor beside it: ", "At full speed ", "without the warm-up");
    assertThat(err()).contains("replaying 4 s of the market at 10x takes 0 s");
    assertThat(Files.readString(html)).contains("class=\"verdict", "a Java executor beside it");
  }

  @Test
  void shouldExplainEveryRowInWords() throws Exception {
    Path json = folder.resolve("result.json");
    assertThat(run("--input", input(TRADES).toString(), "--json", json.toString())).isZero();

    Map<String, Object> report = JSON.std.mapFrom(Files.readString(json));
    assertThat((List<?>) report.get("results"))
        .allSatisfy(each -> assertThat(((Map<?, ?>) each).get("what")).asString().isNotEmpty());
  }

  @Test
  void shouldSayHowTasksAreScheduled() throws Exception {
    String trades = input(TRADES).toString();
    assertThat(run("--input", trades)).isZero();
    assertThat(out()).contains("nothing was asked of the operating system");
    out.reset();
    assertThat(run("--input", trades, "--realtime")).isZero();
    assertThat(out()).contains("FIFO 11 to 20 granted on ", "memory");
  }

  @Test
  void shouldReplayInMarketTimeAndSayHowLongItTakes() throws Exception {
    assertThat(run("--input", input("1,10,1\n2,11,1\n").toString(), "--speed", "10x")).isZero();
    assertThat(err()).contains("replaying 1 s of the market at 10x takes 0 s");
    assertThat(out()).contains("trades");
  }

  @Test
  void shouldFailOnABadLineAndShowWhatCameBefore() throws Exception {
    Path input = input(TRADES + "oops\n");
    Path json = folder.resolve("result.json");
    assertThat(run("--input", input.toString(), "--repeat", "3", "--json", json.toString()))
        .isOne();
    assertThat(err().lines())
        .containsExactly(
            "takt demo: "
                + input
                + ": line 6: \"oops\" is not a trade (expected:"
                + " seconds,price,amount)");
    assertThat(results(json))
        .containsEntry("lines", new BigDecimal("5"))
        .containsEntry("passes", BigDecimal.ZERO);
    assertThat(out()).contains("11.54545455");
  }

  @Test
  void shouldFailOnTruncatedGzipAndShowWhatCameBefore() throws Exception {
    byte[] packed =
        Inputs.gzip((TRADES + "6,13,1\n".repeat(100_000)).getBytes(StandardCharsets.US_ASCII));
    Path input = folder.resolve("cut.gz");
    Files.write(input, Arrays.copyOf(packed, packed.length / 2));
    Path json = folder.resolve("result.json");
    assertThat(run("--input", input.toString(), "--json", json.toString())).isOne();
    assertThat(err().lines())
        .singleElement()
        .asString()
        .contains("line ", "the gzip data is truncated");
    assertThat(results(json).get("trades")).isGreaterThan(BigDecimal.valueOf(1_000));
  }

  @Test
  void shouldFailOnInputThatCannotBeOpened() throws Exception {
    Path empty = Files.createFile(folder.resolve("empty"));
    assertThat(run("--input", folder.resolve("none").toString())).isOne();
    assertThat(run("--input", folder.toString())).isOne();
    assertThat(run("--input", empty.toString())).isOne();
    assertThat(run("--input", input("hello\n").toString())).isOne();
    assertThat(out()).isEmpty();
    assertThat(err().lines()).hasSize(4).allMatch(line -> line.startsWith("takt demo: " + folder));
  }

  @ParameterizedTest
  @CsvSource({
    "--speed, 2y",
    "--speed, 1X",
    "--repeat, 0",
    "--repeat, -1",
    "--repeat, x",
    "--repeat, 1000001",
    "--nonsense, 1",
    "--json, no/such/folder/x.json",
    "--html, .",
    "--input, ''",
    "--json, ''",
    "--html, ''"
  })
  void shouldRefuseBadUsage(String option, String value) {
    assertThat(run(option, value)).isEqualTo(2);
    assertThat(err()).as("one line, so that it is the last").startsWith("demo: ").hasLineCount(1);
    assertThat(out()).isEmpty();
  }

  @Test
  void shouldEndWithOneAndSaySoWhenTheReportIsLost() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int one) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    try (PrintStream outStream = new PrintStream(full);
        PrintStream errStream = new PrintStream(err, true, StandardCharsets.UTF_8)) {
      assertThat(DemoCommand.run(outStream, errStream, "--help")).isOne();
    }
    assertThat(err()).contains("demo: cannot write to standard output");
  }

  @Test
  void shouldShowHelpWithExamples() {
    assertThat(run("--help")).isZero();
    assertThat(out())
        .contains("Examples:", "--input", "--speed", "--repeat", "--json", "--html", "Exit codes:");
  }

  private int run(String... args) {
    try (PrintStream outStream = new PrintStream(out, true, StandardCharsets.UTF_8);
        PrintStream errStream = new PrintStream(err, true, StandardCharsets.UTF_8)) {
      return DemoCommand.run(outStream, errStream, args);
    }
  }

  private Path input(String text) throws IOException {
    return Files.writeString(folder.resolve("input.csv"), text);
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private static Map<String, Object> mapFrom(String json) throws IOException {
    return JSON.std.with(JSON.Feature.USE_BIG_DECIMAL_FOR_FLOATS).mapFrom(json);
  }

  /** The values by name; as written, digit by digit. */
  private static Map<String, BigDecimal> results(Path json) throws IOException {
    Map<String, Object> report = mapFrom(Files.readString(json));
    assertThat(report).containsEntry("suite", "demo").containsKeys("machine", "results");
    Map<String, BigDecimal> values = new LinkedHashMap<>();
    for (Object result : (List<?>) report.get("results")) {
      Map<?, ?> members = (Map<?, ?>) result;
      assertThat(members.get("unit")).isInstanceOf(String.class);
      values.put((String) members.get("name"), new BigDecimal(members.get("value").toString()));
    }
    return values;
  }
}
