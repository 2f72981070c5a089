package dev.takt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.AuthenticationClass;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.OverrunPolicy;
import dev.takt.cpu.policy.PolicyFile;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code takt run --policy}, in processes of their own, with jars that are really signed. */
class PolicyRunTest {
  /**
   * Registers a plain and a Reflex task, both named as those of all others, and says what became of
   * them; then does what its arguments say.
   */
  private static final String PROGRAM =
      """
      package app;

      import dev.takt.cpu.CpuManager;
      import dev.takt.cpu.ManagedTask;
      import dev.takt.cpu.Profile;
      import dev.takt.reflex.ReflexRuntime;
      import dev.takt.reflex.ReflexTask;
      import dev.takt.reflex.Schedule;
      import dev.takt.space.Event;
      import dev.takt.space.EventSpace;
      import java.time.Duration;
      import java.util.concurrent.CountDownLatch;
      import java.util.concurrent.TimeUnit;

      public final class Main {
        static final class Counter extends ReflexTask {
          private long count;

          @Override
          public void execute() {
            write(new Event("count", ++count));
          }
        }

        private static ManagedTask register(String name, Runnable work) {
          ManagedTask task =
              CpuManager.installed()
                  .orElseThrow()
                  .register(Profile.of(name, 10_000_000).withBudgetNs(100_000), work);
          System.out.println(
              Thread.currentThread().getName() + ": " + task.name() + " "
                  + task.profile().authentication().name() + " " + task.state());
          return task;
        }

        public static void main(String[] arguments) throws Exception {
          CountDownLatch released = new CountDownLatch(3);
          register("loop", released::countDown);
          if (!released.await(30, TimeUnit.SECONDS)) {
            throw new AssertionError("not released");
          }
          EventSpace space = EventSpace.create();
          try (ReflexRuntime runtime = ReflexRuntime.create(space)) {
            runtime.active("counter", new Counter(), Schedule.periodic(50_000_000));
            runtime.start();
            space.take(new Event("count", null), Duration.ofSeconds(30)).getLong("count");
          }
          System.out.println(
              Thread.currentThread().getName() + ": counted, " + String.join(",", arguments));
          switch (arguments.length == 0 ? "" : arguments[0]) {
            case "fail" -> throw new IllegalStateException("as told");
            case "wait" -> {
              System.in.read();
              register("later", () -> {});
            }
            case "place" -> {
              System.out.println(
                  "at " + Main.class.getProtectionDomain().getCodeSource().getLocation().getPath());
              new CountDownLatch(1).await();
            }
            case "thread" -> new Thread(() -> System.out.println("the last thread")).start();
            default -> {}
          }
        }
      }
      """;

  private static final String POLICY =
      """
      takt-policy 1
      class control
        rank 10
        max-cost 2ms
        max-period 1s
        max-share 40%
      class guest
        max-cost 1ms
        max-period 1s
        max-share 5%
      signer control certificate plant.pem
      """;

  @TempDir private static Path made;
  private static Path plain;
  private static Path signed;

  @TempDir private Path folder;
  private final StringWriter err = new StringWriter();

  /** What a process has said. */
  private record Said(int exitCode, String out, String err) {}

  @BeforeAll
  static void sign() throws IOException {
    plain = UserProgram.jar(UserProgram.compile(made, PROGRAM), made.resolve("plain.jar"));
    signed = SignedJar.of(plain, made);
  }

  private static Path policy(String more) throws IOException {
    return Files.writeString(Files.createTempFile(made, "test", ".policy"), POLICY + more);
  }

  private static Process start(Object... words) throws IOException {
    return start(List.of(), words);
  }

