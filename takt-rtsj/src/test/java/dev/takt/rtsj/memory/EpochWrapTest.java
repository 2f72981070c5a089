package dev.takt.rtsj.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A scope that is entered and left 20 million times a second is through with its epochs in 4 min.
 */
class EpochWrapTest {
  private static final class Node {}

  @ParameterizedTest
  @ValueSource(ints = {Integer.MAX_VALUE - 2, -3})
  void shouldBeginEachEpochEmptyWhenTheirNumbersWrapAround(int epoch) {
    try (ScopedArea area = ScopedArea.linearTime("wrap", 1_024)) {
      area.register(Node.class, Node::new, 2);
      area.state().epoch(epoch);
      AreaReference<Object> reference = area.newReference();
      for (int i = 0; i < 6; i++) {
        int number = epoch + i;
        MemoryView view = new MemoryView();
        area.enter(
            () -> {
              assertThat(area.state().epoch()).isEqualTo(number);
              assertThat(area.consumedBytes()).isZero();
              assertThat(reference.get()).isNull();
              Node first = area.newInstance(Node.class);
              assertThat(area.newInstance(Node.class)).isNotSameAs(first);
              assertThatThrownBy(() -> area.newInstance(Node.class))
                  .isInstanceOf(AreaExhaustedException.class);
              reference.set(first);
              assertThat(reference.get()).isSameAs(first);
              area.allocate(view, 64, 8);
              view.putLong(0, number);
              assertThat(view.getLong(0)).isEqualTo(number);
            });
        assertThat(area.state().parent()).isZero();
        assertThatThrownBy(() -> view.getLong(0)).isInstanceOf(IllegalReferenceException.class);
      }
    }
  }
}
