package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of the events of {@code takeAll} when the one who gets them throws. */
class TakeAllTest {
  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(64));

  private static Event order(long id) {
    return new Event("id", id);
  }

  @Test
  void shouldGiveBackWhatASinkHasNotGotWhenItThrows() {
    for (long id = 0; id < 5; id++) {
      space.write(order(id));
    }
    IllegalStateException thrown = new IllegalStateException("the second");
    assertThatThrownBy(
            () ->
                space.takeAll(
                    new Event("id", null),
                    5,
                    event -> {
                      if (event.getLong("id") == 1) {
                        throw thrown;
                      }
                    }))
        .isSameAs(thrown)
        .hasNoSuppressedExceptions();
    List<Long> ids = new ArrayList<>();
    space.takeAll(new Event("id", null), 5, event -> ids.add(event.getLong("id")));
    assertThat(ids).containsExactly(2L, 3L, 4L);
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
