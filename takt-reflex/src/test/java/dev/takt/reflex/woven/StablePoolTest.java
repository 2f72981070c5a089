package dev.takt.reflex.woven;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Stable objects are made when none is free, forgotten when they are kept, and counted. */
class StablePoolTest {
  private int made;
  private final StablePool pool =
      new StablePool(
          () -> {
            made++;
            return new Object();
          },
          () -> "object",
          16);

  private final MemoryFigures figures = new MemoryFigures();
  private final StableMemory memory = new StableMemory(figures);

  @Test
  void shouldMakeOnlyWhatIsMissing() {
    pool.fill(3);
    assertThat(made).isEqualTo(3);
    pool.next();
    pool.fill(3);
    assertThat(made).isEqualTo(4);
    pool.fill(2);
    assertThat(made).isEqualTo(4);
  }

  @Test
  void shouldMakeNothingWhileSomethingIsFree() {
    pool.fill(4);
    pool.next();
    pool.keep();
    List<Object> given = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      assertThat(pool.isEmpty()).isFalse();
      given.add(pool.next());
    }
    assertThat(made).isEqualTo(4);
    assertThat(pool.isEmpty()).isTrue();
    pool.giveBack();
    assertThat(IntStream.range(0, 3).mapToObj(i -> pool.next())).isEqualTo(given);
    pool.next();
    assertThat(made).isEqualTo(5);
  }

  @Test
  void shouldNotHoldWhatReleasesKeep() {
    pool.fill(3);
    WeakReference<Object> kept = new WeakReference<>(pool.next());
    pool.keep();
    System.gc();
    assertThat(kept.refersTo(null)).isTrue();
    assertThat(pool.next()).isNotNull();
  }

  @Test
  void shouldCountObjectsThatHadToBeMade() {
    memory.next(pool);
    memory.next(pool);
    assertThat(figures.get(MemoryFigures.POOL_GROWTHS)).isEqualTo(2);
    memory.undo();
    memory.next(pool);
    memory.next(pool);
    assertThat(figures.get(MemoryFigures.POOL_GROWTHS)).isEqualTo(2);
  }

  @Test
  void shouldTellWhatIsUsedAndWasUsedAtMost() {
    memory.occupy(100);
    assertThat(figures.get(MemoryFigures.STABLE_PEAK)).isEqualTo(100);
    memory.next(pool);
    memory.commit();
    assertThat(figures.get(MemoryFigures.STABLE_USED)).isEqualTo(116);
    assertThat(figures.get(MemoryFigures.STABLE_PEAK)).isEqualTo(116);
    memory.charge(8);
    assertThat(figures.get(MemoryFigures.STABLE_USED)).isEqualTo(124);
    assertThat(figures.get(MemoryFigures.STABLE_PEAK)).isEqualTo(124);
    memory.next(pool);
    memory.next(pool);
    memory.undo();
    assertThat(memory.usedBytes()).isEqualTo(124);
    assertThat(figures.get(MemoryFigures.STABLE_USED)).isEqualTo(124);
    assertThat(figures.get(MemoryFigures.STABLE_PEAK)).isEqualTo(156);
  }

  @Test
  void shouldTakeBackArraysOfManyLengths() {
    int kind = ArrayPools.slot(int.class, 0, false);
    List<Object> given = new ArrayList<>();
    for (int length = 0; length < 30; length++) {
      given.add(memory.next(memory.arrayPool(kind, length)));
    }
    memory.undo();
    assertThat(memory.usedBytes()).isZero();
    for (int length = 0; length < 30; length++) {
      assertThat(memory.next(memory.arrayPool(kind, length)))
          .isSameAs(given.get(length))
          .isEqualTo(new int[length]);
    }
  }
}
