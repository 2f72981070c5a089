package dev.takt.safety.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.safety.Finding;
import dev.takt.safety.Place;
import dev.takt.safety.Rule;
import dev.takt.safety.Severity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a build does to a folder: compile, weave, compile some, weave again. */
class FolderWeaverTest {
  private static final Finding ERROR = finding(Severity.ERROR);
  private static final Finding WARNING = finding(Severity.WARNING);

  @TempDir private Path temp;

  private Path classes;
  private Path state;
  private int runs;
  private List<Finding> findings = List.of();
  private Predicate<String> includes = name -> true;

  @BeforeEach
  void makeFolders() throws IOException {
    classes = Files.createDirectories(temp.resolve("classes"));
    state = temp.resolve("state");
  }

  @Test
  void shouldReplaceWovenClassesAndAddNewOnesWhenClean() throws IOException {
    compile("a/Task", "task");
    compile("a/Helper", "kept");

    Weaving weaving = weave();

    assertThat(weaving.isClean()).isTrue();
    assertThat(weaving.summary()).isEqualTo("1 task in 2 classes, 1 woven and 1 added");
    assertThat(contents())
        .isEqualTo(Map.of("a/Task", "woven task", "a/Task$Lambda", "lambda", "a/Helper", "kept"));
  }

  @Test
  void shouldDoNothingWhenNothingHasChanged() throws IOException {
    compile("a/Task", "task");
    weave();
    Map<String, String> before = contents();

    Weaving again = weave();

    assertThat(again.upToDate()).isTrue();
    assertThat(again.summary()).isEqualTo("1 task in 1 class, 1 woven and 1 added already");
    assertThat(runs).isEqualTo(1);
    assertThat(contents()).isEqualTo(before);
  }

  @Test
  void shouldWeaveFromTheCompilersClassesWhenOneWasCompiledAgain() throws IOException {
    compile("a/Task", "task");
    compile("a/Other", "task");
    weave();
    compile("a/Other", "task, changed");

    weave();

    assertThat(contents())
        .containsEntry("a/Task", "woven task")
        .containsEntry("a/Other", "woven task, changed");
    assertThat(runs).isEqualTo(2);
  }

  @Test
  void shouldForgetAddedClassesWhenTheirReasonIsGone() throws IOException {
    compile("a/Task", "task");
    weave();
    compile("a/Task", "no longer one");

    weave();

    assertThat(contents()).isEqualTo(Map.of("a/Task", "no longer one"));
  }

  @Test
  void shouldForgetAClassWhenItWasDeleted() throws IOException {
    compile("a/Task", "task");
    compile("a/Other", "task");
    weave();
    Files.delete(classes.resolve("a/Other.class"));

    weave();

    assertThat(contents()).containsOnlyKeys("a/Task", "a/Task$Lambda");
  }

  @Test
  void shouldGiveTheCompilersClassesBackWhenTheVerifierObjects() throws IOException {
    compile("a/Task", "task");
    compile("a/Other", "kept");
    weave();
    compile("a/Other", "kept, changed");
    findings = List.of(ERROR);

    Weaving refused = weave();

    assertThat(refused.isClean()).isFalse();
    assertThat(refused.summary()).isEqualTo("1 task in 2 classes, 1 error, nothing woven");
    assertThat(contents()).isEqualTo(Map.of("a/Task", "task", "a/Other", "kept, changed"));
    findings = List.of();
    weave();
    assertThat(contents()).containsEntry("a/Task", "woven task");
  }

  @Test
  void shouldSayWarningsAgainWhenNothingHasChanged() throws IOException {
    compile("a/Task", "task");
    findings = List.of(WARNING);
    weave();

    assertThat(weave().findings()).containsExactly(WARNING);
    assertThat(contents()).containsEntry("a/Task", "woven task");
  }

  @Test
  void shouldWeaveAgainWhenALibraryHasChanged() throws IOException {
    compile("a/Task", "task");
    Path library = Files.createDirectories(temp.resolve("library"));
    weave(library);
    Files.writeString(library.resolve("New.class"), "new");

    weave(library);

    assertThat(runs).isEqualTo(2);
  }

