package dev.takt.safety.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.safety.Rule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Shows each program of the corpus to the compiler plugin, to {@code takt check}, to what the Maven
 * goals call and to the loader of {@code takt run}: they find what the program's comments say they
 * must, and nothing else. The classes that the verifier gets come from plain javac, as those of
 * somebody who does not use the plugin do.
 */
class RuleCorpusTest {
  @TempDir static Path folder;

  private static FrontEnds frontEnds;

  @BeforeAll
  static void start() {
    frontEnds = new FrontEnds(folder);
  }

  @AfterAll
  static void stop() throws IOException {
    frontEnds.close();
  }

  static Stream<Program> programs() {
    return Stream.concat(Stream.of(Rule.values()).map(Rule::name), Stream.of("reach"))
        .flatMap(folder -> Program.all(folder).stream());
  }

  static Stream<Program> programsThatNameLiveClasses() {
    return programs().filter(program -> program.header("live").isPresent());
  }

  @ParameterizedTest
  @MethodSource("programs")
  void shouldSayAtTheLineWhatIsWrongWithTheSource(Program program) {
    boolean visible = program.layer() != Program.Layer.BYTECODE;
    FrontEnds.assertAgree("plugin", program, visible, frontEnds.plugin(program));
  }

  @ParameterizedTest
  @MethodSource("programs")
  void shouldRefuseTheClassesOfPlainJavacForTheSameReason(Program program) throws IOException {
    boolean visible = program.layer() != Program.Layer.SOURCE;
    FrontEnds.assertAgree("takt check", program, visible, frontEnds.check(program));
  }

  @ParameterizedTest
  @MethodSource("programs")
  void shouldFindTheSameWhenABuildWeavesOrALoader(Program program) throws IOException {
    frontEnds.assertSameByBuildAndLoader(program);
  }

  @ParameterizedTest
  @MethodSource("programsThatNameLiveClasses")
  void shouldListTheClassesToInitializeAtTheStart(Program program) throws IOException {
    assertThat(frontEnds.initialized(program)).contains(program.header("live").orElseThrow());
  }
}
