package dev.takt.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The launcher in a project of its own, in a path with blanks, with a made-up JDK, Maven and
 * package manager in front of the real ones: so each way to find or install something is tried on
 * any machine.
 */
class LauncherTest {
  /** Says what it was started with. */
  private static final String JAVA = "echo \"java $*\"";

  /** The default java of a machine that is too old for us. */
  private static final String OLD_JAVA = "echo '    java.home = '\"$(dirname \"$0\")\" >&2";

  /** Builds nothing, and tells when two builds ran at once. */
  private static final String MVN =
      "mkdir \"$HERE/running\" || echo overlap >>\"$HERE/builds\"; echo \"$*\" >>\"$HERE/builds\";"
          + " sleep 0.3; rmdir \"$HERE/running\"; for m in takt-*; do mkdir -p $m/target/lib; cp"
          + " pom.xml $m/target/$m-1.jar; cp pom.xml $m/target/lib/lib-2.jar; done; [ ! -f"
          + " \"$HERE/broken\" ] || { echo \"[ERROR] $PWD/broken\"; exit 1; }";

  @TempDir private Path folder;
  private Path home;
  private Path tools;
  private Path jvms;
  private Map<String, String> environment;

  @BeforeEach
  void makeProject() throws IOException {
    home = Files.createDirectories(folder.resolve("a path with blanks"));
    tools = Files.createDirectories(folder.resolve("tools"));
    jvms = Files.createDirectories(folder.resolve("jvm"));
    Files.copy(Project.ROOT.resolve("takt"), home.resolve("takt"));
    for (Path each : Project.files(Project.ROOT.resolve("launcher"), "")) {
      Path copy = home.resolve(Project.ROOT.relativize(each));
      Files.createDirectories(copy.getParent());
      Files.copy(each, copy);
    }
    Files.copy(Project.ROOT.resolve("pom.xml"), home.resolve("pom.xml"));
    Files.createDirectory(home.resolve(".mvn"));
    for (String module :
        List.of("takt-space", "takt-realtime", "takt-safety", "takt-reflex", "takt-cli")) {
      Files.createDirectories(home.resolve(module).resolve("src/main/java"));
      Files.writeString(home.resolve(module).resolve("src/main/java/A.java"), "class A {}");
      Files.writeString(home.resolve(module).resolve("pom.xml"), "<project/>");
    }
    script(home.resolve("takt"), null);
    script(tools.resolve("mvn"), MVN);
    script(tools.resolve("java"), OLD_JAVA);
    for (String manager : List.of("apt-get", "dnf", "yum", "zypper", "apk", "pacman", "brew")) {
      script(tools.resolve(manager), "exit 1");
    }
    script(tools.resolve("id"), "echo 0");
    environment = new HashMap<>();
    environment.put("PATH", tools + ":/usr/bin:/bin");
    environment.put("TAKT_JVM_DIRS", jvms.toString());
    environment.put("JAVA_HOME", "");
    environment.put("TAKT_JAVA_HOME", "");
    environment.put("TAKT_DIST", "");
    environment.put("TAKT_INSTALL", "");
    environment.put("HERE", folder.toString());
  }

