package dev.takt.safety;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.safety.load.FindingText;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A class file can name its source, its members and itself as it likes. */
class PrintableTest {
  private static final String SPOOF = "A.java\n\u001b[2J\r1 task: 0 errors\u202e\u2028\u0085";

  @Test
  void shouldShowControlCharactersOfFindings() {
    SourceLocation place = new SourceLocation("app.\u001b[0mA", "m\b()", SPOOF, 3, 0);
    String text =
        FindingText.of(
            new Finding(
                Rule.R1,
                Severity.ERROR,
                "the class " + SPOOF + " is missing",
                place,
                "app.\u0007Task",
                List.of(place, place)));

    assertThat(text.chars().filter(c -> c != '\n').filter(Character::isISOControl)).isEmpty();
    assertThat(text).doesNotContain("\u202e", "\u2028");
    assertThat(text.lines()).noneMatch(line -> line.startsWith("1 task"));
    assertThat(text)
        .contains(
            "app.\\u001b[0mA.m\\u0008()(A.java\\u000a\\u001b[2J\\u000d1 task: 0 errors"
                + "\\u202e\\u2028\\u0085:3)")
        .contains("task app.\\u0007Task");
  }

  @Test
  void shouldLeaveOtherTextAsItIs() {
    for (String text : List.of("", "a b", "Pr\u00fcfung.java", "\u65e5\u672c", "\ud83d\ude00")) {
      assertThat(Printable.of(text)).isSameAs(text);
    }
    assertThat(Printable.of("a\ud83db\ude00")).isEqualTo("a\\ud83db\\ude00");
  }
}
