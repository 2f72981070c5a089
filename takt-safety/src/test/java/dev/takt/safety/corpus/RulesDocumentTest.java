package dev.takt.safety.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.safety.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the rules say, and that {@code docs/rules.md} says the same. */
class RulesDocumentTest {
  private static final Path DOCUMENT = Path.of("../docs/rules.md");

  @Test
  void shouldAgreeWithTheDocument() throws IOException {
    String text = RulesDocument.text();
    if (Boolean.getBoolean("takt.writeRules")) {
      Files.writeString(DOCUMENT, text);
    }
    assertThat(Files.readString(DOCUMENT))
        .as(
            "docs/rules.md; to write it anew: mvn -pl takt-safety -am test -Dtest=RulesDocumentTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Dtakt.writeRules=true")
        .isEqualTo(text);
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void shouldGiveReasonExampleAndRemedy(Rule rule) {
    for (String sentence : new String[] {rule.text(), rule.reason(), rule.remedy()}) {
      assertThat(sentence).endsWith(".").doesNotContain("  ").hasSizeLessThan(240);
      assertThat(Character.isUpperCase(sentence.charAt(0))).as(sentence).isTrue();
    }
    assertThat(rule.example()).isNotBlank().hasSizeLessThan(140);
    assertThat(Rule.of(rule.name())).contains(rule);
  }
}