  @Test
  void shouldFindAJdkOfTheSystemWhenTheDefaultJavaIsTooOld()
      throws IOException, InterruptedException {
    jdk(jvms.resolve("jdk-21"), 21);
    jdk(jvms.resolve("jdk-30"), 30);
    Path best = jdk(jvms.resolve("jdk-25"), 25);

    Project.Run run = takt("doctor", "--quick");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).startsWith("java ").contains("dev.takt.cli.Main doctor --quick");
    assertThat(image(run).getParent()).isEqualTo(home.resolve("dist"));
    assertThat(run.out())
        .contains("/lib-2.jar:", "/takt-cli-1.jar:", "/takt-space-1.jar")
        .doesNotContain("target/classes", "maven-plugin");
    assertThat(best).exists();
  }

  @Test
  void shouldPreferTheJdkThatTheUserNames() throws IOException, InterruptedException {
    Path named = jdk(folder.resolve("mine"), 26);
    script(named.resolve("bin/java"), "echo mine");
    jdk(jvms.resolve("jdk-25"), 25);
    environment.put("TAKT_JAVA_HOME", named.toString());
    assertThat(takt("doctor").out()).isEqualTo("mine\n");

    environment.put("TAKT_JAVA_HOME", "");
    environment.put("JAVA_HOME", named.toString());
    assertThat(takt("doctor").out()).isEqualTo("mine\n");
  }

  @Test
  void shouldSayWhatToDoWhenThereIsNoJdkAndNoneCanBeInstalled()
      throws IOException, InterruptedException {
    jdk(jvms.resolve("jdk-21"), 21);

    Project.Run run = takt("doctor");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .contains("Takt needs JDK 25 or later", "apt-get install", "TAKT_JAVA_HOME");
    environment.put("TAKT_JAVA_HOME", jvms.resolve("jdk-21").toString());
    assertThat(takt("doctor").err()).contains("holds no JDK 25 or later");
  }

  @Test
  void shouldInstallAJdkAndMavenWithThePackageManager() throws IOException, InterruptedException {
    Path ready = jdk(folder.resolve("ready"), 25);
    Files.delete(tools.resolve("mvn"));
    script(folder.resolve("ready-mvn"), MVN);
    // Knows the second name of the JDK only, as real systems do.
    script(
        tools.resolve("apt-get"),
        "echo \"$*\" >>\""
            + folder
            + "/installed\"; case \"$*\" in *temurin-25-jdk) mv \""
            + ready
            + "\" \""
            + jvms
            + "/\" ;; *maven) mv \""
            + folder
            + "/ready-mvn\" \""
            + tools
            + "/mvn\" ;; *update) ;; *) exit 1 ;; esac");
    // The machine may have a Maven of its own; leave the path to it out, with the few tools that
    // the launcher needs.
    for (String tool :
        List.of(
            "sh",
            "env",
            "dirname",
            "mkdir",
            "rmdir",
            "sed",
            "head",
            "cat",
            "find",
            "sort",
            "tr",
            "xargs",
            "cksum",
            "date",
            "rm",
            "mv",
            "grep",
            "tail",
            "flock",
            "readlink",
            "sleep",
            "cut",
            "cp",
            "ls",
            "tee")) {
      Path real = Path.of("/usr/bin", tool);
      script(
          tools.resolve(tool),
          "exec " + (Files.exists(real) ? real : Path.of("/bin", tool)) + " \"$@\"");
    }
    environment.put("PATH", tools.toString());

    Project.Run refused = takt("doctor");

    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("TAKT_INSTALL=yes");
    assertThat(folder.resolve("installed")).as("nobody has agreed").doesNotExist();

    environment.put("TAKT_INSTALL", "yes");
    Project.Run run = takt("doctor");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).startsWith("java ");
    assertThat(Project.read(folder.resolve("installed")))
        .contains("openjdk-25-jdk-headless", "temurin-25-jdk", "maven");
    assertThat(run.err()).contains("installed temurin-25-jdk", "installed maven");
  }

  @Test
  void shouldBuildOnceAndAgainWhenASourceChanges() throws IOException, InterruptedException {
    jdk(jvms.resolve("jdk-25"), 25);

    Project.Run first = takt("doctor");
    assertThat(first.exitCode()).isZero();
    assertThat(first.err()).contains("takt: built in ");
    Project.Run second = takt("bench", "space");
    assertThat(second.err()).as("nothing to say when nothing is to be done").isEmpty();
    assertThat(builds()).as("one build of everything").hasSize(1);

    edit("class A { int changed; }");
    Project.Run third = takt("doctor");
    assertThat(builds()).hasSize(2);
    assertThat(image(third)).isNotEqualTo(image(first));
  }

  /** Whatever Maven or an editor leaves in target, and whatever was built in between. */
  @Test
  void shouldRunWhatTheSourcesSayWhenAnEditIsTakenBack() throws IOException, InterruptedException {
    jdk(jvms.resolve("jdk-25"), 25);
    Path before = image(takt("doctor"));
    edit("class A { int changed; }");
    Files.createDirectories(home.resolve("takt-space/target/classes"));
    assertThat(image(takt("doctor"))).isNotEqualTo(before);
    edit("class A {}");

    Project.Run again = takt("doctor");

    assertThat(image(again)).isEqualTo(before);
    assertThat(builds()).as("it was there still").hasSize(2);
  }

  @Test
  void shouldKeepWhatALivingProgramUsesAndRemoveWhatIsOld()
      throws IOException, InterruptedException {
    Path jdk = jdk(jvms.resolve("jdk-25"), 25);
    script(jdk.resolve("bin/java"), "echo \"java $*\"; read -r end || true");
    ProcessBuilder bench =
        new ProcessBuilder("sh", home.resolve("takt").toString(), "bench", "chain")
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    bench.environment().putAll(environment);
    Process living = bench.start();
    try {
      Path used = image(living.inputReader().readLine());
      for (int i = 0; i < 6; i++) {
        edit("class A { int changed" + i + "; }");
        assertThat(takt("doctor").exitCode()).isZero();
      }

      assertThat(used.resolve("takt-cli-1.jar")).exists();
      assertThat(Project.list(home.resolve("dist")).stream().filter(Files::isDirectory))
          .as("the last three, and what is in use")
          .hasSize(4);
    } finally {
      living.destroyForcibly().waitFor();
    }
  }

  @Test
  void shouldSayWhatToDoWhenItCannotBeWritten() throws IOException, InterruptedException {
    jdk(jvms.resolve("jdk-25"), 25);
    Files.createFile(home.resolve("dist"));

    Project.Run run = takt("demo");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .contains("cannot write " + home.resolve("dist"), "TAKT_DIST=")
        .doesNotContain("mkdir", "cannot create");
    environment.put("TAKT_DIST", folder.resolve("elsewhere").toString());
    assertThat(image(takt("demo")).getParent()).isEqualTo(folder.resolve("elsewhere"));
  }

  @Test
  void shouldBuildOnceWhenStartedTwiceAtTheSameTime() throws IOException, InterruptedException {
    jdk(jvms.resolve("jdk-25"), 25);
    List<CompletableFuture<Project.Run>> runs = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      runs.add(CompletableFuture.supplyAsync(() -> uninterrupted("doctor")));
    }

    assertThat(runs)
        .allSatisfy(each -> assertThat(each.join().exitCode()).as(each.join().err()).isZero());
    assertThat(builds()).hasSize(1);
  }

  @Test
  void shouldShowTheErrorsAndTheLogWhenTheBuildFails() throws IOException, InterruptedException {
    jdk(jvms.resolve("jdk-25"), 25);
    Files.createFile(folder.resolve("broken"));

    Project.Run run = takt("doctor");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .contains("[ERROR]", "build.log")
        .as("where the user's sources are")
        .contains("[ERROR] " + home.resolve("broken"))
        .doesNotContain("work.");
    Files.delete(folder.resolve("broken"));
    assertThat(takt("doctor").exitCode()).as("a failed build is not remembered as done").isZero();
  }

  @Test
  void shouldWorkThroughALinkFromAnyFolder() throws IOException, InterruptedException {
    jdk(jvms.resolve("jdk-25"), 25);
    Path link =
        Files.createSymbolicLink(folder.resolve("link"), Path.of("a path with blanks/takt"));

    Project.Run run = Project.run(tools, environment, List.of("sh", link.toString(), "doctor"));

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(image(run).getParent()).isEqualTo(home.resolve("dist"));
  }

  @Test
  void shouldPassOnTheExitCodeOfTheCommand() throws IOException, InterruptedException {
    Path jdk = jdk(jvms.resolve("jdk-25"), 25);
    script(jdk.resolve("bin/java"), "exit 2");

    assertThat(takt("doctor", "--nonsense").exitCode()).isEqualTo(2);
  }

  /** Else the JVM's first file would take its place, and get what the command prints. */
  @Test
  void shouldKeepAClosedOutputFromBeingTakenByAFile() throws IOException, InterruptedException {
    Path jdk = jdk(jvms.resolve("jdk-25"), 25);
    takt("doctor");
    script(jdk.resolve("bin/java"), "[ -e /dev/fd/1 ] && echo open >&2; echo report || exit 7");

    Project.Run run =
        Project.run(
            folder,
            environment,
            List.of("sh", "-c", "exec sh \"$0\" doctor >&-", home.resolve("takt").toString()));

    assertThat(run.exitCode()).isEqualTo(7);
    assertThat(run.err()).contains("open");
  }

  @Test
  void shouldHandTheCommandsForProgramsOnWithTheirArguments()
      throws IOException, InterruptedException {
    jdk(jvms.resolve("jdk-25"), 25);
    environment.put("TAKT_JAVA_FLAGS", "-XX:+UseZGC");

    assertThat(takt("check", "a.jar", "--format", "sarif").out())
        .contains("dev.takt.cli.Main check a.jar --format sarif");
    assertThat(takt("weave", "a.jar").out()).contains("dev.takt.cli.Main weave a.jar");
    assertThat(takt("run", "a.jar", "--debug", "x y", "--train").out())
        .contains(" -XX:+UseZGC ")
        .doesNotContain("AOT")
        .contains("dev.takt.cli.Main run a.jar --debug x y --train");
  }

  @Test
  void shouldCollectWithoutStoppingRealTimeThreadsUnlessACollectorIsNamed()
      throws IOException, InterruptedException {
    jdk(jvms.resolve("jdk-25"), 25);

    assertThat(takt("run", "a.jar").out()).doesNotContain("UseZGC");
    assertThat(takt("run", "a.jar", "x", "--realtime").out()).doesNotContain("UseZGC");
    Project.Run chosen = takt("run", "--realtime", "a.jar");
    assertThat(chosen.out()).contains(" -XX:+UseZGC ");
    assertThat(chosen.err()).contains("collecting with ZGC", "TAKT_JAVA_FLAGS=-XX:+UseG1GC");

    environment.put("JAVA_TOOL_OPTIONS", "-XX:+UseSerialGC");
    assertThat(takt("demo", "--realtime").out()).doesNotContain("UseZGC");
    environment.remove("JAVA_TOOL_OPTIONS");
    environment.put("TAKT_JAVA_FLAGS", "-Xmx1g -XX:+UseG1GC");
    assertThat(takt("demo", "--realtime").out()).doesNotContain("UseZGC");
  }

  /** Without it the JVM would refuse, or warn of, what asks for real-time scheduling. */
  @Test
  void shouldLetTheJvmAskTheOperatingSystem() throws IOException, InterruptedException {
    jdk(jvms.resolve("jdk-25"), 25);

    assertThat(takt("run", "a.jar", "--realtime").out())
        .contains(" --enable-native-access=ALL-UNNAMED ")
        .contains("dev.takt.cli.Main run a.jar --realtime");
    for (String command : List.of("demo", "bench", "doctor")) {
      assertThat(takt(command, "x").out())
          .as(command)
          .contains(" --enable-native-access=ALL-UNNAMED ");
    }
  }

  @Test
  void shouldUseAnAotCacheOnlyWhenItWasMadeForTheSameJdkAndOptions()
      throws IOException, InterruptedException {
    Path jdk = jdk(jvms.resolve("jdk-25"), 25);
    assertThat(takt("run", "a.jar").out()).doesNotContain("AOT");

    Project.Run trained = takt("run", "--train", "a.jar");

    assertThat(trained.exitCode()).as(trained.err()).isZero();
    assertThat(trained.out())
        .contains("-XX:AOTConfiguration=", "dev.takt.cli.Main run --train a.jar");
    assertThat(trained.err()).contains("not trained, so the next runs start as before");
    Path cache =
        Path.of(trained.out().replaceAll("(?s).*AOTConfiguration=(.*?)[.]config .*", "$1"));
    assertThat(takt("run", "a.jar").out()).as("the JVM made none").doesNotContain("AOT");
    Files.writeString(cache, "cache");
    assertThat(takt("run", "a.jar").out()).contains("-XX:AOTCache=" + cache + " ");
    assertThat(takt("run", "a.jar").err()).isEmpty();
    environment.put("TAKT_JAVA_FLAGS", "-XX:+UseZGC");
    assertThat(takt("run", "a.jar").out()).doesNotContain("AOT");
  }

  @Test
  void shouldTellOfTrainingInOneSentenceAndEndAsTheProgramDid()
      throws IOException, InterruptedException {
    String made =
        """
        case "$*" in
          *AOTMode=create*)
            echo 'AOTCache creation is complete'
            for each; do
              case $each in -XX:AOTCache=*) echo cache >"${each#-XX:AOTCache=}" ;; esac
            done ;;
          *) echo program; exit 3 ;;
        esac\
        """;
    Path jdk = jdk(jvms.resolve("jdk-25"), 25);
    takt("run", "a.jar");
    script(jdk.resolve("bin/java"), made);

    Project.Run trained = takt("run", "--train", "a.jar");

    assertThat(trained.exitCode()).isEqualTo(3);
    assertThat(trained.out()).isEqualTo("program\n");
    assertThat(trained.err())
        .contains("trained: the next runs with these options start with what the JVM has learned")
        .doesNotContain("AOT");
  }

  /** As a service manager, a closed terminal and Ctrl-C end a program. */
  @ParameterizedTest
  @CsvSource({"TERM, 143", "HUP, 129", "INT, 130"})
  void shouldEndTheProgramAndNotTheShellAloneWhenASignalComes(String signal, int exitCode)
      throws IOException, InterruptedException {
    Path jdk = jdk(jvms.resolve("jdk-25"), 25);
    takt("run", "a.jar");
    script(
        jdk.resolve("bin/java"),
        """
        case "$*" in *AOTMode=create*) exit 1 ;; esac
        trap 'echo ended by TERM; exit 143' TERM
        trap 'echo ended by HUP; exit 129' HUP
        read -r line
        echo "$$ has $line"
        n=0
        while [ $n -lt 600 ]; do sleep 0.1; n=$((n + 1)); done\
        """);
    ProcessBuilder builder =
        new ProcessBuilder("sh", home.resolve("takt").toString(), "run", "--train", "a.jar")
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().putAll(environment);
    Process trained = builder.start();
    String started = null;
    try {
      trained.outputWriter().append("its input\n").flush();
      started = trained.inputReader().readLine();
      assertThat(started)
          .as("a program in the background would read nothing")
          .endsWith("has its input");

      new ProcessBuilder("kill", "-s", signal, Long.toString(trained.pid())).start().waitFor();

      assertThat(trained.inputReader().readLine())
          .isEqualTo("ended by " + (signal.equals("INT") ? "TERM" : signal));
      assertThat(trained.waitFor()).isEqualTo(exitCode);
    } finally {
      trained.destroyForcibly();
      if (started != null) {
        ProcessHandle.of(Long.parseLong(started.split(" ")[0]))
            .ifPresent(ProcessHandle::destroyForcibly);
      }
    }
  }

  @Test
  void shouldTrainWhereverTheOptionStandsBeforeTheProgramsArguments()
      throws IOException, InterruptedException {
    jdk(jvms.resolve("jdk-25"), 25);
    for (String words :
        List.of(
            "demo --speed max --train",
            "run --main A --train a.jar",
            "run a.jar --debug --train",
            "run a.jar --train x")) {
      assertThat(takt(words.split(" ")).out()).as(words).contains("-XX:AOTConfiguration=");
    }
    for (String words : List.of("run a.jar x --train", "run a.jar -- --train", "doctor --train")) {
      assertThat(takt(words.split(" ")).out()).as(words).doesNotContain("AOT");
    }
  }

  @Test
  void shouldEndWithOneAndCountTestsWhenChecksFail() throws IOException, InterruptedException {
    jdk(jvms.resolve("jdk-25"), 25);
    script(
        tools.resolve("mvn"),
        "echo '[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1'; exit 1");
    Project.Run failed = takt("test");
    assertThat(failed.exitCode()).isEqualTo(1);
    assertThat(failed.out()).contains("\n2 passed, 2 failed, 1 skipped\n");

    script(tools.resolve("mvn"), "echo '[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0'");
    assertThat(takt("test").exitCode()).isZero();

    script(tools.resolve("mvn"), "echo '[INFO] BUILD SUCCESS'");
    assertThat(takt("test").exitCode()).as("no test ran").isEqualTo(1);
    assertThat(takt("test", "--fast").exitCode()).isEqualTo(2);
  }

  @Test
  void shouldRunTheTestsOfAModuleOrOneTest() throws IOException, InterruptedException {
    jdk(jvms.resolve("jdk-25"), 25);
    Path tests = Files.createDirectories(home.resolve("takt-space/src/test/java/a/b"));
    Files.createFile(tests.resolve("OneTest.java"));
    Files.createFile(tests.resolve("TwoTest.java"));
    script(
        tools.resolve("mvn"),
        "echo \"$*\" >>\"$HERE/builds\"; echo '[INFO] Tests run: 1, Failures: 0, Errors: 0,"
            + " Skipped: 0'");

    assertThat(takt("test", "takt-space").exitCode()).isZero();
    assertThat(builds().getLast())
        .contains("-pl takt-space -am test ", "a.b.OneTest", "a.b.TwoTest");
    assertThat(takt("test", "OneTest#some").exitCode()).isZero();
    assertThat(builds().getLast()).contains("-pl takt-space -am test ", "-Dtest=OneTest#some");
    assertThat(takt("test", "takt-space", "a.b.TwoTest").exitCode()).isZero();
    assertThat(builds().getLast()).endsWith("-Dtest=a.b.TwoTest");
    assertThat(takt("test", "takt-space", "ThreeTest").exitCode()).isEqualTo(2);
    assertThat(takt("test", "takt-spice").exitCode()).isEqualTo(2);
    assertThat(builds()).hasSize(3);
  }

  @Test
  void shouldExplainItselfWithoutAJdkAndWithoutABuild() throws IOException, InterruptedException {
    Project.Run help = takt();
    assertThat(help.exitCode()).isZero();
    assertThat(help.out()).contains("Usage: ./takt COMMAND");
    assertThat(takt("help").out()).isEqualTo(help.out());
    assertThat(takt("--help").out()).isEqualTo(help.out());
    for (String command : List.of("demo", "bench", "test", "format", "version")) {
      assertThat(takt("help", command).out()).contains("Usage: takt " + command);
      assertThat(takt(command, "--help").out()).isEqualTo(takt("help", command).out());
    }
    assertThat(takt("completion").out()).contains("complete -F _complete_takt");
    assertThat(takt("version").out()).containsPattern("^Takt \\d+\\.\\d+").contains("no JDK 25");
    assertThat(takt("help", "fly").exitCode()).isEqualTo(2);

    Project.Run unknown = takt("demmo");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err())
        .contains("unknown command: demmo", "did you mean: ./takt demo", "commands: ");
    assertThat(builds()).isEmpty();
  }

  private Project.Run takt(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("sh", home.resolve("takt").toString()));
    command.addAll(List.of(arguments));
    return Project.run(folder, environment, command);
  }

  private Project.Run uninterrupted(String... arguments) {
    try {
      return takt(arguments);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The folder that the JVM was told to take its classes from. */
  private static Path image(Project.Run run) {
    return image(run.out());
  }

  private static Path image(String java) {
    return Path.of(java.replaceAll("(?s).* -cp (.*?)/[^/]*\\.jar:.*", "$1"));
  }

  private void edit(String source) throws IOException {
    Files.writeString(home.resolve("takt-space/src/main/java/A.java"), source);
  }

  private List<String> builds() throws IOException {
    Path builds = folder.resolve("builds");
    return Files.exists(builds) ? Files.readAllLines(builds) : List.of();
  }

  private static Path jdk(Path jdk, int version) throws IOException {
    Files.createDirectories(jdk.resolve("bin"));
    script(jdk.resolve("bin/java"), JAVA);
    script(jdk.resolve("bin/javac"), "exit 1");
    Files.writeString(
        jdk.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + ".0.1\"\n");
    return jdk;
  }

  private static void script(Path path, String body) throws IOException {
    if (body != null) {
      Files.writeString(path, "#!/bin/sh\n" + body + "\n");
    }
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
