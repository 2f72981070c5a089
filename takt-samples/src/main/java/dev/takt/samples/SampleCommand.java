package dev.takt.samples;

import dev.takt.cli.Subcommand;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists the numbered samples, and runs one. */
@Command(
    name = "sample",
    header = "Numbered samples: short programs that teach one idea each.",
    optionListHeading = "Options:%n",
    usageHelpAutoWidth = true,
    exitCodeListHeading = "%nExit codes:%n",
    footerHeading = "%nExamples:%n")
public final class SampleCommand implements Subcommand {
  /**
   * A sample.
   *
   * @param name its class in this package
   * @param idea what it teaches
   */
  record Sample(String name, String idea) {
    void run() throws Exception {
      String type = SampleCommand.class.getPackageName() + "." + name;
      Method main = Class.forName(type).getMethod("main", String[].class);
      try {
        main.invoke(null, (Object) new String[0]);
      } catch (InvocationTargetException e) {
        throw e.getCause() instanceof Exception cause ? cause : e;
      }
    }
  }

  /** All samples, the first is number 1. */
  static final List<Sample> ALL =
      List.of(
          new Sample(
              "Sample01WriteAndTake",
              "write puts a copy of an event into the space, take gets the oldest match out"),
          new Sample("Sample02Templates", "a template is an event that says what to look for"),
          new Sample(
              "Sample03Transaction",
              "several operations become one: others see all of them or none"),
          new Sample(
              "Sample04Subscription",
              "a subscription notifies an ordinary thread of committed matches"),
          new Sample(
              "Sample05ActiveTask", "an active task is released by time, on a thread of its own"),
          new Sample(
              "Sample06PassiveTask", "a passive task is released by events, on a thread of a pool"),
          new Sample(
              "Sample07StockBuyer",
              "a buyer that remembers the highest price and buys at half of it"),
          new Sample(
              "Sample08Memory",
              "stable objects live as long as the task, all others until the release ends"),
          new Sample(
              "Sample09AtomicMethods",
              "ordinary threads talk to a task through its atomic methods"),
          new Sample(
              "Sample10WhatTheCheckerSays",
              "a task that breaks the safety rules is refused before it runs"),
          new Sample(
              "Sample11RealtimeScheduling",
              "what the operating system grants is a value, what it refuses has a remedy"),
          new Sample(
              "Sample12RealtimeThread",
              "real-time threads without tasks: one released by time, one by arrivals"),
          new Sample("Sample13EventsAndTimers", "asynchronous events, their handlers, and timers"),
          new Sample("Sample14MemoryAreas", "a scope is memory for as long as threads are in it"));

  /** For completion. */
  static final class Numbers extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    Numbers() {
      super(IntStream.rangeClosed(1, ALL.size()).mapToObj(Integer::toString).toList());
    }
  }

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "N",
      completionCandidates = Numbers.class,
      description = "the number of the sample to run; default: list them all")
  private Integer number;

  @Override
  public Integer call() throws Exception {
    if (number == null) {
      list(spec.commandLine().getOut());
      return 0;
    }
    if (number < 1 || number > ALL.size()) {
      throw new ParameterException(
          spec.commandLine(),
          "sample %s is not there (expected: 1 to %s); ./takt sample lists them"
              .formatted(number, ALL.size()));
    }
    ALL.get(number - 1).run();
    return 0;
  }

  private static void list(PrintWriter out) {
    for (int i = 0; i < ALL.size(); i++) {
      out.println("%2d  %s".formatted(i + 1, ALL.get(i).idea()));
    }
    out.println();
    out.println(
        String.format(
            Locale.ROOT,
            "./takt sample 1 runs the first; sources: takt-samples/src/main/java/%s",
            SampleCommand.class.getPackageName().replace('.', '/')));
  }
}
