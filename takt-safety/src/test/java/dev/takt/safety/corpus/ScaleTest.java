package dev.takt.safety.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.safety.Finding;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.rules.Verifier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks a jar as large as an application: all that was planted is found, and nothing else. How
 * long that takes is for {@link ScaleMeasurement} to say.
 */
class ScaleTest {
  static final int GROUPS = 100;
  static final int FLAWS = 25;
  static final long SEED = 20_261_121L;

  @TempDir Path folder;

  @Test
  void shouldFindExactlyWhatIsWrongInFiveHundredClasses() throws IOException {
    try (CorpusCompiler compiler = new CorpusCompiler(folder)) {
      ScaleJar jar = ScaleJar.make(SEED, GROUPS, FLAWS, compiler, folder);

      List<Finding> findings;
      int closures;
      try (ClassWorld world = ClassWorld.open(List.of(jar.file()), compiler.takt())) {
        Verifier.Result result = Verifier.verify(world);
        findings = result.findings();
        closures = result.closures().size();
      }
      Set<ScaleJar.Flaw> found =
          findings.stream()
              .map(each -> new ScaleJar.Flaw(each.rule(), each.place().className()))
              .collect(Collectors.toCollection(TreeSet::new));
      assertThat(found).as("seed %d, all findings: %s", SEED, findings).isEqualTo(jar.planted());
      assertThat(findings).as("one finding for each flaw").hasSameSizeAs(jar.planted());
      assertThat(closures).isEqualTo(GROUPS);
    }
  }
}
