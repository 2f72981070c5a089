package dev.takt.cli;

import dev.takt.reflex.RuntimeScheduling;
import dev.takt.reflex.RuntimeStarts;
import dev.takt.safety.load.FindingText;
import dev.takt.safety.load.UnsafeTasksException;
import dev.takt.safety.load.WeavingLoader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a program whose tasks are checked and woven while it is loaded. */
@Command(name = "run", sortOptions = false, mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
  /** Options that may stand on both sides of the program. */
  static final class Options {
    @Option(
        names = "--main",
        paramLabel = "CLASS",
        description = "the class to start; a jar's manifest may name it")
    private String main;

    @Option(
        names = "--class-path",
        paramLabel = "PATH",
        description = "what the program uses, beside takt and what its manifest names")
    private String classPath;

    @Option(
        names = "--debug",
        description =
            "trap uses of transient objects after their release, and say where they were made;"
                + " slow")
    private boolean debug;

    @Option(
        names = "--realtime",
        description =
            "ask the operating system for real-time scheduling (FIFO by the tasks' priorities, on"
                + " processors that no other thread of the program uses; locked memory; idle"
                + " processors that stay awake) unless the program configures it; what was granted"
                + " is shown")
    private boolean realtime;

    @Option(
        names = "--train",
        description =
            "keep what the JVM learns in this run, so that later ones start faster; done by ./takt")
    private boolean train;

    @Option(names = "--strict", description = "treat warnings as errors")
    private boolean strict;

    @Option(
        names = "--policy",
        paramLabel = "FILE",
        description =
            "run several jars, each JAR [-- ARGUMENT... [--]], in one process, each in the class"
                + " that this file gives to its signer; stands before the first one")
    private Path policy;
  }

  @Mixin private Options before;

  @Parameters(index = "0", paramLabel = "JAR|DIR", description = "the program")
  private Path program;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "ARGUMENT",
      description = "options for takt, and then arguments of the program's own")
  private List<String> words = List.of();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    if (before.policy != null) {
      return runByPolicy();
    }
    Options after = new Options();
    List<String> arguments = parse(words, after);
    PrintWriter err = spec.commandLine().getErr();
    if (after.policy != null) {
      throw new ParameterException(
          spec.commandLine(),
          "--policy stands before the program, because it concerns all of them");
    }
    boolean debug = before.debug || after.debug;
    try {
      Applications.existing(List.of(program));
      String main = main(program, after.main == null ? before.main : after.main);
      String classPath = after.classPath == null ? before.classPath : after.classPath;
      List<Path> libraries =
          Applications.libraries(List.of(program), classPath == null ? "" : classPath);
      WeavingLoader loader =
          WeavingLoader.open(
              List.of(program), libraries, Applications.takt(), TaktOnly.all(), debug);
      err.print(FindingText.of(loader.warnings()));
      err.flush();
      if (!loader.warnings().isEmpty() && (before.strict || after.strict)) {
        err.println("takt run: " + program + " is not started: with --strict, warnings forbid it");
        return CommandLine.ExitCode.SOFTWARE;
      }
      prepareScheduling(before.realtime || after.realtime, "takt run", err);
      return new Program(loader, main).run(arguments, err);
    } catch (UnsafeTasksException e) {
      err.print(FindingText.of(e.findings()));
      err.println("takt run: " + program + " is not started: its tasks break the rules above");
      return CommandLine.ExitCode.SOFTWARE;
    } catch (IOException e) {
      err.println("takt run: " + CommandLines.reason(e));
      return CommandLine.ExitCode.USAGE;
    }
  }

  private int runByPolicy() {
    PrintWriter err = spec.commandLine().getErr();
    List<ApplicationWords> applications;
    try {
      applications = ApplicationWords.parse(before.main, before.classPath, program, words);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    prepareScheduling(before.realtime, "takt run", err);
    return new PolicyRun(before.policy, before.debug, before.strict, err).run(applications);
  }

  /** Before the first class of the runtime is loaded, which reads the property once. */
  static void prepareScheduling(boolean realtime, String command, PrintWriter err) {
    if (realtime) {
      System.setProperty(RuntimeScheduling.PROPERTY, "true");
    }
    RuntimeStarts.listen(
        runtime -> {
          if (!runtime.settings().scheduling().equals(RuntimeScheduling.NONE)) {
            err.println(command + ": scheduling: " + runtime.grants());
            err.flush();
          }
        });
  }

  /** Takes takt's own options off the front, and returns the rest. */
  private List<String> parse(List<String> after, Options into) {
    try {
      return CommandLines.of(into)
          .setStopAtUnmatched(true)
          .setUnmatchedArgumentsAllowed(true)
          .setStopAtPositional(true)
          .parseArgs(after.toArray(String[]::new))
          .unmatched();
    } catch (ParameterException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private String main(Path program, String named) throws IOException {
    String main = named == null ? Applications.mainClass(program) : named;
    if (main.isEmpty()) {
      throw new IOException(
          program + " does not say which class to start; name it with --main CLASS");
    }
    return main;
  }
}
