package dev.takt.rtsj.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** The areas that are no scopes. */
class HeapAreaTest {
  private final HeapArea heap = HeapArea.instance();

  @Test
  void shouldAllocateOnTheHeap() {
    MemorySegment segment = heap.allocate(12, 8);
    assertThat(segment.isNative()).isFalse();
    assertThat(segment.byteSize()).isEqualTo(12);
    segment.set(ValueLayout.JAVA_LONG, 0, 1);
    assertThat(heap.allocate(0, 1).byteSize()).isZero();
  }

  @Test
  void shouldTellTheFiguresOfTheJvm() {
    assertThat(heap.sizeBytes()).isEqualTo(Runtime.getRuntime().maxMemory());
    assertThat(heap.consumedBytes()).isPositive().isLessThan(heap.sizeBytes());
    assertThat(heap.remainingBytes()).isPositive();
  }

  @Test
  void shouldRefuseAlignmentsThatTheHeapHasNot() {
    assertThatThrownBy(() -> heap.allocate(8, 16))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("alignment=16 (expected: a power of two from 1 to 8");
    assertThatThrownBy(() -> heap.allocate(new MemoryView(), 1L << 31, 8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("limit: 2147479552");
  }

  @Test
  void shouldRefuseTheHeapToAThreadThatGaveItUp() {
    MemoryView view = new MemoryView();
    try (ScopedArea scope = ScopedArea.linearTime("scope", 64);
        Visitor visitor = new Visitor(scope)) {
      visitor.run(
          () -> {
            HeapArea.forbid();
            scope.allocate(view, 8, 8);
            ImmortalArea.instance().enter(() -> {});
            assertThatThrownBy(() -> heap.allocate(8))
                .isInstanceOf(InaccessibleAreaException.class)
                .hasMessageContaining("area heap is forbidden to thread")
                .hasMessageContaining("enter an immortal or scoped area");
            assertThatThrownBy(() -> heap.tryAllocate(view, 8, 8))
                .isInstanceOf(InaccessibleAreaException.class);
            assertThatThrownBy(() -> heap.enter(() -> {}))
                .isInstanceOf(InaccessibleAreaException.class);
            assertThatThrownBy(() -> heap.executeInArea(() -> {}))
                .isInstanceOf(InaccessibleAreaException.class);
            assertThat(MemoryArea.current()).isSameAs(scope);
          });
      assertThat(heap.tryAllocate(view, 8, 8)).as("other threads may").isTrue();
    }
  }

  @Test
  void shouldKeepImmortalMemoryWhateverIsLeft() {
    ImmortalArea immortal = ImmortalArea.create("immortal", 100);
    MemoryView view = new MemoryView();
    immortal.enter(() -> immortal.allocate(view, 60, 1));
    view.putByte(59, (byte) 1);
    assertThat(immortal.consumedBytes()).isEqualTo(60);
    assertThat(immortal.allocate(40, 1).get(ValueLayout.JAVA_BYTE, 39)).isZero();
    assertThat(immortal.remainingBytes()).isZero();
    assertThat(immortal.tryAllocate(view, 1, 1)).isFalse();
    assertThatThrownBy(() -> immortal.allocate(1, 1))
        .isInstanceOf(AreaExhaustedException.class)
        .hasMessageContaining("area immortal is exhausted: asked=1, used=100, limit=100")
        .hasMessageContaining(ImmortalArea.SIZE_PROPERTY);
    assertThat(view.getByte(59)).isEqualTo((byte) 1);
  }

  @Test
  void shouldHaveOneImmortalAreaOfTheStatedSize() {
    assertThat(ImmortalArea.instance()).isSameAs(ImmortalArea.instance());
    assertThat(ImmortalArea.instance().sizeBytes()).isEqualTo(ImmortalArea.DEFAULT_SIZE_BYTES);
  }
}
