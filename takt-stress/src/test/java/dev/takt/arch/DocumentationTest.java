package dev.takt.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the documents promise is there: commands, options, files, and the source of every example.
 */
class DocumentationTest {
  private static final int COLUMNS = 100;

  private static final Pattern COMMAND =
      Pattern.compile("\\./takt(?:[ \\t]+([a-z][a-z-]*))?([^`\\n|#>]*)");
  private static final Pattern OPTION = Pattern.compile("--[a-z]+");
  private static final Pattern LINK = Pattern.compile("]\\((?!https?:|#)([^)#]+)");
  private static final Pattern FILE =
      Pattern.compile("`((?:takt-[a-z-]+|docs|launcher)/[^`*<>… ]+)`");
  private static final Pattern TYPE = Pattern.compile("`(dev\\.takt[.\\w]*)`");

  @Test
  void shouldKnowEveryCommandAndOptionThatADocumentNames() {
    for (Path document : documents()) {
      assertThat(unknownCommands(Project.read(document), helpOfAll()))
          .as(document.toString())
          .isEmpty();
    }
    assertThat(Project.read(Project.ROOT.resolve("README.md")))
        .contains("./takt demo", "./takt test");
  }

  @Test
  void shouldCatchACommandThatDoesNotExist() {
    Map<String, String> help = Map.of("demo", "[--input FILE]", "test", "checks");

    assertThat(unknownCommands("`./takt demo --input x`, then ./takt test", help)).isEmpty();
    assertThat(unknownCommands("./takt fly", help)).containsExactly("fly");
    assertThat(unknownCommands("./takt demo --colour red", help)).containsExactly("--colour");
    assertThat(unknownCommands("./takt test --input x", help)).containsExactly("--input");
  }

  @Test
  void shouldLinkToFilesThatExist() {
    List<String> dead = new ArrayList<>();
    for (Path document : documents()) {
      String text = Project.read(document);
      LINK.matcher(text)
          .results()
          .map(each -> each.group(1))
          .filter(each -> !Files.exists(document.getParent().resolve(each)))
          .forEach(each -> dead.add(document + " -> " + each));
    }

    assertThat(dead).isEmpty();
  }

  @Test
  void shouldNameFilesPackagesAndClassesThatExist() {
    for (Path document : documents()) {
      assertThat(unknownNames(Project.read(document))).as(document.toString()).isEmpty();
    }
  }

  @Test
  void shouldCatchANameThatDoesNotExist() {
    assertThat(unknownNames("`takt-stress/pom.xml`, `dev.takt.arch`, `dev.takt.arch.Project`"))
        .isEmpty();
    assertThat(unknownNames("`takt-stress/none.xml`")).containsExactly("takt-stress/none.xml");
    assertThat(unknownNames("`dev.takt.none`")).containsExactly("dev.takt.none");
    assertThat(unknownNames("`dev.takt.arch.None`")).containsExactly("dev.takt.arch.None");
  }

  @Test
  void shouldBreakLinesAtAHundredColumns() {
    for (Path document : documents()) {
      assertThat(longLines(Project.read(document))).as(document.toString()).isEmpty();
    }
  }

  @Test
  void shouldCatchALongLineOutsideOfTablesAndCode() {
    String line = "a ".repeat(COLUMNS);

    assertThat(longLines(line)).containsExactly(line);
    assertThat(longLines("| " + line + "\n```\n" + line + "\n```\n![" + line)).isEmpty();
    assertThat(longLines("```\n" + line + "\n```\n" + line)).containsExactly(line);
  }

  @Test
  void shouldShowOnlyCodeThatIsTested() {
    requireTested("README.md", "takt-stress/src/test/java/dev/takt/arch/ReadmeExampleTest.java");
    requireTested(
        "docs/testing.md",
        "takt-testkit/src/test/java/dev/takt/testkit/net/NetworkExampleTest.java");
  }

  private static void requireTested(String document, String test) {
    String tested = squeezed(Project.read(Project.ROOT.resolve(test)));
    Matcher block =
        Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL)
            .matcher(Project.read(Project.ROOT.resolve(document)));
    int seen = 0;
    while (block.find()) {
      assertThat(tested).as(document).contains(squeezed(block.group(1)));
      seen++;
    }
    assertThat(seen).as("examples in " + document).isPositive();
  }

  /** All but the change log, which also names what has gone. */
  private static List<Path> documents() {
    List<Path> documents = new ArrayList<>(Project.files(Project.ROOT.resolve("docs"), ".md"));
    Project.list(Project.ROOT).stream()
        .filter(each -> each.toString().endsWith(".md"))
        .filter(each -> !each.endsWith("CHANGELOG.md"))
        .forEach(documents::add);
    return documents;
  }

  private static List<String> unknownNames(String document) {
    List<String> unknown = new ArrayList<>();
    FILE.matcher(document)
        .results()
        .map(each -> each.group(1))
        .filter(each -> !Files.exists(Project.ROOT.resolve(each)))
        .forEach(unknown::add);
    TYPE.matcher(document)
        .results()
        .map(each -> each.group(1))
        .filter(each -> !isPackageOrClass(each.replace('.', '/')))
        .forEach(unknown::add);
    return unknown;
  }

  private static boolean isPackageOrClass(String path) {
    return Project.modules().stream()
        .flatMap(each -> Stream.of(each.resolve("src/main/java"), each.resolve("src/test/java")))
        .anyMatch(
            each -> Files.exists(each.resolve(path)) || Files.exists(each.resolve(path + ".java")));
  }

  /** Tables, code and pictures cannot be broken. */
  private static List<String> longLines(String document) {
    List<String> tooLong = new ArrayList<>();
    boolean code = false;
    for (String line : document.lines().toList()) {
      code ^= line.strip().startsWith("```");
      if (line.length() > COLUMNS && !code && !line.startsWith("|") && !line.startsWith("![")) {
        tooLong.add(line);
      }
    }
    return tooLong;
  }

  /** The help text of each command. */
  private static Map<String, String> helpOfAll() {
    Map<String, String> help = new HashMap<>();
    for (Path each : Project.files(Project.ROOT.resolve("launcher/help"), ".txt")) {
      help.put(each.getFileName().toString().replace(".txt", ""), Project.read(each));
    }
    return help;
  }

  private static List<String> unknownCommands(String document, Map<String, String> help) {
    List<String> unknown = new ArrayList<>();
    Matcher command = COMMAND.matcher(document);
    while (command.find()) {
      String name = command.group(1);
      if (name != null && !help.containsKey(name)) {
        unknown.add(name);
      }
      Matcher option = OPTION.matcher(command.group(2));
      while (option.find()) {
        if (name != null && !help.getOrDefault(name, option.group()).contains(option.group())) {
          unknown.add(option.group());
        }
      }
    }
    return unknown;
  }

  /** Without white space: a formatter may break lines elsewhere. */
  private static String squeezed(String text) {
    return text.replaceAll("\\s+", "");
  }
}
