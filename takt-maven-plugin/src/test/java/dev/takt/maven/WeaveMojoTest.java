package dev.takt.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The goals on a fixture project. That Maven finds and runs them, every build of takt shows. */
class WeaveMojoTest {
  @TempDir private static Path takt;
  @TempDir private Path folder;
  private Fixture fixture;
  private final WeaveMojo weave = new WeaveMojo();
  private final CheckMojo check = new CheckMojo();

  @BeforeAll
  static void compileTakt() throws IOException {
    Fixture.compileTakt(takt);
  }

  @BeforeEach
  void makeProject() throws IOException {
    fixture = new Fixture(folder, takt);
    weave.classesDirectory = fixture.classes.toFile();
    weave.stamp = fixture.stamp.toFile();
    weave.classpath = fixture.classpath();
    weave.setLog(fixture.recorder());
    check.classesDirectory = fixture.classes.toFile();
    check.classpath = fixture.classpath();
    check.setLog(fixture.recorder());
  }

  @Test
  void shouldWeaveTheTasksOfAProject() throws Exception {
    fixture.compileCounter();
    assertThat(isWoven("Counter")).isFalse();

    weave.execute();

    assertThat(isWoven("Counter")).isTrue();
    assertThat(fixture.log).containsExactly("info: 1 task in 1 class, 1 woven and 1 added");
  }

  @Test
  void shouldFailTheBuildWithRulePlaceAndRemedyWhenATaskBreaksARule() throws IOException {
    fixture.compileSleeper();

    assertThatThrownBy(weave::execute)
        .isInstanceOf(MojoFailureException.class)
        .hasMessageContaining("1 finding breaks the safety rules");

    assertThat(fixture.log).first().asString().startsWith("error: error R5").contains("parkNanos");
    assertThat(String.join("\n", fixture.log))
        .containsSubsequence("Sleeper.java:3", "error:     why ", "error:     do ");
    assertThat(isWoven("Sleeper")).isFalse();
  }

  @Test
  void shouldGoOnUnwovenWhenFindingsDoNotFailTheBuild() throws Exception {
    fixture.compileSleeper();
    weave.failOnFindings = false;

    weave.execute();

    assertThat(fixture.log).last().asString().endsWith("1 error, nothing woven");
    assertThat(isWoven("Sleeper")).isFalse();
  }

  @Test
  void shouldLookAtIncludedClassesOnly() throws Exception {
    fixture.compileCounter();
    fixture.compileSleeper();
    weave.includes = List.of("com.acme.Counter");

    weave.execute();

    assertThat(isWoven("Counter")).isTrue();
    assertThat(isWoven("Sleeper")).isFalse();
  }

  @Test
  void shouldLeaveLibrariesOutByHowTheirNamesBegin() throws Exception {
    Path kept = Files.createFile(folder.resolve("kept-1.jar"));
    Path left = Files.createFile(folder.resolve("netty-common-4.jar"));
    weave.withoutLibraries = List.of("netty-", "mina-");

    assertThat(
            weave.libraries(
                List.of(kept.toString(), left.toString(), "/no/such.jar"), weave.classesDirectory))
        .containsExactly(kept);
  }

  @Test
  void shouldCheckWhatTheCompilerWroteWhenTheClassesAreWoven() throws Exception {
    fixture.compileCounter();
    weave.execute();
    byte[] woven = Files.readAllBytes(classFile("Counter"));
    fixture.log.clear();

    check.execute();

    assertThat(fixture.log).containsExactly("info: 1 task in 1 class, 0 errors, nothing woven");
    assertThat(classFile("Counter")).hasBinaryContent(woven);
    fixture.compileSleeper();
    assertThatThrownBy(check::execute).isInstanceOf(MojoFailureException.class);
    assertThat(classFile("Counter")).hasBinaryContent(woven);
  }

  @Test
  void shouldSayWhatIsWrongWhenAPatternOrAClassIsDamaged() throws IOException {
    fixture.compileCounter();
    weave.includes = List.of("com/acme");
    assertThatThrownBy(weave::execute)
        .isInstanceOf(MojoExecutionException.class)
        .hasMessageContainingAll("includes", "com/acme");

    weave.includes = List.of();
    Files.write(classFile("Counter"), new byte[] {1, 2, 3});
    assertThatThrownBy(weave::execute).isInstanceOf(MojoFailureException.class);
    assertThat(fixture.log)
        .anySatisfy(line -> assertThat(line).startsWith("error: error R1").contains("Counter"));
  }

  @Test
  void shouldDoNothingWhenToldSoOrWhenThereIsNothing() throws Exception {
    fixture.compileSleeper();
    weave.skip = true;
    weave.execute();
    check.skip = true;
    check.execute();

    weave.skip = false;
    weave.classesDirectory = folder.resolve("absent").toFile();
    weave.execute();

    assertThat(fixture.log).isEmpty();
  }

  @Test
  void shouldWeaveTestClassesToo() throws Exception {
    fixture.compileCounter();

    testWeave().execute();

    assertThat(isWoven("Counter")).isTrue();
  }

  @Test
  void shouldWeaveTestClassesThatBreakRulesOnlyWhenAskedTo() throws Exception {
    fixture.compileSleeper();
    TestWeaveMojo testWeave = testWeave();
    assertThatThrownBy(testWeave::execute).isInstanceOf(MojoFailureException.class);
    assertThat(isWoven("Sleeper")).isFalse();
    fixture.log.clear();

    testWeave.unchecked = true;
    testWeave.execute();

    assertThat(isWoven("Sleeper")).isTrue();
    assertThat(fixture.log).noneMatch(line -> line.startsWith("error"));
  }

  private TestWeaveMojo testWeave() {
    TestWeaveMojo testWeave = new TestWeaveMojo();
    testWeave.classesDirectory = fixture.classes.toFile();
    testWeave.stamp = fixture.stamp.toFile();
    testWeave.classpath = fixture.classpath();
    testWeave.setLog(fixture.recorder());
    return testWeave;
  }

  private boolean isWoven(String task) throws IOException {
    return ClassFile.of().parse(classFile(task)).interfaces().stream()
        .anyMatch(each -> each.asInternalName().equals("dev/takt/reflex/woven/Undoable"));
  }

  private Path classFile(String task) {
    return fixture.classes.resolve("com/acme/" + task + ".class");
  }
}
