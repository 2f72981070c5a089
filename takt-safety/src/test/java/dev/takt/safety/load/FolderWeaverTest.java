package dev.takt.safety.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.safety.Finding;
import dev.takt.safety.Programs;
import dev.takt.safety.Rule;
import java.io.IOException;
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
  private static final String IDLE = "package b;\nclass Idle { }";
  private static final String PAIR = "package a;\npublic class Pair { public long count; }";
  private static final String PAIRING =
      """
      package a;
      public class Pairing extends dev.takt.reflex.ReflexTask {
        private long count;
        public void execute() { Pair pair = new Pair(); pair.count = count; count += pair.count; }
      }
      """;

  @TempDir private Path temp;

  private Path classes;
  private Path stamp;
  private Predicate<String> includes;

  @BeforeEach
  void makeFolders() throws IOException {
    classes = Files.createDirectories(temp.resolve("classes"));
    stamp = temp.resolve("stamp");
  }

  @Test
  void shouldReplaceWovenClassesAndAddNewOnesWhenClean() throws IOException {
    compile(task("a", "Task", 1), IDLE);
    Map<String, byte[]> compiled = contents();

    WeaveResult weaving = weave();

    assertThat(weaving.isClean()).isTrue();
    assertThat(weaving.summary()).isEqualTo("1 task in 2 classes, 1 woven and 2 added");
    assertThat(contents())
        .containsOnlyKeys("a/Task", "a/Task$TaktLambda$0", "a/Task$TaktSeal", "b/Idle");
    assertThat(contents().get("b/Idle")).isEqualTo(compiled.get("b/Idle"));
    assertThat(isWoven("a/Task")).isTrue();
  }

  @Test
  void shouldDoNothingWhenNothingHasChanged() throws IOException {
    compile(task("a", "Task", 1));
    weave();
    Map<String, byte[]> before = contents();

    WeaveResult again = weave();

    assertThat(again.upToDate()).isTrue();
    assertThat(again.summary()).isEqualTo("1 task in 1 class, 1 woven and 2 added already");
    assertSame(before);
  }

  @Test
  void shouldGiveTheSameWhenAWovenFolderIsWovenAgain() throws IOException {
    compile(task("a", "Task", 1), task("b", "Other", 1));
    weave();
    Map<String, byte[]> before = contents();
    Files.delete(stamp);

    assertThat(weave().upToDate()).isTrue();

    assertSame(before);
  }

  @Test
  void shouldWeaveAllAsInOneGoWhenOneWasCompiledAgain() throws IOException {
    compile(task("a", "Task", 2), task("b", "Other", 1));
    weave();
    Map<String, byte[]> inOneGo = contents();
    compile(task("a", "Task", 1));
    weave();
    compile(task("a", "Task", 2));

    WeaveResult weaving = weave();

    assertThat(weaving.upToDate()).isFalse();
    assertSame(inOneGo);
  }

  @Test
  void shouldForgetAddedClassesWhenTheirReasonIsGone() throws IOException {
    compile(task("a", "Task", 1), IDLE, task("b", "Other", 1));
    weave();
    compile("package a;\nclass Task { }");
    Map<String, byte[]> compiled = contents();

    weave();

    assertThat(contents())
        .containsOnlyKeys(
            "a/Task", "b/Idle", "b/Other", "b/Other$TaktLambda$0", "b/Other$TaktSeal");
    assertThat(contents().get("a/Task")).isEqualTo(compiled.get("a/Task"));
  }

  @Test
  void shouldUnweaveAClassWhenNoTaskReachesItAnyMore() throws IOException {
    compile(PAIRING, PAIR, task("b", "Other", 1));
    byte[] pair = contents().get("a/Pair");
    weave();
    assertThat(isWoven("a/Pair")).isTrue();
    Files.delete(classes.resolve("a/Pairing.class"));

    weave();

    assertThat(contents())
        .containsOnlyKeys("a/Pair", "b/Other", "b/Other$TaktLambda$0", "b/Other$TaktSeal");
    assertThat(contents().get("a/Pair")).isEqualTo(pair);
  }

  @Test
  void shouldGiveTheCompilersClassesBackWhenTheVerifierObjects() throws IOException {
    compile(task("a", "Task", 1), IDLE);
    Map<String, byte[]> compiled = contents();
    weave();
    compile(sleeper());

    WeaveResult refused = weave();

    assertThat(refused.findings()).extracting(Finding::rule).containsExactly(Rule.R5);
    assertThat(refused.summary()).isEqualTo("2 tasks in 3 classes, 1 error, nothing woven");
    assertThat(contents()).containsOnlyKeys("a/Task", "b/Idle", "c/Sleeper");
    assertThat(contents().get("a/Task")).isEqualTo(compiled.get("a/Task"));
    Files.delete(classes.resolve("c/Sleeper.class"));
    weave();
    assertThat(isWoven("a/Task")).isTrue();
  }

  @Test
  void shouldShowFindingsAgainWhenNothingHasChanged() throws IOException {
    compile(sleeper());
    List<Finding> findings = weave().findings();

    assertThat(weave().findings()).isEqualTo(findings).isNotEmpty();
  }

  @Test
  void shouldWeaveAgainWhenALibraryHasChanged() throws IOException {
    compile(task("a", "Task", 1));
    Path library = Files.createDirectories(temp.resolve("library"));
    weave(library);
    String before = Files.readString(stamp);
    Files.write(library.resolve("New.class"), contents().get("a/Task"));

    weave(library);

    assertThat(Files.readString(stamp)).isNotEqualTo(before);
  }

  @Test
  void shouldLeaveClassesAloneWhenTheyAreNotIncluded() throws IOException {
    compile(task("a", "Task", 1), task("b", "Task", 1));
    byte[] other = contents().get("b/Task");
    includes = name -> name.startsWith("a/");

    weave();

    assertThat(isWoven("a/Task")).isTrue();
    assertThat(contents().get("b/Task")).isEqualTo(other);
    includes = null;
    assertThat(weave().upToDate()).isFalse();
    assertThat(isWoven("b/Task")).isTrue();
  }

  /** So Takt's own build weaves the collections that it brings. */
  @Test
  void shouldWeaveClassesOfTaktWhenTheyAreIncludedByName() throws IOException {
    for (Map.Entry<String, byte[]> each : ClassFiles.read(Programs.libraries().get(1)).entrySet()) {
      ClassFiles.writeWhole(ClassFiles.file(classes, each.getKey()), each.getValue());
    }
    compile(
        "package dev.takt.reflex.stable;\n"
            + "public class Box implements dev.takt.space.Stable { private long size; }");
    Programs.describeModule(classes, "dev.takt.reflex");
    includes = name -> name.startsWith("dev/takt/reflex/stable/");

    new FolderWeaver(classes, stamp, includes, List.of(Programs.libraries().get(0))).weave(false);

    assertThat(isWoven("dev/takt/reflex/stable/Box")).isTrue();
    assertThat(isWoven("dev/takt/reflex/ReflexTask")).isFalse();
  }

  @Test
  void shouldRecoverWhenARunEndedInTheMiddle() throws IOException {
    compile(task("a", "Task", 1), task("b", "Task", 1));
    Map<String, byte[]> compiled = contents();
    weave();
    Map<String, byte[]> woven = contents();
    Files.write(classes.resolve("b/Task.class"), compiled.get("b/Task"));
    Files.delete(classes.resolve("a/Task$TaktSeal.class"));

    weave();

    assertSame(woven);
  }

  @Test
  void shouldCheckWhatTheCompilerWroteAndChangeNothing() throws IOException {
    compile(task("a", "Task", 1));
    weave();
    compile(sleeper());
    Map<String, byte[]> before = contents();

    WeaveResult checked = weaver().check();

    assertThat(checked.findings()).extracting(Finding::rule).containsExactly(Rule.R5);
    assertSame(before);
  }

  @Test
  void shouldSayWhatToDoWhenAClassCannotBeWritten() throws IOException {
    compile(task("a", "Task", 1));
    Files.createDirectories(classes.resolve("a/Task$TaktSeal.class/full"));

    assertThatThrownBy(this::weave)
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("cannot write", "a/Task$TaktSeal");
  }

  private WeaveResult weave(Path... more) throws IOException {
    return weaver(more).weave(false);
  }

  private FolderWeaver weaver(Path... more) {
    List<Path> libraries = new ArrayList<>(Programs.libraries());
    libraries.addAll(List.of(more));
    return new FolderWeaver(classes, stamp, includes, libraries);
  }

  /** A task with a lambda that captures, and a helper if there is one in its package. */
  private static String task(String packageName, String name, int step) {
    return """
        package %1$s;
        public class %2$s extends dev.takt.reflex.ReflexTask {
          private long count;
          public void execute() {
            long step = %3$d;
            java.util.function.LongUnaryOperator next = from -> from + step;
            count = next.applyAsLong(count);
          }
        }
        """
        .formatted(packageName, name, step);
  }

  private static String sleeper() {
    return """
        package c;
        public class Sleeper extends dev.takt.reflex.ReflexTask {
          public void execute() { java.util.concurrent.locks.LockSupport.parkNanos(1); }
        }
        """;
  }

  private void compile(String... sources) throws IOException {
    List<Path> classPath = new ArrayList<>(Programs.libraries());
    classPath.add(classes);
    Programs.compile(List.of(sources), classes, classPath, List.of());
  }

  private boolean isWoven(String name) throws IOException {
    String text = new String(contents().get(name), StandardCharsets.ISO_8859_1);
    return text.contains("dev.takt.Original");
  }

  private void assertSame(Map<String, byte[]> expected) throws IOException {
    Map<String, byte[]> now = contents();
    assertThat(now).containsOnlyKeys(expected.keySet());
    expected.forEach((name, bytes) -> assertThat(now.get(name)).as(name).isEqualTo(bytes));
  }

  private Map<String, byte[]> contents() throws IOException {
    return new TreeMap<>(ClassFiles.read(classes));
  }
}
