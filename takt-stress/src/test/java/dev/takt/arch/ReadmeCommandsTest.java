package dev.takt.arch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every command of README and {@code docs/commands.md} from one fresh copy of the sources: two at
 * once before anything is built, then all in the documents' order, then in random order and two at
 * a time. Each is tried in its cheapest form that loads what it needs; the long evidence runs
 * measure, in many rounds.
 */
class ReadmeCommandsTest {
  private static final boolean FULL = Boolean.getBoolean("takt.full");
  private static final int ROUNDS = FULL ? 50 : 1;
  private static final Set<String> NOT_COPIED = Set.of("target", "dist", ".git", ".idea");
  private static final Pattern COMMAND =
      Pattern.compile("\\./takt ([a-z]+)(?: ((?:bench )?[a-z]+|--train))?");

  private static final String PROGRAM =
      """
      import dev.takt.reflex.ReflexTask;
      import dev.takt.space.Event;

      public class Program extends ReflexTask {
        private long count;

        @Override
        public void initialize() {
          subscribe(new Event("type", "sell"));
        }

        @Override
        public void execute() {
          count++;
        }

        public static void main(String[] arguments) {
          System.out.println("Program with " + String.join(" ", arguments));
        }
      }
      """;

  /** A command as a test starts it, and how it is to end. */
  private record Form(int exitCode, List<String> words) {
    static Form of(int exitCode, String words) {
      return new Form(exitCode, List.of(words.split(" ")));
    }
  }

  private static final Path SNAPSHOT =
      Project.ROOT.resolve("takt-persist/src/test/resources/dev/takt/persist/version1.takt");

  @TempDir private static Path folder;
  private static Path clone;
  private static Path program;

  @BeforeAll
  static void copySourcesAndCompileAProgram() throws IOException, InterruptedException {
    clone = folder.resolve("a fresh clone");
    Files.walkFileTree(Project.ROOT, new Copy());
    program = Files.createDirectory(folder.resolve("program"));
    Path source = folder.resolve("Program.java");
    Files.writeString(source, PROGRAM);
    List<Path> takt =
        List.of(
            Project.classes("takt-space"),
            Project.classes("takt-realtime"),
            Project.classes("takt-reflex"));
    Project.Run javac =
        Project.run(
            folder,
            Map.of(),
            List.of(
                Project.jdkTool("javac"),
                "-cp",
                Project.path(takt),
                "-d",
                program.toString(),
                source.toString()));
    assertThat(javac.exitCode()).as(javac.err()).isZero();
  }

  @Test
  void shouldEndAsDocumentedInAnyOrderAndTwoAtATime() {
    Map<String, Form> forms = forms();
    List<String> documented = documentedCommands();
    assertThat(documented).as("each command has a form here").hasSameElementsAs(forms.keySet());

    List<Project.Run> first = both(forms.get("demo"), forms.get("doctor"));
    assertThat(first.stream().filter(each -> each.err().contains("takt: built in ")))
        .as("one built, the other waited: " + first)
        .hasSize(1);
    documented.forEach(each -> run(forms.get(each)));
    long seed = Seeds.seed();
    System.out.println("ReadmeCommandsTest: seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      List<String> order = new ArrayList<>(documented);
      Collections.shuffle(order, random);
      for (int i = 0; i + 1 < order.size(); i += 2) {
        both(forms.get(order.get(i)), forms.get(order.get(i + 1)));
      }
    }
  }

  private static Map<String, Form> forms() {
    Map<String, Form> forms = new LinkedHashMap<>();
    forms.put("demo", Form.of(0, "demo --speed max --repeat 1"));
    forms.put("test", Form.of(0, "test --help"));
    forms.put("check", new Form(0, List.of("check", program.toString())));
    forms.put(
        "weave",
        new Form(
            0, List.of("weave", program.toString(), "--output", folder.resolve("w").toString())));
    forms.put(
        "run", new Form(0, List.of("run", program.toString(), "--main", "Program", "a", "b")));
    forms.put(
        "run --train",
        new Form(0, List.of("run", "--train", "--main", "Program", program.toString())));
    for (String suite :
        List.of(
            "space", "chain", "memory", "atomic", "gc", "rtj", "predict", "cpu", "persist",
            "session", "host")) {
      forms.put(
          "bench " + suite,
          FULL
              ? Form.of(0, "bench " + suite + " --quick")
              : Form.of(2, "bench " + suite + " --json /no/such/folder/x.json"));
    }
    forms.put("doctor", Form.of(0, FULL ? "doctor --quick" : "doctor --duration 0"));
    forms.put("format", Form.of(0, FULL ? "format" : "format --help"));
    forms.put("install", Form.of(0, "install --help")); // really: .ci/outside
    forms.put("schedule", Form.of(0, "schedule --help"));
    forms.put("fix", Form.of(0, "fix --help"));
    forms.put("sample", Form.of(0, "sample 1"));
    forms.put("top", Form.of(0, "top --help"));
    forms.put("host", Form.of(0, "host --help"));
    forms.put("serve", Form.of(0, "serve --help"));
    forms.put("snapshot", new Form(0, List.of("snapshot", "verify", SNAPSHOT.toString())));
    forms.put("new", Form.of(0, "new --help"));
    forms.put("completion", Form.of(0, "completion"));
    forms.put("help", Form.of(0, "help"));
    forms.put("version", Form.of(0, "version"));
    return forms;
  }

  /** In the documents' order, each once. */
  private static List<String> documentedCommands() {
    Set<String> commands = Collections.newSetFromMap(new LinkedHashMap<>());
    String text =
        Project.read(Project.ROOT.resolve("README.md"))
            + Project.read(Project.ROOT.resolve("docs/commands.md"));
    Matcher command = COMMAND.matcher(text);
    while (command.find()) {
      String more = command.group(2);
      boolean form = command.group(1).equals("bench") || "--train".equals(more);
      commands.add(form ? command.group(1) + " " + more : command.group(1));
    }
    return List.copyOf(commands);
  }

  private static List<Project.Run> both(Form one, Form other) {
    CompletableFuture<Project.Run> running = CompletableFuture.supplyAsync(() -> run(one));
    return List.of(run(other), running.join());
  }

  private static Project.Run run(Form form) {
    List<String> command = new ArrayList<>(List.of("sh", clone.resolve("takt").toString()));
    command.addAll(form.words());
    try {
      Project.Run run =
          Project.run(folder, Map.of("TAKT_DIST", "", "TAKT_JAVA_FLAGS", ""), command, 10);
      assertThat(run.exitCode())
          .as(command + "\n" + run.out() + run.err())
          .isEqualTo(form.exitCode());
      assertThat(run.err()).doesNotContain("NoClassDefFoundError", "WARNING:");
      return run;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** What a clone has, and nothing that was built. */
  private static final class Copy extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult preVisitDirectory(Path from, BasicFileAttributes attributes)
        throws IOException {
      if (NOT_COPIED.contains(from.getFileName().toString())) {
        return FileVisitResult.SKIP_SUBTREE;
      }
      Files.createDirectories(clone.resolve(Project.ROOT.relativize(from).toString()));
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path from, BasicFileAttributes attributes) throws IOException {
      if (!NOT_COPIED.contains(from.getFileName().toString())) { // .git of a work tree is a file
        Files.copy(from, clone.resolve(Project.ROOT.relativize(from).toString()));
      }
      return FileVisitResult.CONTINUE;
    }
  }
}
