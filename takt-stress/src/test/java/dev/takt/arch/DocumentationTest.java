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
import org.junit.jupiter.api.Test;

/**
 * What the documents promise is there: commands, options, files, and the source of every example.
 */
class DocumentationTest {
  private static final List<String> DOCUMENTS =
      List.of(
          "README.md",
          "ARCHITECTURE.md",
          "CONTRIBUTING.md",
          "docs/limits.md",
          "docs/doctor.md",
          "docs/testing.md",
          "docs/debugging.md",
          "docs/operations.md",
          "docs/start.md",
          "docs/coming-from.md",
          "docs/sources.md");
  private static final Pattern COMMAND =
      Pattern.compile("\\./takt(?:[ \\t]+([a-z][a-z-]*))?([^`\\n|#>]*)");
  private static final Pattern OPTION = Pattern.compile("--[a-z]+");
  private static final Pattern LINK = Pattern.compile("]\\((?!https?:|#)([^)#]+)");

  @Test
  void shouldKnowEveryCommandAndOptionThatADocumentNames() {
    for (String document : DOCUMENTS) {
      assertThat(unknownCommands(Project.read(Project.ROOT.resolve(document)), helpOfAll()))
          .as(document)
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
    for (String document : DOCUMENTS) {
      Path file = Project.ROOT.resolve(document);
      Matcher link = LINK.matcher(Project.read(file));
      while (link.find()) {
        if (!Files.exists(file.getParent().resolve(link.group(1)))) {
          dead.add(document + " -> " + link.group(1));
        }
      }
    }

    assertThat(dead).isEmpty();
  }

  @Test
  void shouldShowInReadmeOnlyCodeThatIsTested() {
    String tested =
        squeezed(
            Project.read(
                Project.ROOT.resolve(
                    "takt-stress/src/test/java/dev/takt/arch/ReadmeExampleTest.java")));
    Matcher block =
        Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL)
            .matcher(Project.read(Project.ROOT.resolve("README.md")));
    int seen = 0;
    while (block.find()) {
      assertThat(tested).contains(squeezed(block.group(1)));
      seen++;
    }

    assertThat(seen).as("examples in README.md").isPositive();
  }

  /** What the launcher says of each command. */
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