  private static Process start(List<String> options, Object[] words) throws IOException {
    String path =
        Stream.of(System.getProperty("jdk.module.path"), System.getProperty("java.class.path"))
            .filter(each -> each != null && !each.isEmpty())
            .collect(Collectors.joining(File.pathSeparator));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", path, "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of(Main.class.getName(), "run"));
    Stream.of(words).forEach(each -> command.add(each.toString()));
    return new ProcessBuilder(command).start();
  }

  private static Said run(Object... words) throws Exception {
    return runToEnd(startWithPolicy(words));
  }

  private static Process startWithPolicy(Object... words) throws IOException {
    return start(Stream.concat(Stream.of("--policy"), Stream.of(words)).toArray());
  }

  private static Said runToEnd(Process process) throws Exception {
    process.getOutputStream().close();
    CompletableFuture<String> err =
        CompletableFuture.supplyAsync(
            () -> process.errorReader().lines().collect(Collectors.joining("\n")));
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Said(process.waitFor(), out, err.get());
  }

  private static String awaitLine(BufferedReader from, String part) throws IOException {
    StringBuilder seen = new StringBuilder();
    for (String line = from.readLine(); line != null; line = from.readLine()) {
      seen.append(line).append('\n');
      if (line.contains(part)) {
        return line;
      }
    }
    throw new AssertionError("no line with " + part + " in:\n" + seen);
  }

  private Path tampered() throws IOException {
    Path jar = Files.copy(signed, folder.resolve("tampered.jar"));
    try (FileSystem zip = FileSystems.newFileSystem(jar)) {
      Files.writeString(zip.getPath("/app/readme.txt"), "changed");
    }
    return jar;
  }

  @Test
  void shouldLookAgainAfterALookThatHasThrownAndSayItOnce() {
    List<String> said = new ArrayList<>();
    int[] looks = {0};
    Runnable look =
        PolicyRun.lasting(
            "look",
            () -> {
              looks[0]++;
              if (looks[0] < 3) {
                throw new IllegalStateException("thrown by a test");
              }
              throw new StackOverflowError();
            },
            said::add);
    for (int i = 0; i < 4; i++) {
      look.run();
    }
    assertThat(looks[0]).isEqualTo(4);
    assertThat(said).hasSize(2);
    assertThat(said.getFirst()).contains("a look failed, and others follow", "thrown by a test");
  }

  @Test
  void shouldRunEachJarInTheClassOfItsSigner() throws Exception {
    Said said = run(policy("unsigned guest"), signed, "--", "thread", "--x", "--", plain, signed);

    assertThat(said.exitCode()).as(said.err()).isZero();
    assertThat(said.out())
        .contains(
            "signed: signed/loop control ADMITTED",
            "plain: plain/loop guest ADMITTED",
            "signed-2: signed-2/loop control ADMITTED",
            "signed: counted, thread,--x",
            "plain: counted, \n",
            "the last thread");
    assertThat(said.err())
        .contains(
            "takt run: signed: " + signed + ": signed by CN=plant; class control",
            "takt run: plain: " + plain + ": it is not signed; class guest, as unsigned code",
            "takt run: task signed/loop is admitted",
            "takt run: task plain/counter is admitted for a trial",
            "takt run: task signed-2/counter has ended")
        .doesNotContain("Exception", "WARNING");
  }

  @Test
  void shouldLetTheOthersRunWhenOneIsRefusedOrFails() throws Exception {
    Said said =
        run(
            policy("unsigned guest"),
            tampered(),
            folder.resolve("missing.jar"),
            plain,
            "--",
            "fail",
            "--",
            "--main",
            "app.None",
            signed,
            signed,
            "--",
            "last");

    assertThat(said.exitCode()).isEqualTo(1);
    assertThat(said.out()).contains("plain: counted, fail", "signed-2: counted, last");
    assertThat(said.err())
        .contains(
            "takt run: tampered is not started: ",
            "tampered.jar: it was changed after it was signed",
            "takt run: missing is not started: ",
            "it does not exist; check the path",
            "Exception in thread \"plain\" java.lang.IllegalStateException: as told",
            "takt run: signed is not started: there is no class app.None");
  }

  /** The JDK makes objects of a manifest, of many times its size. */
  @Test
  void shouldLetTheOthersRunWhenOneNeedsMoreMemoryThanThereIs() throws Exception {
    Path jar = Files.copy(plain, folder.resolve("large.jar"));
    StringBuilder manifest = new StringBuilder("Manifest-Version: 1.0\n\n");
    for (int i = 0; i < 400_000; i++) {
      manifest.append("Name: ").append(i).append("\nA: b\n\n");
    }
    try (FileSystem zip = FileSystems.newFileSystem(jar)) {
      Files.writeString(zip.getPath("/META-INF/MANIFEST.MF"), manifest);
    }
    Path temporary = Files.createDirectory(folder.resolve("temporary"));

    Said said =
        runToEnd(
            start(
                List.of("-Xmx64m", "-Djava.io.tmpdir=" + temporary),
                new Object[] {"--policy", policy("unsigned guest"), jar, plain}));

    assertThat(said.exitCode()).as(said.err()).isEqualTo(1);
    assertThat(said.err())
        .contains("large is not started: it needs more memory to be loaded than is left: ");
    assertThat(said.out()).contains("plain: counted");
    try (Stream<Path> left = Files.list(temporary)) {
      assertThat(left.filter(each -> each.getFileName().toString().startsWith("takt-run-")))
          .isEmpty();
    }
  }

  @Test
  void shouldTakeAChangedPolicyForWhatIsRegisteredFromThenOn() throws Exception {
    Path policy = policy("unsigned guest");
    Process process = startWithPolicy(policy, plain, "--", "wait");
    try (BufferedReader out = process.inputReader();
        BufferedReader errors = process.errorReader()) {
      awaitLine(out, "plain: counted, wait");
      Files.writeString(policy, POLICY + "unsigned contrl");
      assertThat(awaitLine(errors, "stays in force"))
          .contains(policy + ":12: class contrl (expected: one of ", "did you mean control?");
      Files.writeString(policy, POLICY + "unsigned control\nmanager\nalpha 60%\n");
      awaitLine(errors, policy + " has changed and is in force");
      awaitLine(errors, "from now on: " + plain + ": it is not signed; class control");
      awaitLine(errors, "counts from the next start on");
      process.getOutputStream().write('\n');
      process.getOutputStream().close();
      assertThat(awaitLine(out, "later")).isEqualTo("plain: plain/later control ADMITTED");
      assertThat(process.waitFor()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void shouldEndCleanlyWhenItIsToldTo() throws Exception {
    Process process = startWithPolicy(policy("unsigned guest"), plain, "--", "place");
    try (BufferedReader out = process.inputReader();
        BufferedReader errors = process.errorReader()) {
      Path copy = Path.of(awaitLine(out, "at ").substring("at ".length()));
      assertThat(copy).exists();
      assertThat(Files.getPosixFilePermissions(copy.getParent().getParent())).hasSize(3);

      new ProcessBuilder("kill", "-s", "INT", Long.toString(process.pid())).start().waitFor();

      assertThat(process.waitFor()).isEqualTo(130);
      assertThat(errors.lines().filter(line -> line.contains("Exception"))).isEmpty();
      assertThat(copy.getParent().getParent()).doesNotExist();
    } finally {
      process.destroyForcibly();
    }
  }

  /** Priorities are the manager's to give; what tells of them is anybody's. */
  @Test
  void shouldShowApplicationsNothingThatGivesThemAPriorityPastTheManager() throws Exception {
    String program =
        """
        package app;

        import dev.takt.cpu.CpuManager;
        import dev.takt.realtime.OperatingSystems;
        import dev.takt.realtime.os.ThreadScheduling;
        import dev.takt.reflex.ReflexRuntime;
        import dev.takt.reflex.RuntimeScheduling;
        import dev.takt.reflex.RuntimeSettings;
        import dev.takt.space.EventSpace;

        public final class Main {
          static void take() {
            OperatingSystems.current().schedule(ThreadScheduling.fifo(1));
          }

          public static void main(String[] arguments) throws Exception {
            System.out.println("manager: " + CpuManager.installed());
            RuntimeSettings settings =
                RuntimeSettings.DEFAULTS.withScheduling(RuntimeScheduling.REALTIME);
            try (ReflexRuntime runtime = ReflexRuntime.create(EventSpace.create(), settings)) {
              runtime.start();
              System.out.println("grants: " + runtime.grants().toString());
            }
            for (String each :
                new String[] {"dev.takt.rtsj.RealtimeThread", "dev.takt.persist.Persistence"}) {
              try {
                System.out.println("found: " + Class.forName(each).getName());
              } catch (NoClassDefFoundError | ClassNotFoundException e) {
                System.out.println("error: " + e.getMessage());
              }
            }
            take();
            System.out.println("scheduled");
          }
        }
        """;
    Path jar = UserProgram.jar(UserProgram.compile(folder, program), folder.resolve("fifo.jar"));

    Said said = run(policy("unsigned guest"), jar);
    assertThat(said.exitCode()).isEqualTo(1);
    assertThat(said.out())
        .as(said.err())
        .contains(
            "manager: Optional[",
            "grants: ",
            "error: dev.takt.rtsj.RealtimeThread is not for",
            "error: dev.takt.persist.Persistence is not for")
        .doesNotContain("scheduled");
    assertThat(said.err())
        .contains(
            "NoClassDefFoundError: dev.takt.realtime.",
            "is not for applications under a policy",
            "register a task with it, CpuManager.installed()");

    Said alone = runToEnd(start(jar));
    assertThat(alone.out())
        .as(alone.err())
        .contains("found: dev.takt.persist.Persistence", "scheduled");
  }

  /** What a signed jar names must not come in under its name. */
  @Test
  void shouldAskThePolicyAboutTheLibrariesOfAJar() throws Exception {
    Path library = Files.copy(plain, folder.resolve("library.jar"));
    Said refused = run(policy(""), "--class-path", library, signed);
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err())
        .contains(
            "takt run: signed is not started: "
                + library
                + ": it is not signed; the policy"
                + " refuses unsigned code; sign it: jarsigner -keystore KEYSTORE "
                + library);

    Said taken = run(policy("unsigned guest"), "--class-path", library, signed);
    assertThat(taken.exitCode()).as(taken.err()).isZero();
    assertThat(taken.err()).contains("signed: " + library + ": it is not signed; class guest");
    assertThat(taken.out()).contains("signed/loop control ADMITTED");
  }

  /**
   * Classes of one package must have one signer: those that were woven, and those that were not.
   */
  @Test
  void shouldRunASignedJarWithoutAPolicy() throws Exception {
    String program =
        """
        package app;

        import dev.takt.reflex.ReflexTask;

        public final class Main {
          interface Name {}

          static final class Task extends ReflexTask implements Name {
            @Override
            public void execute() {}
          }

          public static void main(String[] arguments) {
            System.out.println("made: " + (new Task() instanceof Name));
          }
        }
        """;
    Path jar = UserProgram.jar(UserProgram.compile(folder, program), folder.resolve("task.jar"));
    String[] words = {"-keystore", made.resolve("keys.p12").toString(), "-storepass", "changeit"};
    SignedJar.tool("jarsigner", words, jar.toString(), "plant");

    Said said = runToEnd(start(jar));

    assertThat(said.out()).as(said.err()).contains("made: true");
    assertThat(said.exitCode()).isZero();
  }

  /** What the document shows is what an operator copies. */
  @Test
  void shouldTakeTheExampleOfTheDocument() throws Exception {
    Matcher example =
        Pattern.compile("(?s)```\n(takt-policy 1\n.*?)```")
            .matcher(Files.readString(Path.of("..", "docs", "policy.md")));
    assertThat(example.find()).isTrue();
    Files.copy(made.resolve("plant.pem"), folder.resolve("plant.pem"));
    Path file = Files.writeString(folder.resolve("example.policy"), example.group(1));

    PolicyFile policy = PolicyFile.read(file);

    assertThat(policy.classes().keySet()).containsExactly("control", "vendor", "guest");
    assertThat(policy.classes().get("control"))
        .isEqualTo(
            new AuthenticationClass(
                "control",
                10,
                2_000_000,
                1_000_000_000,
                0.4,
                true,
                OverrunPolicy.DEMOTE,
                1_000_000));
    assertThat(policy.unsigned()).isEqualTo(policy.classes().get("guest"));
    ManagerSettings settings = policy.apply(ManagerSettings.defaults());
    assertThat(settings.alpha()).isEqualTo(0.7);
    assertThat(settings.trialReleases()).isEqualTo(1_000);
    assertThat(policy.toString()).contains("control, vendor, guest", "2 signers", "class guest");
  }

  @Test
  void shouldSayWhatIsWrongWithItsWords() throws IOException {
    Path policy = policy("");
    assertThat(usage("--policy", policy, plain, "--foo"))
        .contains("unknown option --foo before a jar");
    assertThat(usage("--policy", policy, plain, "--main")).contains("a value is missing");
    assertThat(usage(plain, "--policy", policy)).contains("--policy stands before the program");
    assertThat(usage("--policy", folder.resolve("none"), plain)).contains("it does not exist");
    Files.writeString(policy, "takt-policy 1\nclas control");
    assertThat(usage("--policy", policy, plain))
        .contains(policy + ":2: clas (expected: one of ", "did you mean class?");
  }

  private String usage(Object... words) {
    err.getBuffer().setLength(0);
    List<String> all = new ArrayList<>(List.of("run"));
    Stream.of(words).forEach(each -> all.add(each.toString()));
    PrintWriter writer = new PrintWriter(err);
    assertThat(Main.commandLine().setErr(writer).execute(all.toArray(String[]::new)))
        .as(err.toString())
        .isEqualTo(2);
    assertThat(err.toString()).startsWith("takt run: ").hasLineCount(1);
    return err.toString();
  }
}
