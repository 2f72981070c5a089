package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** What becomes of the events of {@code takeAll} when the one who gets them throws. */
class TakeAllTest {
  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(64));

  private static Event order(long id) {
    return new Event("id", id);
  }

  @Test
  void shouldSayWhatIsLostWhenASinkThrowsAndTheSpaceIsFull() {
    space.write(order(1));
    space.write(order(2));
    IllegalStateException thrown = new IllegalStateException("the first");
    assertThatThrownBy(
            () ->
                space.takeAll(
                    new Event("id", null),
                    2,
                    event -> {
                      for (int i = 0; i < 64; i++) {
                        space.write(new Event("filler", i));
                      }
                      throw thrown;
                    }))
        .isSameAs(thrown);
    assertThat(thrown.getSuppressed()).hasSize(1);
    assertThat(thrown.getSuppressed()[0])
        .hasMessage("taken and lost: [[id: 2]]")
        .hasCauseInstanceOf(Abort.class);
  }

  @Test
  void shouldSayWhatIsLostWhenASinkFillsTheSpaceUntilItIsRefused() {
    space.write(order(1));
    space.write(order(2));
    assertThatThrownBy(
            () ->
                space.takeAll(
                    new Event("id", null),
                    2,
                    event -> {
                      for (int i = 0; i < 65; i++) {
                        space.write(new Event("filler", i));
                      }
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("taken and lost: [[id: 2]]")
        .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasOnlyElementsOfType(Abort.class));
  }
}
