package dev.takt.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The launcher: how it finds a JDK and Maven, builds, and starts what it is told to. */
class LauncherTest extends LauncherProject {
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
    leaveOutWhatTheMachineHas(); // a Maven of its own, perhaps

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

  /** Knows a package with one file of its own, and gets and unpacks it by files. */
  private static final String APT_GET =
      "echo \"$*\" >>\"$HERE/asked\"; case \"$*\" in -s*) echo 'Inst redis-server (7 Debian)' ;;"
          + " download*) echo made-up >redis-server_7.deb ;; *update) ;; *) exit 1 ;; esac";

  private static final String DPKG_DEB =
      "[ -s \"$2\" ] && mkdir -p \"$3/usr/bin\" \"$3/usr/lib/x\" && echo >\"$3/usr/lib/x/liba.so\""
          + " && printf '#!/bin/sh\\n"
          + "echo \"$LD_LIBRARY_PATH $*\"' >\"$3/usr/bin/redis-server\" && chmod +x"
          + " \"$3/usr/bin/redis-server\"";

  @Test
  void shouldUnpackRedisForTheTestThatStartsItAndInstallNothing()
      throws IOException, InterruptedException {
    jdk(jvms.resolve("jdk-25"), 25);
    Path tests = Files.createDirectories(home.resolve("takt-session/src/test/java"));
    Files.createFile(tests.resolve("RedisClientTest.java"));
    Files.createFile(tests.resolve("OtherTest.java"));
    script(tools.resolve("mvn"), "redis-server --port 7 >\"$HERE/started\" || :");
    script(tools.resolve("apt-get"), APT_GET);
    script(tools.resolve("dpkg-deb"), DPKG_DEB);
    leaveOutWhatTheMachineHas();

    takt("test", "RedisClientTest");
    assertThat(folder.resolve("asked")).as("nobody has agreed").doesNotExist();
    environment.put("TAKT_INSTALL", "yes");
    takt("test", "OtherTest");
    assertThat(folder.resolve("asked")).as("it needs none").doesNotExist();

    Project.Run run = takt("test", "RedisClientTest");

    Path unpacked = home.resolve("dist/redis");
    assertThat(Project.read(folder.resolve("started")))
        .as(run.err())
        .isEqualTo(unpacked.resolve("usr/lib/x") + ": --port 7\n");
    assertThat(Files.readAllLines(folder.resolve("asked")))
        .containsExactly(
            "update", "-s --no-install-recommends install redis-server", "download redis-server");
    takt("test", "RedisClientTest");
    assertThat(Files.readAllLines(folder.resolve("asked"))).as("it is there").hasSize(3);
  }

  @Test
  void shouldLeaveOutTestsOfProgramsThatAreNotThereAndSayIt()
      throws IOException, InterruptedException {
    jdk(jvms.resolve("jdk-25"), 25);
    script(tools.resolve("mvn"), "echo \"$*\" >\"$HERE/goals\"");
    leaveOutWhatTheMachineHas();

    Project.Run run = takt("test");

    assertThat(run.err())
        .contains(
            "no redis-server found, so RedisClientTest does not run",
            "no python3 found, so PythonClientTest does not run");
    assertThat(Project.read(folder.resolve("goals")))
        .contains("verify -Dtakt.excludedTests=redis,python");
    environment.put("TAKT_INSTALL", "yes");
    takt("test");
    assertThat(Project.read(folder.resolve("goals")))
        .as("it fails where it could not be had")
        .contains("verify")
        .doesNotContain("excludedTests");
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

  /** For root, too: a folder where the file should be. A failed redirection of ":" ends dash. */
  @Test
  void shouldSaySoWhenItCannotLockAndGoOnWhenItCannotSayThatItUsesABuild()
      throws IOException, InterruptedException {
    jdk(jvms.resolve("jdk-25"), 25);
    Path lock = Files.createDirectories(home.resolve("dist/build.lock"));

    Project.Run locked = takt("demo");

    assertThat(locked.exitCode()).isEqualTo(1);
    assertThat(locked.err()).contains("cannot write " + home.resolve("dist"), "TAKT_DIST=");
    Files.delete(lock);
    Path users = image(takt("demo")).resolve("users");
    Project.files(users, "").forEach(each -> assertThat(each.toFile().delete()).isTrue());
    Files.delete(users);
    Files.createFile(users);
    assertThat(takt("demo").out()).contains("dev.takt.cli.Main demo");
  }

  @Test
  void shouldRefuseWordsThatItWouldNotLookAt() throws IOException, InterruptedException {
    for (List<String> each :
        List.of(
            List.of("version", "x"),
            List.of("completion", "bash"),
            List.of("help", "demo", "run"),
            List.of("format", "x"))) {
      Project.Run run = takt(each.toArray(String[]::new));

      assertThat(run.exitCode()).as("%s", each).isEqualTo(2);
      assertThat(run.out()).isEmpty();
      assertThat(run.err()).contains(each.getFirst() + " takes ", each.getLast()).hasLineCount(1);
    }
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

  @Test
  void shouldGiveAHostAHeapThatIsThereFromTheStart() throws IOException, InterruptedException {
    jdk(jvms.resolve("jdk-25"), 25);

    assertThat(takt("host", "trading", "a.jar", "--realtime").out())
        .contains(" -XX:+UseSerialGC -Xms512m -Xmx512m ", " -XX:+AlwaysPreTouch ")
        .contains("dev.takt.cli.Main host trading a.jar --realtime")
        .doesNotContain("UseZGC");
    environment.put("TAKT_JAVA_FLAGS", "-Xms1g -Xmx1g -XX:+UseZGC");
    assertThat(takt("host", "trading", "a.jar").out())
        .contains("-Xms1g -Xmx1g -XX:+UseZGC")
        .doesNotContain("UseSerialGC");
  }

  /** Otherwise it neither serves nor ends, whatever signal it is sent. */
  @Test
  void shouldEndAServerWhoseHeapIsUsedUp() throws IOException, InterruptedException {
    jdk(jvms.resolve("jdk-25"), 25);
    environment.put("TAKT_JAVA_FLAGS", "-Xmx1g");

    assertThat(takt("serve", "--capacity", "10").out())
        .contains(" -XX:+ExitOnOutOfMemoryError -Xmx1g ", "dev.takt.cli.Main serve --capacity 10");
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
    assertThat(takt("test", "--seed", "-17", "OneTest").exitCode()).isZero();
    assertThat(builds().getLast()).contains(" -Dtakt.seed=-17 -pl takt-space ");
    assertThat(takt("test", "OneTest", "--seed=4294967295", "--full").exitCode()).isZero();
    assertThat(builds().getLast()).contains("-Dtakt.full=true -Dtakt.seed=4294967295 -pl ");
    for (String wrong : List.of("", "x", "1 2", "0x1", "12345678901234567890")) {
      assertThat(takt("test", "OneTest", "--seed", wrong).err()).contains("--seed takes", wrong);
    }
    assertThat(takt("test", "OneTest", "--seed").exitCode()).isEqualTo(2);
    assertThat(takt("test", "takt-space", "ThreeTest").exitCode()).isEqualTo(2);
    assertThat(takt("test", "takt-spice").exitCode()).isEqualTo(2);
    assertThat(takt("test", "").exitCode()).as("an unset variable is not all tests").isEqualTo(2);
    assertThat(builds()).hasSize(5);
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
    assertThat(takt("hlep").err()).contains("did you mean: ./takt help");
    assertThat(takt("frob").err()).contains("did you mean: ./takt format", "commands: ");
    assertThat(builds()).isEmpty();
  }
}