  @Test
  void shouldLeaveClassesAloneWhenTheyAreNotIncluded() throws IOException {
    compile("a/Task", "task");
    compile("b/Task", "task");
    includes = name -> name.startsWith("a/");

    weave();

    assertThat(contents()).containsEntry("a/Task", "woven task").containsEntry("b/Task", "task");
  }

  @Test
  void shouldRecoverWhenARunEndedInTheMiddle() throws IOException {
    compile("a/Task", "task");
    compile("b/Task", "task");
    weave();
    Map<String, String> woven = contents();
    compile("a/Task", "task 2");
    Engine killed =
        (application, libraries, mode) -> {
          throw new IOException("killed");
        };
    assertThatThrownBy(() -> weaver(killed).weave(false)).hasMessage("killed");
    assertThat(contents()).containsEntry("b/Task", "task");

    weave();

    assertThat(contents()).hasSameSizeAs(woven).containsEntry("b/Task", "woven task");
  }

  @Test
  void shouldCheckWhatTheCompilerWroteAndChangeNothing() throws IOException {
    compile("a/Task", "task");
    weave();
    Map<String, String> woven = contents();
    findings = List.of(ERROR);

    Weaving checked = weaver(this::run).check();

    assertThat(checked.findings()).containsExactly(ERROR);
    assertThat(contents()).isEqualTo(woven);
  }

  @Test
  void shouldWeaveAfterACheckThatIncludesLess() throws IOException {
    compile("a/Task", "task");
    compile("b/Task", "task");
    weave();
    Map<String, String> woven = contents();
    includes = name -> name.startsWith("a/");
    weaver(this::run).check();
    assertThat(contents()).isEqualTo(woven);
    includes = name -> true;
    assertThat(weave().upToDate()).isTrue();
    compile("a/Task", "task 2");

    weave();

    assertThat(contents())
        .containsEntry("a/Task", "woven task 2")
        .containsEntry("b/Task", "woven task");
  }

  @Test
  void shouldSayWhatToDoWhenAnOriginalIsLost() throws IOException {
    compile("a/Task", "task");
    weave();
    Files.delete(state.resolve("original/a/Task.class"));

    assertThatThrownBy(this::weave)
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("a/Task", "compile again");
  }

  private Weaving weave(Path... libraries) throws IOException {
    return weaver(this::run, libraries).weave(false);
  }

  private FolderWeaver weaver(Engine engine, Path... libraries) {
    return new FolderWeaver(classes, state, includes, List.of(libraries), engine);
  }

  /** Weaves each class whose content begins with "task", and adds one class to it. */
  private Engine.Output run(List<Path> application, List<Path> libraries, Engine.Mode mode)
      throws IOException {
    runs++;
    Map<String, byte[]> woven = new TreeMap<>();
    int size = contents(application.getFirst()).size();
    for (Map.Entry<String, String> each : contents(application.getFirst()).entrySet()) {
      assertThat(each.getValue()).as(each.getKey()).doesNotStartWith("woven");
      if (each.getValue().startsWith("task") && findings.stream().noneMatch(Finding::isError)) {
        woven.put(each.getKey(), bytes("woven " + each.getValue()));
        woven.put(each.getKey() + "$Lambda", bytes("lambda"));
      }
    }
    return new Engine.Output(new ArrayList<>(findings), 1, size, woven, woven.size() / 2);
  }

  private void compile(String name, String content) throws IOException {
    Path file = classes.resolve(name + ".class");
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private Map<String, String> contents() {
    return contents(classes);
  }

  private static Map<String, String> contents(Path folder) {
    try {
      Map<String, String> contents = new TreeMap<>();
      ClassFiles.read(folder, name -> true)
          .forEach((name, bytes) -> contents.put(name, new String(bytes, StandardCharsets.UTF_8)));
      return contents;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Finding finding(Severity severity) {
    Place place = new Place("a.Task", "execute()", "Task.java", 7, 0);
    return new Finding(Rule.R5, severity, "sleeps", place, "a.Task", List.of());
  }
}
