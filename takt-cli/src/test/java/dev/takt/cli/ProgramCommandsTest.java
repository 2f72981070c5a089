package dev.takt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.classfile.ClassFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The commands for programs: check, weave and run. */
class ProgramCommandsTest {
  private static final int DAMAGED = Boolean.getBoolean("takt.full") ? 20_000 : 100;

  @TempDir private static Path compiled;
  private static Path good;
  private static Path bad;

  @TempDir private Path folder;
  private Path jar;
  private StringWriter out;
  private StringWriter err;

  @BeforeAll
  static void compilePrograms() throws IOException {
    good = UserProgram.compile(compiled.resolve("good"), UserProgram.COUNTER);
    bad = UserProgram.compile(compiled.resolve("bad"), UserProgram.SLEEPER);
  }

  @BeforeEach
  void packTheGoodOne() throws IOException {
    jar = UserProgram.jar(good, folder.resolve("good.jar"));
  }

  @Test
  void shouldFindNothingInAGoodProgram() {
    assertThat(execute("check", jar)).as(err.toString()).isZero();
    assertThat(out.toString()).isEqualTo("1 task in 2 classes: 0 errors\n");
    assertThat(execute("check", good)).isZero();
  }

  /** A mistyped folder must not pass for a checked one. */
  @Test
  void shouldWarnWhenThereIsNoClassToCheck() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("empty"));

    assertThat(execute("check", empty)).isZero();
    assertThat(err.toString()).contains("warning: there is no class in", "empty");
    assertThat(execute("check", empty, "--strict")).isEqualTo(2);
  }

  @Test
  void shouldShowRulePlacePathAndRemedyWhenATaskBreaksARule() {
    assertThat(execute("check", bad)).isEqualTo(1);

    assertThat(out.toString())
        .startsWith("error R5: ")
        .contains("parkNanos", "Main.java:16", "execute()", "rest()")
        .containsPattern("(?m)^    why  \\S")
        .containsPattern("(?m)^    do   \\S")
        .endsWith("1 task in 2 classes: 1 error\n");
  }

  @Test
  void shouldWriteFindingsAsJson() throws IOException {
    assertThat(execute("check", bad, "--format", "json")).isEqualTo(1);

    Map<String, Object> report = JSON.std.mapFrom(out.toString());
    assertThat(report).containsEntry("tasks", 1).containsEntry("errors", 1);
    assertThat(objects(report.get("findings")))
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each).containsEntry("rule", "R5").containsEntry("severity", "error");
              assertThat(object(each.get("place"))).containsEntry("class", "app.Main$Sleeper");
              assertThat(object(each.get("place"))).containsEntry("line", 16);
              assertThat(each).containsKeys("message", "reason", "remedy", "path", "task");
            });
  }

  @Test
  void shouldWriteFindingsAsSarif() throws IOException {
    Path file = folder.resolve("findings.sarif");
    assertThat(execute("check", bad, "--format", "sarif", "--output", file)).isEqualTo(1);
    assertThat(out.toString()).isEmpty();

    Map<String, Object> log = JSON.std.mapFrom(Files.readString(file));
    assertThat(log).containsEntry("version", "2.1.0").containsKey("$schema");
    Map<String, Object> run = objects(log.get("runs")).getFirst();
    Map<String, Object> driver = object(object(run.get("tool")).get("driver"));
    List<Map<String, Object>> rules = objects(driver.get("rules"));
    assertThat(driver).containsEntry("name", "takt check");
    assertThat(rules).hasSize(30).allSatisfy(each -> assertThat(each).containsKey("help"));
    Map<String, Object> result = objects(run.get("results")).getFirst();
    assertThat(result).containsEntry("ruleId", "R5").containsEntry("level", "error");
    assertThat(rules.get((int) result.get("ruleIndex"))).containsEntry("id", "R5");
    assertThat(object(result.get("message")).get("text")).asString().contains("parkNanos");
    Map<String, Object> location = objects(result.get("locations")).getFirst();
    Map<String, Object> physical = object(location.get("physicalLocation"));
    assertThat(object(physical.get("artifactLocation"))).containsEntry("uri", "app/Main.java");
    assertThat(object(physical.get("region"))).containsEntry("startLine", 16);
    Map<String, Object> flow = objects(result.get("codeFlows")).getFirst();
    List<Map<String, Object>> steps =
        objects(objects(flow.get("threadFlows")).getFirst().get("locations"));
    assertThat(steps).isNotEmpty().allSatisfy(each -> assertThat(each).containsKey("location"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "weave", "run"})
  void shouldEndWithTwoAndSayWhyWhenTheInputIsNoProgram(String command) throws IOException {
    Path text = Files.writeString(folder.resolve("text.jar"), "no jar");
    Path half = folder.resolve("half.jar");
    byte[] whole = Files.readAllBytes(jar);
    Files.write(half, Arrays.copyOf(whole, whole.length / 2));

    for (Path each : List.of(folder.resolve("absent.jar"), text, half)) {
      assertThat(execute(command, each)).as("%s", each).isEqualTo(2);
      assertThat(err.toString())
          .startsWith("takt " + command + ": ")
          .contains(each.getFileName().toString())
          .doesNotContain("\tat ");
    }
    assertThat(execute(command)).isEqualTo(2);
  }

  /** Bytes of a jar and of a class file are changed at random; nothing of it may end in a trace. */
  @Test
  void shouldSayWhatIsWrongWhenBytesAreDamaged() throws IOException {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    byte[] wholeJar = Files.readAllBytes(jar);
    Path classes = folder.resolve("damaged");
    UserProgram.copy(good, classes);
    Path counter = classes.resolve("app/Main$Counter.class");
    byte[] wholeClass = Files.readAllBytes(counter);
    Path damagedJar = folder.resolve("damaged.jar");
    for (int i = 0; i < DAMAGED; i++) {
      Files.write(damagedJar, damaged(wholeJar, random));
      Files.write(counter, damaged(wholeClass, random));
      for (Path each : List.of(damagedJar, classes)) {
        String command = random.nextBoolean() ? "check" : "weave";
        int exitCode = execute(command, each);
        String told =
            "seed=" + seed + ", case " + i + ", " + command + " " + each + ": " + err + out;
        assertThat(exitCode).as(told).isBetween(0, 2);
        assertThat(err.toString()).as(told).doesNotContain("\tat ");
      }
    }
  }

  private static byte[] damaged(byte[] whole, Random random) {
    byte[] bytes = whole.clone();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    return random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
  }

  @Test
  void shouldEndWithTwoWhenAnOptionMakesNoSense() {
    assertThat(execute("check", jar, "--format", "xml")).isEqualTo(2);
    assertThat(err.toString()).contains("xml", "sarif");
    assertThat(execute("check", jar, "--output", folder)).isEqualTo(2);
    assertThat(err.toString()).contains("it is a folder");
    assertThat(execute("check", jar, "--class-path", folder.resolve("absent.jar"))).isEqualTo(2);
    assertThat(execute("weave", jar, good, "--output", folder.resolve("x.jar"))).isEqualTo(2);
    assertThat(err.toString()).contains("--output is for one", "not for 2");
  }

  @Test
  void shouldWeaveAJarInPlaceAndKeepAllElse() throws IOException {
    List<String> before = entries(jar);

    assertThat(execute("weave", jar)).as(err.toString()).isZero();

    assertThat(out.toString()).endsWith("good.jar: 1 task in 2 classes, 1 woven and 1 added\n");
    assertThat(entries(jar)).startsWith(before.toArray(String[]::new));
    try (JarFile woven = new JarFile(jar.toFile())) {
      assertThat(woven.getManifest().getMainAttributes().getValue("X-Mine")).isEqualTo("7");
      assertThat(woven.getEntry("app/readme.txt").getTime()).isEqualTo(1_000_000_000_000L);
      assertThat(isWoven(woven, "app/Main$Counter.class")).isTrue();
    }
    assertThat(folder).isDirectoryNotContaining("glob:**.part");
  }

  @Test
  void shouldGiveTheSameBytesWhenTheSameJarIsWovenAgain() throws IOException {
    Path first = folder.resolve("first.jar");
    Path second = folder.resolve("second.jar");
    byte[] before = Files.readAllBytes(jar);

    assertThat(execute("weave", jar, "--output", first)).as(err.toString()).isZero();
    assertThat(execute("weave", jar, "--output", second)).isZero();

    assertThat(first).hasSameBinaryContentAs(second);
    assertThat(jar).hasBinaryContent(before);
    assertThat(execute("check", first)).as(out + "" + err).isZero();
    byte[] once = Files.readAllBytes(first);
    assertThat(execute("weave", first)).as(out + "" + err).isZero();
    assertThat(first).as("woven twice").hasBinaryContent(once);
  }

  @Test
  void shouldChangeNothingWhenAJarIsRefused() throws IOException {
    Path violating = UserProgram.jar(bad, folder.resolve("bad.jar"));
    Path signed = UserProgram.jar(good, folder.resolve("signed.jar"), "META-INF/ME.SF");
    Path hostile = UserProgram.jar(good, folder.resolve("hostile.jar"), "../out.txt");
    for (Path each : List.of(violating, signed, hostile)) {
      byte[] before = Files.readAllBytes(each);
      assertThat(execute("weave", each)).isEqualTo(each == violating ? 1 : 2);
      assertThat(each).hasBinaryContent(before);
    }

    assertThat(execute("weave", signed)).isEqualTo(2);
    assertThat(err.toString()).contains("META-INF/ME.SF", "before you sign it");
    assertThat(execute("weave", hostile)).isEqualTo(2);
    assertThat(err.toString()).contains("../out.txt", "build it again");
    assertThat(execute("weave", violating)).isEqualTo(1);
    assertThat(err.toString()).contains("error R5");
    Path versioned =
        UserProgram.jar(
            good, folder.resolve("mr.jar"), "META-INF/versions/25/app/Main$Counter.class");
    assertThat(execute("weave", versioned)).isEqualTo(2);
    assertThat(err.toString()).contains("app/Main$Counter", "several versions of Java");
  }

  @Test
  void shouldWeaveAFolderIntoAnotherOne() throws IOException {
    Path target = folder.resolve("woven");

    assertThat(execute("weave", good, "--output", target)).as(err.toString()).isZero();
    assertThat(execute("weave", target)).isZero();

    assertThat(out.toString())
        .endsWith("woven: 1 task in 2 classes, 1 woven and 1 added already\n");
    byte[] counter = Files.readAllBytes(target.resolve("app/Main$Counter.class"));
    assertThat(isWoven(counter)).isTrue();
    assertThat(isWoven(Files.readAllBytes(good.resolve("app/Main$Counter.class")))).isFalse();
  }

  @Test
  void shouldRunAProgramWithItsArguments() throws IOException {
    Path told = folder.resolve("told.txt");

    assertThat(execute("run", "--strict", jar, "--debug", told, "--main", "x"))
        .as(err.toString())
        .isZero();
    assertThat(told).hasContent("counted 1 " + told + ",--main,x");
    assertThat(execute("run", good, "--main", "app.Main", "--", told, "--debug")).isZero();
    assertThat(told).hasContent("counted 1 " + told + ",--debug");
  }

  @Test
  void shouldRunAProgramThatUsesSessions() throws IOException {
    Path program = UserProgram.compile(folder.resolve("session-program"), UserProgram.SESSION);
    Path told = folder.resolve("told.txt");

    assertThat(execute("run", program, "--main", "app.Main", "--", told))
        .as(err.toString())
        .isZero();
    assertThat(told).hasContent("a session got 7");
  }

  /** In a JVM of its own: what a runtime asks for by default is settled once in a JVM. */
  @Test
  void shouldAskForRealtimeSchedulingAndSayWhatWasGranted() throws Exception {
    Path told = folder.resolve("told.txt");
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("jdk.module.path"),
                "dev.takt.cli.Main",
                "run",
                jar.toString(),
                "--realtime",
                told.toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    String said = new String(java.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(java.waitFor()).as(said).isZero();
    assertThat(said)
        .startsWith("takt run: scheduling: FIFO 10 granted on ")
        .contains(" of 1 thread; memory ")
        .hasLineCount(1);
    assertThat(told).hasContent("counted 1 " + told);
  }

  @Test
  void shouldTakeAProgramThatBundlesTaktForWhatItIs() throws IOException {
    Path classes = folder.resolve("bundle");
    UserProgram.copy(good, classes);
    for (Path each : Applications.takt()) {
      UserProgram.copyPackage(each, "dev", classes);
    }
    Path bundle = UserProgram.jar(classes, folder.resolve("bundle.jar"));
    Path told = folder.resolve("told.txt");

    assertThat(execute("check", bundle)).as(out.toString()).isZero();
    assertThat(out.toString()).isEqualTo("1 task in 2 classes: 0 errors\n");
    assertThat(execute("weave", bundle)).as(err.toString()).isZero();
    assertThat(out.toString()).endsWith("1 task in 2 classes, 1 woven and 1 added\n");
    assertThat(execute("run", bundle, told)).as(err.toString()).isZero();
    assertThat(told).hasContent("counted 1 " + told);
  }

  @Test
  void shouldRunAProgramThatIsWovenAlready() throws IOException {
    Path told = folder.resolve("told.txt");
    assertThat(execute("weave", jar)).isZero();

    assertThat(execute("run", jar, told)).as(err.toString()).isZero();

    assertThat(told).hasContent("counted 1 " + told);
  }

  @Test
  void shouldRefuseAProgramBeforeItsMainMethodWhenATaskBreaksARule() throws IOException {
    Path told = folder.resolve("told.txt");

    assertThat(execute("run", bad, "--main", "app.Main", told)).isEqualTo(1);

    assertThat(err.toString())
        .contains("error R5", "Main.java:16", "do ", "is not started: its tasks break the rules");
    assertThat(told).doesNotExist();
  }

  @Test
  void shouldSayWhatIsMissingWhenThereIsNothingToStart() {
    assertThat(execute("run", good)).isEqualTo(2);
    assertThat(err.toString()).contains("--main CLASS");
    assertThat(execute("run", good, "--main", "app.Absent")).isEqualTo(2);
    assertThat(err.toString()).contains("there is no class app.Absent");
    assertThat(execute("run", good, "--main", "app.Main$Counter")).isEqualTo(2);
    assertThat(err.toString()).contains("has no main method");
  }

  @Test
  void shouldEndWithOneAndTheTraceWhenMainThrows() {
    assertThat(execute("run", jar, folder.resolve("told.txt"), "fail")).isEqualTo(1);

    assertThat(err.toString())
        .contains("Exception in thread", "IllegalStateException: as told", "app.Main.main");
  }

  private int execute(Object... arguments) {
    out = new StringWriter();
    err = new StringWriter();
    CommandLine commandLine = Main.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try {
      List<String> words = new ArrayList<>();
      for (Object each : arguments) {
        words.add(each.toString());
      }
      return commandLine.execute(words.toArray(String[]::new));
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private static List<String> entries(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return Collections.list(file.entries()).stream().map(ZipEntry::getName).toList();
    }
  }

  private static boolean isWoven(JarFile jar, String entry) throws IOException {
    return isWoven(jar.getInputStream(jar.getEntry(entry)).readAllBytes());
  }

  private static boolean isWoven(byte[] bytes) {
    return ClassFile.of().parse(bytes).interfaces().stream()
        .anyMatch(each -> each.asInternalName().equals("dev/takt/reflex/woven/Undoable"));
  }

  @SuppressWarnings("unchecked") // JSON objects are maps
  private static Map<String, Object> object(Object value) {
    return (Map<String, Object>) value;
  }

  @SuppressWarnings("unchecked") // JSON arrays are lists
  private static List<Map<String, Object>> objects(Object value) {
    return (List<Map<String, Object>>) value;
  }
}
