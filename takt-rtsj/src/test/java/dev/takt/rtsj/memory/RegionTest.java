package dev.takt.rtsj.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class RegionTest {
  /** Takes memory from another arena, as long as there is some. */
  private static final class ScarceArena implements Arena {
    private final Arena arena = Arena.ofAuto();
    private int blocks;

    ScarceArena(int blocks) {
      this.blocks = blocks;
    }

    @Override
    public MemorySegment allocate(long bytes, long alignment) {
      if (blocks == 0) {
        throw new OutOfMemoryError("on purpose");
      }
      blocks--;
      return arena.allocate(bytes, alignment);
    }

    @Override
    public MemorySegment.Scope scope() {
      return arena.scope();
    }

    @Override
    public void close() {}
  }

  @Test
  void shouldTakeNothingWhenTheSystemHasNoMemoryForABlock() {
    ScarceArena scarce = new ScarceArena(1);
    Region region = new Region(scarce, 64, 64, 256, true);
    MemoryView view = new MemoryView();
    assertThat(region.tryAllocate(HeapArea.instance(), 0, 48, 8, view)).isTrue();

    assertThat(region.tryAllocate(HeapArea.instance(), 0, 32, 8, view)).isFalse();

    assertThat(region.usedBytes(0)).isEqualTo(48);
    assertThat(region.committedBytes()).isEqualTo(64);
    assertThat(view.sizeBytes()).isEqualTo(48);
    assertThat(region.tryAllocate(HeapArea.instance(), 0, 16, 8, view)).isTrue();
    scarce.blocks = 1;
    assertThat(region.tryAllocate(HeapArea.instance(), 0, 32, 8, view)).isTrue();
    assertThat(region.usedBytes(0)).isEqualTo(96);
  }
}
