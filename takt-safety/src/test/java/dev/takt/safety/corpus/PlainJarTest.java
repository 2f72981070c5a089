package dev.takt.safety.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.safety.Finding;
import dev.takt.safety.Rule;
import dev.takt.safety.Severity;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.rules.Verifier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Who does not use the plugin is not let off: a jar that plain javac and jar have made is refused,
 * and for the rules that the plugin would have named.
 */
class PlainJarTest {
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

  /** One program for each rule that both front ends can see. */
  static Stream<Program> programs() {
    return Stream.of(Rule.values())
        .flatMap(
            rule ->
                Program.all(rule.name()).stream()
                    .filter(each -> each.kind() == Program.Kind.REJECT)
                    .filter(each -> each.layer() == Program.Layer.BOTH)
                    .filter(PlainJarTest::isAnError)
                    .limit(1));
  }

  private static boolean isAnError(Program program) {
    return program.expectations().stream()
        .allMatch(expectation -> expectation.severity() == Severity.ERROR);
  }

  @ParameterizedTest
  @MethodSource("programs")
  void shouldRefuseAJarOfPlainJavacForTheRuleThatThePluginNames(Program program)
      throws IOException {
    CorpusCompiler compiler = frontEnds.compiler();
    List<Path> libraries = compiler.libraries(program);
    Path classes = compiler.compile(List.of(program.file()), libraries);
    Path jar = folder.resolve(program.rule() + ".jar");
    Jars.zip(classes, jar);

    Set<Rule> named =
        frontEnds.plugin(program).stream().map(Sighting::rule).collect(Collectors.toSet());
    List<Path> path = new ArrayList<>(libraries);
    path.addAll(compiler.takt());
    try (ClassWorld world = ClassWorld.open(List.of(jar), path)) {
      Verifier.Result result = Verifier.verify(world);

      Set<Rule> refusedFor =
          result.findings().stream()
              .map(Finding::rule)
              .collect(Collectors.toCollection(TreeSet::new));
      assertThat(refusedFor).as("%s", program).isNotEmpty().isEqualTo(named);
      assertThat(result.isClean()).as("may run: %s", program).isFalse();
    }
  }
}
