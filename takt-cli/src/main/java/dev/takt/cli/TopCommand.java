package dev.takt.cli;

import dev.takt.cli.report.Terminal;
import dev.takt.cli.top.ProcessView;
import dev.takt.cli.top.TopLines;
import dev.takt.cli.top.TopTable;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.counters.CounterFolder;
import dev.takt.realtime.counters.CounterReader;
import dev.takt.realtime.counters.CounterSnapshot;
import dev.takt.realtime.counters.ProcessIdentity;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what the Takt processes of this user do, again and again. */
@Command(name = "top", sortOptions = false, mixinStandardHelpOptions = true)
final class TopCommand implements Callable<Integer> {
  private static final double MIN_INTERVAL_S = 0.1;
  private static final double MAX_INTERVAL_S = 3_600;
  private static final long END_MS = 2_000;

  /** The size of a terminal may change; finding it starts a process. */
  private static final int FRAMES_PER_SIZE = 5;

  private static final String HOME = "\u001b[H";
  private static final String CLEAR_LINE = "\u001b[K";
  private static final String CLEAR_REST = "\u001b[J";

  @Parameters(
      paramLabel = "PID|NAME",
      arity = "0..1",
      defaultValue = "",
      description =
          "the number of a process, the name of a host, or an address of ./takt serve; default: all"
              + " that run Takt")
  private String which;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description = "time between two looks, 0.1 to 3600; ${DEFAULT-VALUE}")
  private double intervalS;

  @Option(
      names = "--sort",
      paramLabel = "BY",
      defaultValue = "process",
      description =
          "process, name, misses, overruns, aborts, utilization or releases; ${DEFAULT-VALUE}")
  private TopTable.Order order;

  @Option(names = "--once", description = "show it once, after one interval, and end")
  private boolean once;

  @Option(
      names = "--json",
      description = "a line of JSON for each process and interval, instead of tables")
  private boolean json;

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description = "where the counters are; default: takt-UID in the folder for temporary files")
  private Path folder;

  @Spec private CommandSpec spec;

  private final CountDownLatch ended = new CountDownLatch(1);
  private final CountDownLatch shown = new CountDownLatch(1);
  private final Map<ProcessIdentity, CounterSnapshot> before = new HashMap<>();
  private Terminal terminal = Terminal.PLAIN;
  private int height;
  private int frames;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!(intervalS >= MIN_INTERVAL_S && intervalS <= MAX_INTERVAL_S)) {
      throw new ParameterException(
          spec.commandLine(),
          "--interval=%s (expected: %s to %s seconds)"
              .formatted(intervalS, MIN_INTERVAL_S, (long) MAX_INTERVAL_S));
    }
    Thread hook = new Thread(this::endGood, "takt-top-end");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      if (folder != null) {
        return show(new CounterFolder(folder)); // it may have anything: it is read and no more
      }
      CounterReader.removeEnded(CounterFolder.usual());
      return show(CounterFolder.usual());
    } finally {
      shown.countDown();
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // Ctrl-C: the hook runs
      }
    }
  }

  /** Ctrl-C is how this command is meant to end. */
  private void endGood() {
    ended.countDown();
    try {
      if (shown.await(END_MS, TimeUnit.MILLISECONDS)) {
        spec.commandLine().getOut().flush();
        Runtime.getRuntime().halt(CommandLine.ExitCode.OK);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private int show(CounterFolder folder) throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    boolean live = !json && !once && isTerminal();
    List<ProcessView> views = look(folder);
    if (views.isEmpty()) {
      spec.commandLine().getErr().println("takt top: " + nothing(folder));
      return CommandLine.ExitCode.SOFTWARE;
    }
    if (live) {
      out.print(HOME + CLEAR_REST);
      print(out, views, folder, true);
    }
    while (!ended.await(Math.round(1e3 * intervalS), TimeUnit.MILLISECONDS)) {
      views = look(folder);
      if (views.isEmpty() && (!which.isEmpty() || once)) {
        spec.commandLine().getErr().println("takt top: " + nothing(folder));
        return once ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
      }
      print(out, views, folder, live);
      if (once || out.checkError()) {
        break;
      }
    }
    out.print(live ? "\n" : "");
    return CommandLine.ExitCode.OK;
  }

  private String nothing(CounterFolder folder) {
    return which.isEmpty()
        ? "no Takt process of this user runs (looked in %s); start one, for example ./takt demo"
            .formatted(folder.path())
        : "process %s runs no Takt, is another user's, or has ended (looked in %s)"
            .formatted(which, folder.path());
  }

  private List<ProcessView> look(CounterFolder folder) throws IOException {
    List<CounterSnapshot> all = CounterReader.readAll(folder);
    List<ProcessView> views = new ArrayList<>();
    long nowNs = NanoClock.system().nanoTime();
    for (CounterSnapshot each : all) {
      ProcessView view = new ProcessView(each, before.get(each.process()), nowNs);
      if (isAsked(view)) {
        views.add(view);
      }
    }
    before.clear();
    all.forEach(each -> before.put(each.process(), each));
    return views;
  }

  private boolean isAsked(ProcessView view) {
    return which.isEmpty()
        || which.equals(Long.toString(view.now().process().pid()))
        || view.hosts().contains(which)
        || view.addresses().contains(which);
  }

  private void print(PrintWriter out, List<ProcessView> views, CounterFolder folder, boolean live) {
    if (json) {
      Instant time = Instant.now();
      views.forEach(each -> out.println(TopLines.of(each, time)));
    } else {
      if (frames++ % FRAMES_PER_SIZE == 0) {
        terminal = Terminal.ofStdout();
        height = live ? Terminal.heightOfStdout() : 0;
      }
      List<String> lines = new ArrayList<>();
      if (views.isEmpty()) {
        lines.addAll(Terminal.wrapped(nothing(folder), terminal.width()));
      } else {
        lines.addAll(
            isTerminal() ? TopTable.of(views, order, terminal, height) : TopTable.of(views, order));
      }
      if (live) {
        // No end of line after the last one: in a full terminal it would move the first one out.
        out.print(HOME + String.join(CLEAR_LINE + "\n", lines) + CLEAR_REST);
      } else {
        lines.forEach(each -> out.print(each + "\n"));
        out.print("\n");
      }
    }
    out.flush();
  }

  private static boolean isTerminal() {
    return System.console() != null && System.console().isTerminal();
  }
}
