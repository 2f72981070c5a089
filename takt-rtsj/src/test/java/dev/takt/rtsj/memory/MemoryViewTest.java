package dev.takt.rtsj.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryViewTest {
  private final ScopedArea area = ScopedArea.linearTime("a", 1_024);
  private final MemoryView view = new MemoryView();

  @AfterEach
  void close() {
    area.close();
  }

  @Test
  void shouldReadWhatWasWrittenInEveryKindOfAreaAndValue() {
    for (MemoryArea each :
        List.of(area, HeapArea.instance(), ImmortalArea.create("immortal", 1_024))) {
      each.enter(
          () -> {
            each.allocate(view, 64, 8);
            view.putByte(0, (byte) -1);
            view.putShort(1, (short) -2);
            view.putInt(3, -3);
            view.putLong(7, -4);
            view.putFloat(15, -5.5f);
            view.putDouble(19, -6.25);
            assertThat(view.getByte(0)).isEqualTo((byte) -1);
            assertThat(view.getShort(1)).isEqualTo((short) -2);
            assertThat(view.getInt(3)).isEqualTo(-3);
            assertThat(view.getLong(7)).isEqualTo(-4);
            assertThat(view.getFloat(15)).isEqualTo(-5.5f);
            assertThat(view.getDouble(19)).isEqualTo(-6.25);
            assertThat(view.getByte(27)).isZero();
          });
    }
  }

  @Test
  void shouldRefuseAccessOutsideTheAllocation() {
    area.enter(
        () -> {
          area.allocate(view, 16, 8);
          area.allocate(new MemoryView(), 16, 8);
          view.putLong(8, 1);
          for (long at : new long[] {-1, 9, 16, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> view.getLong(at))
                .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> view.putLong(at, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
          }
          assertThatThrownBy(() -> view.copyFrom(9, MemorySegment.ofArray(new byte[8]), 0, 8))
              .isInstanceOf(IndexOutOfBoundsException.class);
        });
  }

  @Test
  void shouldCopyFromAndToSegments() {
    area.enter(
        () -> {
          area.allocate(view, 8, 1);
          view.copyFrom(2, MemorySegment.ofArray(new byte[] {1, 2, 3}), 1, 2);
          byte[] into = new byte[4];
          view.copyTo(1, MemorySegment.ofArray(into), 0, 4);
          assertThat(into).containsExactly(0, 2, 3, 0);
        });
  }

  @Test
  void shouldRefuseUseAfterTheScopeWasLeftAndAfterItWasEnteredAgain() {
    area.enter(
        () -> {
          area.allocate(view, 16, 8);
          assertThat(view.isLive()).isTrue();
        });
    assertThat(view.isLive()).isFalse();
    assertThatThrownBy(() -> view.getLong(0))
        .isInstanceOf(IllegalReferenceException.class)
        .hasMessageContaining("view of 16 bytes of area a")
        .hasMessageContaining("epoch 0")
        .hasMessageContaining("allocate again");
    area.enter(
        () -> {
          assertThatThrownBy(() -> view.putLong(0, 1))
              .isInstanceOf(IllegalReferenceException.class);
          area.allocate(view, 16, 8);
          view.putLong(0, 1);
        });
  }

  @Test
  void shouldRefuseUseBeforeItShowsSomething() {
    assertThatThrownBy(() -> view.getInt(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("shows no memory");
    assertThat(view.isLive()).isFalse();
    assertThat(view.sizeBytes()).isZero();
    assertThat(view.area()).isNull();
  }

  @Test
  void shouldShowNothingAfterItWasCleared() {
    area.enter(
        () -> {
          area.allocate(view, 16, 8);
          view.clear();
          assertThatThrownBy(() -> view.getInt(0)).isInstanceOf(IllegalStateException.class);
          assertThat(view).hasToString("view of nothing");
        });
  }

  @Test
  void shouldShowWhatAnotherViewShows() {
    MemoryView other = new MemoryView();
    area.enter(
        () -> {
          area.allocate(view, 16, 8);
          other.show(view);
          view.putLong(8, 9);
          assertThat(other.getLong(8)).isEqualTo(9);
          assertThat(other.area()).isSameAs(area);
          assertThat(other).hasToString("view of 16 bytes of area a");
        });
    assertThat(other.isLive()).isFalse();
    assertThat(other).hasToString("view of 16 bytes of area a, ended");
  }
}
