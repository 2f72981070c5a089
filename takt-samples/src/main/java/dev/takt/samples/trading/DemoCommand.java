package dev.takt.samples.trading;

import dev.takt.cli.CommandLines;
import dev.takt.cli.InterruptHook;
import dev.takt.cli.Subcommand;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Terminal;
import dev.takt.reflex.RuntimeScheduling;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.samples.market.MarketDataException;
import dev.takt.samples.market.MarketReader;
import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of the trading application. */
@Command(
    name = "demo",
    header = "A stock-trading application on real market data.",
    optionListHeading = "Options:%n",
    sortOptions = false,
    usageHelpAutoWidth = true,
    exitCodeListHeading = "%nExit codes:%n",
    footerHeading = "%nExamples:%n")
public final class DemoCommand implements Subcommand {
  private static final int DEFAULT_REPEAT = 40;
  private static final int MAX_REPEAT = 1_000_000;

  /** For completion. */
  static final class Speeds extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    Speeds() {
      super(List.of("1x", "10x", "max"));
    }
  }

  /** How much of the market is replayed at its pace without --speed, and how much faster. */
  private static final long EXCERPT_NS = 200_000_000_000L;

  private static final int EXCERPT_SPEED = 10;

  /** How long the passes at full speed may go on without --speed and --repeat. */
  private static final long FULL_SPEED_NS = 15_000_000_000L;

  /** How long a pass takes with --host and without --speed, and how many there are. */
  private static final long TURN_NS = 20_000_000_000L;

  private static final int TURNS = 3;

  @Spec private CommandSpec spec;

  @Option(
      names = "--input",
      paramLabel = "FILE",
      description =
          "market data: a Binance capture, Bitstamp trades or NASDAQ ITCH 5.0, plain or gzip, told"
              + " apart by content; default: the Bitstamp trades of org.ta4j:ta4j-examples")
  private Path input;

  @Option(
      names = "--speed",
      paramLabel = "SPEED",
      completionCandidates = Speeds.class,
      description =
          "1x: all of it as the market was, 10x: ten times as fast, max: as fast as possible;"
              + " default: max, and then the busiest 200 s of it at 10x")
  private String speed;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      description =
          "how many passes over the data; the figures are those of one pass, and all must agree;"
              + " default: "
              + DEFAULT_REPEAT
              + " for the default input at max, otherwise 1")
  private Integer repeat;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "keep the state of the tasks in this folder, which is made if it is not there: killed at"
              + " any moment and started again with the same input, it goes on where it was;"
              + " without the busiest 200 s at 10x")
  private Path data;

  @Option(
      names = "--host",
      description =
          "with all tasks in a host process, to which the feed goes by shared memory, beside the"
              + " same in one process, in turns: that both find the same figures, and the response"
              + " times of both; default: three passes over all data of 20 s each")
  private boolean host;

  @Option(
      names = "--realtime",
      description =
          "ask the operating system for real-time scheduling (FIFO by the tasks' priorities, on"
              + " processors that no other thread of the demo uses; locked memory; idle processors"
              + " that stay awake); the report shows what was granted")
  private boolean realtime;

  @Option(names = "--json", paramLabel = "FILE", description = "write the results as JSON")
  private Path json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description =
          "write the results and histograms as one HTML page; default: takt-demo.html in the"
              + " checkout's folder target")
  private Path html;

  @Option(
      names = "--train",
      description =
          "keep what the JVM learns in this run, so that later ones start faster; done by ./takt")
  private boolean train;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this help")
  private boolean help;

  private final PrintStream err;
  private volatile List<TradingFloor> running = List.of();
  private volatile boolean cancelled;

  /** Made by the command line: for this process. */
  public DemoCommand() {
    this(System.err);
  }

  private DemoCommand(PrintStream err) {
    this.err = err;
  }

  /**
   * Runs the command.
   *
   * @return the exit code
   */
  public static int run(PrintStream out, PrintStream err, String... args) {
    CommandLine line = CommandLines.of(new DemoCommand(err));
    line.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
    line.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
    line.setExecutionExceptionHandler(
        (e, commandLine, parsed) -> {
          err.println("takt demo: " + Objects.requireNonNullElse(e.getMessage(), e.toString()));
          return 1;
        });
    return line.execute(args);
  }

  @Override
  public Integer call() throws IOException {
    int factor =
        switch (speed) {
          case null -> 0;
          case "1x" -> 1;
          case "10x" -> 10;
          case "max" -> 0;
          default -> throw usage("--speed " + speed + " (expected: 1x, 10x or max)");
        };
    int usual = host ? TURNS : input == null && factor == 0 ? DEFAULT_REPEAT : 1;
    int passes = repeat != null ? repeat : usual;
    if (passes < 1 || passes > MAX_REPEAT) {
      throw usage("--repeat " + passes + " (expected: 1 to " + MAX_REPEAT + ")");
    }
    if (host && data != null) {
      throw usage("--host keeps no state; leave out --data");
    }
    html = html == null ? defaultPage() : html;
    CommandLines.checkFiles(spec.commandLine(), json, html);
    MarketSource source =
        input == null ? MarketReader::openBitstampTrades : () -> MarketReader.open(input);
    try (InterruptHook _ = new InterruptHook("takt demo", this::cancel);
        StateKeeper keeper =
            data == null ? null : StateKeeper.open(data, inputName(), this::tell)) {
      if (host) {
        return replayWithHost(source, factor, passes);
      }
      TradingResult result = replay(source, Excerpt.ALL, factor, passes, keeper);
      TradingResult paced = null;
      if (speed == null && data == null && result.problem() == null && !result.cancelled()) {
        paced = replay(source, Excerpt.busiest(source, EXCERPT_NS), EXCERPT_SPEED, 1, null);
      }
      boolean asked = speed != null || repeat != null || result.cancelled();
      return report(result, paced, asked ? passes : Math.max(1, result.passes()));
    } catch (MarketDataException e) {
      err.println("takt demo: " + e.getMessage());
      return 1;
    }
  }

  private void tell(String trouble) {
    err.println("takt demo: " + trouble);
  }

  private TradingResult replay(
      MarketSource source, Excerpt excerpt, int factor, int passes, StateKeeper keeper)
      throws IOException {
    try (TradingFloor floor =
        new TradingFloor(
            source,
            excerpt,
            factor,
            passes,
            new TradersHere(TradingFloor.DEFAULT_CAPACITY, scheduling(), keeper),
            true)) {
      begin(List.of(floor));
      if (speed == null && repeat == null && keeper == null) {
        floor.endAfter(FULL_SPEED_NS);
      }
      return floor.run(new Progress(err, isTerminal()));
    }
  }

  /** What Ctrl-C ends from now on. */
  private void begin(List<TradingFloor> floors) {
    running = floors;
    if (cancelled) {
      cancel();
    }
  }

  private int replayWithHost(MarketSource source, int factor, int passes) throws IOException {
    int pace = factor;
    if (speed == null) {
      long marketNs = MarketSpan.of(source, Excerpt.ALL).durationNs();
      pace = Math.clamp(marketNs / TURN_NS, 1, Integer.MAX_VALUE);
    }
    int capacity = TradingFloor.DEFAULT_CAPACITY;
    Traders here = new TradersHere(capacity, scheduling(), null);
    Traders there = new TradersInHost(capacity, realtime);
    try (TradingFloor same = new TradingFloor(source, Excerpt.ALL, pace, passes, here, false);
        TradingFloor other = new TradingFloor(source, Excerpt.ALL, pace, passes, there, false)) {
      List<TradingFloor> floors = List.of(same, other);
      begin(floors);
      List<TradingResult> results =
          TradingFloor.runInTurns(new Progress(err, isTerminal()), floors);
      HostedReport hosted = new HostedReport(results.get(1), results.get(0));
      Report report = hosted.of(title(), pace > 0);
      report.setting("speed", pace == 0 ? "max" : pace + "x").setting("repeat", passes);
      report.setting("host", true);
      return show(report, hosted.problem());
    }
  }

  private RuntimeScheduling scheduling() {
    return realtime ? RuntimeScheduling.REALTIME : RuntimeSettings.DEFAULTS.scheduling();
  }

  private int report(TradingResult result, TradingResult paced, int passes) throws IOException {
    String name = title();
    String pace = speed == null ? "max" : speed;
    Report report = new TradingReport(result, paced).of(name, pace, passes);
    report.setting("speed", speed == null ? "max, then 10x" : speed);
    if (data != null) {
      report.setting("data", data.toString());
    }
    report.setting("repeat", passes);
    String problem = result.problem() != null || paced == null ? result.problem() : paced.problem();
    return show(report, problem);
  }

  private int show(Report report, String problem) throws IOException {
    report.setting("input", title()).setting("realtime", realtime);
    report.setting("source", input == null ? MarketReader.BITSTAMP_SOURCE : input.toString());
    PrintWriter out = spec.commandLine().getOut();
    out.print(report.toTable(Terminal.ofStdout()));
    out.flush();
    if (problem != null) {
      err.println("takt demo: " + problem);
    }
    report.write(json, html);
    if (html != null) {
      err.println("takt demo: the plots are in " + html);
    }
    return problem == null ? 0 : 1;
  }

  private String title() {
    return input == null ? MarketReader.BITSTAMP_TITLE : input.getFileName().toString();
  }

  /** What state is kept of: another file of the same name and length is taken for the same. */
  private String inputName() throws IOException {
    return input == null ? title() : title() + " of " + Files.size(input) + " bytes";
  }

  /**
   * Where the launcher wants pages that the user has not named; without a launcher there is none.
   */
  private static Path defaultPage() {
    String folder = System.getProperty("takt.reports");
    return folder == null ? null : Path.of(folder, "takt-demo.html");
  }

  private ParameterException usage(String problem) {
    return new ParameterException(spec.commandLine(), problem);
  }

  /** Ctrl-C: lets the run end early and show what it has. */
  private void cancel() {
    cancelled = true;
    running.forEach(TradingFloor::cancel);
  }

  private static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal() && !"dumb".equals(System.getenv("TERM"));
  }
}
