package dev.takt.safety.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.safety.Rule;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The corpus has enough programs for each rule, and each is filed where it belongs. */
class CorpusCompletenessTest {
  private static final int EACH_KIND = 3;

  static List<Program> programs() {
    return Program.all("");
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void shouldHaveProgramsOfBothKindsForEachRule(Rule rule) {
    List<Program> programs = Program.all(rule.name());
    for (Program.Kind kind : List.of(Program.Kind.ACCEPT, Program.Kind.REJECT)) {
      assertThat(programs.stream().filter(each -> each.kind() == kind))
          .as("programs of %s for %s", kind, rule)
          .hasSizeGreaterThanOrEqualTo(EACH_KIND);
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  void shouldSayInEachProgramWhatIsExpectedOfIt(Program program) {
    boolean rejects = program.kind() == Program.Kind.REJECT;
    assertThat(program.expectations().isEmpty()).as("expects nothing").isEqualTo(!rejects);
    assertThat(program.header("hole").isPresent())
        .as("says what the hole is")
        .isEqualTo(program.kind() == Program.Kind.HOLE);
    assertThat(program.header("layer")).as("says who can see it").isPresent();
    if (program.layer() != Program.Layer.BOTH) {
      assertThat(program.header("layer").orElseThrow()).as("gives the reason").contains("because");
    }
    if (rejects && Rule.of(program.rule()).isPresent()) {
      assertThat(program.expectations())
          .as("expects its own rule, or names in the header the neighbour that it expects")
          .anyMatch(
              each ->
                  each.rule().name().equals(program.rule())
                      || program.header("neighbour").orElse("").contains(each.rule().name()));
    }
    assertThat(program.expectations()).allMatch(each -> !each.parts().isEmpty());
  }
}
