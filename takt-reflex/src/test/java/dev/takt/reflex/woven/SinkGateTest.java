package dev.takt.reflex.woven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A cycle begins between two releases, and waits for none to come. */
class SinkGateTest {
  private final TaskMemory memory = new TaskMemory("task", 0, 0);
  private final SinkGate gate = memory.sinks;
  private long begun;

  private final SaveSink sink =
      new SaveSink() {
        @Override
        public void begins(long cycle) {
          begun = cycle;
        }

        @Override
        public void saved(
            Undoable object, long[] primitives, int end, @Nullable Object[] references, int last) {}

        @Override
        public void savedArray(Object array, Object copy, int length) {}
      };

  @Test
  void shouldHaveBegunAtOnceWhenNoReleaseRuns() {
    gate.ask(sink);

    assertThat(gate.hasBegun()).isTrue();
    assertThat(memory.sink).isNull();
  }

  @Test
  void shouldAttachTheSinkWhenTheNextReleaseBegins() {
    long before = memory.epoch;
    gate.ask(sink);

    gate.enter();

    assertThat(memory.sink).isSameAs(sink);
    assertThat(begun).isGreaterThan(before);
    assertThat(gate.hasBegun()).isTrue();
    memory.begin();
    assertThat(memory.epoch).isGreaterThan(begun);
  }

  @Test
  void shouldNotHaveBegunUntilTheReleaseHasEndedThatRuns() {
    gate.enter();
    gate.ask(sink);

    assertThat(gate.hasBegun()).isFalse();
    assertThat(memory.sink).isNull();
    gate.exit();
    assertThat(gate.hasBegun()).isTrue();
    gate.enter();
    assertThat(memory.sink).isSameAs(sink);
  }

  @Test
  void shouldEndAsItBegins() {
    gate.ask(sink);
    gate.enter();
    gate.ask(null);

    assertThat(gate.hasBegun()).isFalse();
    assertThat(memory.sink).isSameAs(sink);
    gate.exit();
    assertThat(gate.hasBegun()).isTrue();
    gate.enter();
    assertThat(memory.sink).isNull();
  }

  @Test
  void shouldRefuseASecondCycle() {
    gate.ask(sink);

    assertThatThrownBy(() -> gate.ask(sink))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("task task");
    gate.ask(null);
    gate.ask(sink);
  }
}
