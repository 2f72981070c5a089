package dev.takt.cli;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import dev.takt.safety.load.FindingText;
import dev.takt.safety.load.FolderWeaver;
import dev.takt.safety.load.JarWeaver;
import dev.takt.safety.load.NotWrittenException;
import dev.takt.safety.load.WeaveResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks and weaves jars and folders, so that the runtime takes their tasks. */
@Command(name = "weave", sortOptions = false, mixinStandardHelpOptions = true)
final class WeaveCommand implements Callable<Integer> {
  @Parameters(
      arity = "1..*",
      paramLabel = "JAR|DIR",
      description = "what to weave, one after the other; each sees the others")
  private List<Path> applications;

  @Option(
      names = "--output",
      paramLabel = "JAR|DIR",
      description = "where the woven jar or folder goes, instead of in place; for one alone")
  private Path output;

  @Option(
      names = "--class-path",
      paramLabel = "PATH",
      defaultValue = "",
      description = "what they use, beside takt and what their manifests name")
  private String classPath;

  @Option(
      names = "--debug",
      description =
          "woven code traps uses of transient objects after their release, and says where they were"
              + " made; slow")
  private boolean debug;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    if (output != null && applications.size() > 1) {
      throw new ParameterException(
          spec.commandLine(),
          "--output is for one jar or folder, not for "
              + applications.size()
              + "; weave them one by one");
    }
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try {
      Applications.existing(applications);
      boolean clean = true;
      for (Path each : applications) {
        WeaveResult weaving;
        try (WaitNotice _ = WaitNotice.on(err, "weaving " + each + " ...")) {
          weaving = weave(each);
        }
        err.print(FindingText.of(weaving.findings()));
        err.flush();
        out.println(each + ": " + weaving.summary());
        clean &= weaving.isClean();
      }
      return clean ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    } catch (NotWrittenException e) {
      err.println("takt weave: " + CommandLines.reason(e));
      return CommandLine.ExitCode.SOFTWARE;
    } catch (IOException e) {
      err.println("takt weave: " + CommandLines.reason(e));
      return CommandLine.ExitCode.USAGE;
    }
  }

  private WeaveResult weave(Path application) throws IOException {
    List<Path> libraries = new ArrayList<>(applications);
    libraries.remove(application);
    libraries.addAll(Applications.libraries(List.of(application), classPath));
    libraries.addAll(Applications.takt());
    if (!Files.isDirectory(application)) {
      return new JarWeaver(application, libraries)
          .weave(output == null ? application : output, debug);
    }
    Path folder = output == null ? application : copy(application, output);
    return new FolderWeaver(folder, null, null, libraries).weave(debug);
  }

  private static Path copy(Path from, Path to) throws IOException {
    if (to.toAbsolutePath().normalize().startsWith(from.toAbsolutePath().normalize())) {
      throw new IOException("cannot write " + to + ": it is in " + from + "; name another folder");
    }
    try (Stream<Path> files = Files.walk(from)) {
      for (Path each : (Iterable<Path>) files::iterator) {
        Path copy = to.resolve(from.relativize(each));
        copyOne(each, copy);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return to;
  }

  private static void copyOne(Path from, Path to) throws IOException {
    try {
      if (Files.isDirectory(from)) {
        Files.createDirectories(to);
      } else {
        Files.copy(from, to, REPLACE_EXISTING, COPY_ATTRIBUTES);
      }
    } catch (IOException e) {
      throw new NotWrittenException(to, e);
    }
  }
}
