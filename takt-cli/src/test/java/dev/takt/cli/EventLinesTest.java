package dev.takt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.ManagerEvent;
import dev.takt.cpu.ManagerEvent.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventLinesTest {
  private final List<String> out = new ArrayList<>();
  private final EventLines lines = new EventLines(out::add);

  private void happens(Kind kind, String detail) {
    lines.accept(new ManagerEvent(0, "a/loop", kind, detail));
  }

  @Test
  void shouldSayEachThingInPlainWordsWhenItIsAsked() {
    happens(Kind.REJECTED, "too long");
    happens(Kind.MEASURED, "100 ns");
    happens(Kind.OVERRUN, "5 ns");
    happens(Kind.OVERRUN, "6 ns");
    happens(Kind.DROPPED, "");
    assertThat(out).as("who tells it must not wait").isEmpty();

    lines.print();
    lines.print();

    assertThat(out)
        .containsExactly(
            "task a/loop is not admitted: too long",
            "task a/loop exceeded its cost: 5 ns; of more the tenth is shown, the hundredth and so on",
            "task a/loop was dropped");
  }

  @Test
  void shouldHaveWordsForEverythingThatHappens() {
    for (Kind each : Kind.values()) {
      assertThat(EventLines.text(new ManagerEvent(0, "a", each, "")))
          .startsWith("task a ")
          .matches("[a-zA-Z, ]+");
    }
  }

  @Test
  void shouldShowMoreAndMoreRarelyThatATaskFails() {
    for (int i = 0; i < 1_500; i++) {
      happens(Kind.FAILED, "number " + (i + 1));
      lines.print();
    }

    assertThat(out)
        .extracting(each -> each.replaceAll(".*number ", ""))
        .containsExactly(
            "1; of more the tenth is shown, the hundredth and so on",
            "10; 10 times so far",
            "100; 100 times so far",
            "1000; 1000 times so far");
  }

  @Test
  void shouldCutWhatAnApplicationSaysAtLength() {
    String much = "x".repeat(100_000);
    assertThat(EventLines.text(new ManagerEvent(0, much, Kind.FAILED, much)))
        .hasSizeLessThan(1_100);
  }

  /** Escape, ends of lines, a control of the second set, and what turns the direction. */
  @Test
  void shouldShowNothingThatMovesTheCursorOrForgesALine() {
    for (String each :
        List.of("\u001b[31m", "\r", "\n", "\u0085", "\u009b2J", "\u202e", "\u2066", "\u2028")) {
      String line =
          EventLines.text(new ManagerEvent(0, "a" + each + "b", Kind.FAILED, "c" + each + "d"));
      assertThat(line)
          .as("U+%04x", (int) each.charAt(0))
          .matches("[ -~]+")
          .contains("%04x".formatted((int) each.charAt(0)))
          .contains(" failed in a release: ");
    }
  }

  @Test
  void shouldCountWhatItCannotKeep() {
    for (int i = 0; i < 5_000; i++) {
      happens(Kind.DEMOTED, "");
    }
    lines.print();

    assertThat(out).hasSize(4_097).last().isEqualTo("904 events were too many to show");
  }
}
