package dev.takt.samples;

import dev.takt.cli.Subcommand;
import dev.takt.cli.report.TextResource;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
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
  /** All samples with what they teach, in the order of their numbers. */
  static final List<String> ALL =
      TextResource.of(SampleCommand.class, "samples.txt").lines().toList();

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
    } else if (number < 1 || number > ALL.size()) {
      throw new ParameterException(
          spec.commandLine(),
          "sample %s is not there (expected: 1 to %s); ./takt sample lists them"
              .formatted(number, ALL.size()));
    } else {
      run(ALL.get(number - 1).split(" ")[0]);
      if (System.out.checkError()) {
        throw new IOException("cannot write to standard output; what was printed is not complete");
      }
    }
    return 0;
  }

  private static void run(String name) throws Exception {
    Class<?> type = Class.forName(SampleCommand.class.getPackageName() + "." + name);
    try {
      type.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private static void list(PrintWriter out) {
    for (int i = 0; i < ALL.size(); i++) {
      out.println("%2d%s".formatted(i + 1, ALL.get(i).substring(ALL.get(i).indexOf("  "))));
    }
    out.println(
        "\n./takt sample 1 runs the first; sources: takt-samples/src/main/java/dev/takt/samples");
  }
}
