package dev.takt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What {@code takt new} writes; that it builds and runs is shown by the script .ci/outside. */
class NewCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("takt.root", ".."));

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void shouldMakeAProjectForMavenWithNothingLeftToFillIn() throws IOException {
    Path project = folder.resolve("My first_Try");

    assertThat(execute("new", project.toString())).as(err.toString()).isZero();

    assertThat(out.toString())
        .as("can be copied as it is, on a machine whose default java is an older one")
        .contains(
            "  cd '" + project + "'\n",
            "  JAVA_HOME=" + System.getProperty("java.home") + " mvn package\n");
    assertThat(files(project))
        .containsExactlyInAnyOrder(
            ".gitignore",
            "README.md",
            "pom.xml",
            "src/main/java/com/example/App.java",
            "src/main/java/com/example/Buyer.java",
            "src/test/java/com/example/BuyerTest.java");
    for (String each : files(project)) {
      assertThat(read(project.resolve(each))).as(each).doesNotContainPattern("@[a-z]+@");
    }
    assertThat(read(project.resolve("pom.xml")))
        .contains("<artifactId>my-first-try</artifactId>", "<takt.version>" + version() + "<");
  }

  /** Else the compiler says that it knows no release 25, and the runtime refuses all tasks. */
  @Test
  void shouldSayWhichJdkIsNeededAndHaveTheCompilerWeave() throws IOException {
    assertThat(execute("new", folder.resolve("app").toString())).isZero();

    assertThat(read(folder.resolve("app/pom.xml")))
        .containsSubsequence("<requireJavaVersion>", "[25,)", "JAVA_HOME", "maven-compiler-plugin")
        .containsSubsequence("<artifactId>takt-safety</artifactId>", "<scope>provided</scope>");
  }

  @Test
  void shouldMakeAProjectForGradle() throws IOException {
    Path project = folder.resolve("app");

    assertThat(execute("new", "--gradle", project.toString())).as(err.toString()).isZero();

    assertThat(files(project))
        .contains("build.gradle.kts", "settings.gradle.kts")
        .doesNotContain("pom.xml");
    assertThat(read(project.resolve("build.gradle.kts")))
        .contains("val taktVersion = \"" + version() + "\"")
        .doesNotContainPattern("@[a-z]+@");
  }

  @Test
  void shouldLeaveAFolderAloneThatIsNotEmpty() throws IOException {
    Files.writeString(folder.resolve("mine"), "mine");

    assertThat(execute("new", folder.toString())).isEqualTo(2);

    assertThat(err.toString()).contains(folder.toString(), "not empty");
    assertThat(files(folder)).containsExactly("mine");
  }

  @Test
  void shouldUseTheVersionsThatTaktIsBuiltWith() throws IOException {
    assertThat(execute("new", folder.resolve("app").toString())).isZero();
    String pom = read(folder.resolve("app/pom.xml"));
    String own = read(ROOT.resolve("pom.xml"));

    for (String plugin : List.of("compiler", "surefire", "jar", "dependency", "enforcer")) {
      Pattern version =
          Pattern.compile(
              "<artifactId>maven-" + plugin + "-plugin</artifactId>\\s*<version>(.*?)<");
      assertThat(first(version, pom)).as(plugin).isEqualTo(first(version, own));
    }
    assertThat(pom)
        .contains(
            "<version>" + first(Pattern.compile("<junit.version>(.*?)<"), own) + "</version>");
    assertThat(read(ROOT.resolve("takt-bom/pom.xml"))).contains("<version>" + version() + "<");
    assertThat(read(ROOT.resolve("takt-bom/pom.xml")))
        .contains(first(Pattern.compile("(<takt.url>.*</takt.url>)"), own));
  }

  @Test
  void shouldBeShownWholeInTheDocumentToStartWith() throws IOException {
    assertThat(execute("new", folder.resolve("app").toString())).isZero();

    String document = read(ROOT.resolve("docs/start.md"));
    assertThat(first(Pattern.compile("(?s)```xml\\n(.*?)```"), document))
        .as("docs/start.md shows the pom of ./takt new app")
        .isEqualTo(read(folder.resolve("app/pom.xml")));
  }

  private static String version() {
    return Main.Version.ofTakt();
  }

  private static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    assertThat(matcher.find()).as("%s", pattern).isTrue();
    return matcher.group(1);
  }

  private static List<String> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(each -> folder.relativize(each).toString())
          .sorted()
          .toList();
    }
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file);
  }

  private int execute(String... arguments) {
    CommandLine commandLine = Main.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments);
  }
}
