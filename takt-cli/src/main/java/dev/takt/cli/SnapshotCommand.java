package dev.takt.cli;

import dev.takt.cli.report.ReportFile;
import dev.takt.cli.snapshot.JsonLines;
import dev.takt.cli.snapshot.SnapshotDiff;
import dev.takt.cli.snapshot.SnapshotSeries;
import dev.takt.cli.snapshot.SnapshotSummary;
import dev.takt.persist.Persistence;
import dev.takt.persist.Recovery;
import dev.takt.persist.inspect.SnapshotFile;
import dev.takt.persist.store.FolderStorage;
import dev.takt.safety.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the files of persistence, without the classes of the program that has written them. */
@Command(name = "snapshot", sortOptions = false, mixinStandardHelpOptions = true)
final class SnapshotCommand implements Callable<Integer> {
  private static final int DEFAULT_LIMIT = 20;
  private static final int MAX_LIMIT = 1_000_000_000;

  /** For completion. */
  static final class Actions extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    Actions() {
      super(List.of("ls", "inspect", "verify", "diff", "export"));
    }
  }

  @Parameters(
      index = "0",
      paramLabel = "ACTION",
      completionCandidates = Actions.class,
      description = "ls, inspect, verify, diff or export")
  private String action;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "FILE",
      description = "snapshots, or folders with snapshots; two for diff, one file for export")
  private List<Path> files;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "" + DEFAULT_LIMIT,
      description = "how many differences diff shows, 0 to 1000000000; ${DEFAULT-VALUE}")
  private int limit;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "where export writes to, instead of the terminal")
  private Path output;

  @Option(
      names = "--partial",
      description = "export what comes before the damage, if the file is damaged")
  private boolean partial;

  @Spec private CommandSpec spec;

  private PrintWriter out;
  private PrintWriter err;

  @Override
  public Integer call() throws IOException {
    out = spec.commandLine().getOut();
    err = spec.commandLine().getErr();
    if (limit < 0 || limit > MAX_LIMIT) {
      throw usage("--limit=" + limit + " (expected: 0 to 1000000000)");
    }
    for (Path each : files) {
      requireNoSegment(each);
    }
    boolean good =
        switch (action) {
          case "ls" -> list();
          case "inspect" -> forEach(this::inspect);
          case "verify" -> forEach(this::verify);
          case "diff" -> diff();
          case "export" -> export();
          default ->
              throw usage(
                  Printable.of(action)
                      + " (expected: one of "
                      + String.join(", ", new Actions())
                      + ")");
        };
    out.flush();
    return good ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  /**
   * The blocks of a journal are those of a snapshot, its records are not: it would seem damaged.
   */
  private void requireNoSegment(Path file) {
    Path name = file.getFileName();
    if (name != null && name.toString().matches("journal-[0-9a-f]{16}\\.takt")) {
      throw usage(
          Printable.of(file.toString())
              + " is a segment of a journal (expected: a snapshot, a file of changes, or a folder)");
    }
  }

  private ParameterException usage(String problem) {
    return new ParameterException(spec.commandLine(), problem);
  }

  /** Looks at a file; false: something is wrong with it. */
  @FunctionalInterface
  private interface Look {
    boolean at(Path file, SnapshotFile snapshot) throws IOException;
  }

  private boolean forEach(Look look) throws IOException {
    List<Path> found = found();
    boolean good = !found.isEmpty();
    for (Path each : found) {
      try (SnapshotFile snapshot = SnapshotFile.open(each)) {
        good &= look.at(each, snapshot);
      } catch (IOException e) {
        if (e instanceof NoSuchFileException && !files.contains(each)) {
          continue; // a program that writes to the folder has deleted it meanwhile
        }
        good &= isUnfinished(each);
        out.printf(
            "%s: %s, nothing can be read: %s%n",
            name(each), isUnfinished(each) ? "unfinished" : "refused", CommandLines.reason(e));
      }
    }
    return good;
  }

  /** The files, and those in the folders, the oldest generation first. */
  private List<Path> found() throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path each : files) {
      if (!Files.isDirectory(each)) {
        found.add(each);
        continue;
      }
      try (Stream<Path> inside = Files.list(each)) {
        found.addAll(
            inside
                .filter(
                    file ->
                        file.getFileName().toString().matches("(snapshot|changes)-.*\\.(takt|tmp)"))
                .sorted(Comparator.comparing(SnapshotCommand::fromGeneration))
                .toList());
      }
    }
    if (found.isEmpty()) {
      err.println("takt snapshot: there is no snapshot in " + Printable.of(files.toString()));
    }
    return found;
  }

  /** The name of a file from the number of its generation on. */
  private static String fromGeneration(Path file) {
    String name = file.getFileName().toString();
    return name.substring(name.indexOf('-'));
  }

  /** What a program writes, or wrote when it was killed; persistence deletes it by itself. */
  private static boolean isUnfinished(Path file) {
    return file.toString().endsWith(".tmp");
  }

  private static String name(Path file) {
    return Printable.of(file.toString());
  }

  // ---- ls

  private boolean list() throws IOException {
    String format = "%-20s %10s %14s %12s %5s  %s%n";
    Map<Path, String> refused = refused();
    out.printf(format, "written", "generation", "bytes", "objects", "roots", "file");
    return forEach(
        (file, snapshot) -> {
          String damage = refused.getOrDefault(file, snapshot.damage());
          String state =
              isUnfinished(file)
                  ? "  (unfinished)"
                  : damage == null ? "" : "  (refused: " + damage + ")";
          out.printf(
              format,
              DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss")
                  .format(
                      Files.getLastModifiedTime(file)
                          .toInstant()
                          .truncatedTo(ChronoUnit.SECONDS)
                          .atZone(ZoneId.systemDefault())),
              snapshot.generation(),
              "%,d".formatted(snapshot.bytes()),
              snapshot.objects() < 0 ? "?" : "%,d".formatted(snapshot.objects()),
              snapshot.roots().size(),
              name(file) + Printable.of(state));
          return isUnfinished(file) || damage == null;
        });
  }

  /** What a recovery would pass over of the folders, and why. */
  private Map<Path, String> refused() throws IOException {
    Map<Path, String> refused = new HashMap<>();
    for (Path each : files) {
      if (Files.isDirectory(each)) {
        for (Recovery.Rejected rejected : Persistence.rejected(FolderStorage.open(each))) {
          String reason = rejected.reason(); // begins with the name
          int nameEnd = reason.indexOf(": ");
          refused.put(each.resolve(reason.substring(0, nameEnd)), reason.substring(nameEnd + 2));
        }
      }
    }
    return refused;
  }

  // ---- inspect and verify

  private boolean inspect(Path file, SnapshotFile snapshot) {
    SnapshotSummary summary = SnapshotSummary.of(snapshot);
    out.printf(
        "%s: generation %s%s, %,d bytes, %,d objects%n",
        name(file), snapshot.generation(), base(snapshot), snapshot.bytes(), summary.objects());
    for (SnapshotSummary.Root root : summary.roots()) {
      out.printf("root %s: %,d objects%n", Printable.of(root.name()), root.objects());
      for (SnapshotSummary.TypeCount each : root.types()) {
        out.printf(
            "%,12d objects %,14d bytes  %s%n",
            each.objects(), each.bytes(), Printable.of(each.type().toString()));
      }
    }
    return tellDamage(file, summary);
  }

  private static String base(SnapshotFile snapshot) {
    return snapshot.base() == 0 ? "" : " (changes since generation " + snapshot.base() + ")";
  }

  private boolean verify(Path file, SnapshotFile snapshot) {
    SnapshotSummary summary = SnapshotSummary.of(snapshot);
    if (summary.damage() == null) {
      out.printf(
          "%s: good, generation %s%s, %,d roots, %,d objects, %,d bytes%n",
          name(file),
          snapshot.generation(),
          base(snapshot),
          summary.roots().size(),
          summary.objects(),
          snapshot.bytes());
    }
    return tellDamage(file, summary);
  }

  private boolean tellDamage(Path file, SnapshotSummary summary) {
    if (summary.damage() == null) {
      return true;
    }
    out.println(name(file) + ": damaged: " + Printable.of(summary.damage()));
    out.println("  readable before that: " + readable(summary));
    return false;
  }

  private static String readable(SnapshotSummary summary) {
    List<String> roots = new ArrayList<>();
    for (SnapshotSummary.Root each : summary.roots()) {
      roots.add(
          "root %s, %s%,d objects"
              .formatted(
                  Printable.of(each.name()), each.whole() ? "all " : "the first ", each.objects()));
    }
    return roots.isEmpty() ? "nothing" : String.join("; ", roots);
  }

  // ---- diff and export

  private boolean diff() throws IOException {
    if (files.size() != 2) {
      throw usage("diff compares two files, not " + files.size());
    }
    try (SnapshotSeries one = SnapshotSeries.open(files.getFirst());
        SnapshotSeries other = SnapshotSeries.open(files.getLast())) {
      long count = SnapshotDiff.of(one, other, limit, line -> out.println(Printable.of(line)));
      if (count > limit) {
        out.printf("%,d more differences; --limit shows more%n", count - limit);
      }
      return count == 0;
    }
  }

  private static boolean isSame(Path file, Path other) throws IOException {
    return Files.exists(file) && Files.exists(other) && Files.isSameFile(file, other);
  }

  private boolean export() throws IOException {
    if (files.size() != 1) {
      throw usage("export takes one file, not " + files.size());
    }
    CommandLines.checkFiles(spec.commandLine(), output);
    Path file = files.getFirst();
    if (output != null && isSame(file, output)) {
      throw usage(
          "--output=%s is the snapshot itself (expected: another file)"
              .formatted(Printable.of(output.toString())));
    }
    try (SnapshotFile snapshot = SnapshotFile.open(file)) {
      SnapshotSummary summary = SnapshotSummary.of(snapshot);
      if (summary.damage() != null) {
        err.println(
            "takt snapshot: %s is damaged: %s; readable before that: %s%s"
                .formatted(
                    name(file),
                    Printable.of(summary.damage()),
                    readable(summary),
                    partial ? "" : "; --partial exports it"));
        if (!partial) {
          return false;
        }
      }
      if (output == null) {
        JsonLines.write(snapshot, summary, out);
      } else {
        // The state of tasks: for who may read the snapshot, and no others.
        ReportFile.writePrivate(output, to -> JsonLines.write(snapshot, summary, to));
      }
      return summary.damage() == null;
    }
  }
}
