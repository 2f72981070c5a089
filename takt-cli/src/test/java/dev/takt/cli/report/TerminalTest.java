package dev.takt.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TerminalTest {
  @Test
  void shouldTakeTheWidthFromTheEnvironment() {
    assertThat(Terminal.of(Map.of("COLUMNS", "132"), false).width()).isEqualTo(132);
    assertThat(Terminal.of(Map.of("COLUMNS", "no"), false).width()).isEqualTo(100);
    assertThat(Terminal.of(Map.of("COLUMNS", "3"), false).width()).isEqualTo(10);
    assertThat(Terminal.of(Map.of(), false)).isEqualTo(Terminal.PLAIN);
  }

  @Test
  void shouldUseColoursOnlyOnATerminalThatWantsThem() {
    Map<String, String> xterm = Map.of("TERM", "xterm", "COLUMNS", "80");
    assertThat(Terminal.of(xterm, true).colours()).isTrue();
    assertThat(Terminal.of(xterm, false).colours()).isFalse();
    assertThat(Terminal.of(Map.of("NO_COLOR", "1", "COLUMNS", "80"), true).colours()).isFalse();
    assertThat(Terminal.of(Map.of("TERM", "dumb", "COLUMNS", "80"), true).colours()).isFalse();
  }

  @Test
  void shouldBreakBetweenWords() {
    assertThat(Terminal.wrapped("one two  three", 7)).containsExactly("one two", "three");
    assertThat(Terminal.wrapped("unbreakable", 5)).containsExactly("unbre", "akabl", "e");
    assertThat(Terminal.wrapped("", 5)).containsExactly("");
  }
}
