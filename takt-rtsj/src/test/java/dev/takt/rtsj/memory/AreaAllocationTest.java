package dev.takt.rtsj.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AreaAllocationTest {
  private final MemoryView view = new MemoryView();

  private static List<ScopedArea> scopes(long sizeBytes) {
    return List.of(
        ScopedArea.linearTime("linear", sizeBytes),
        ScopedArea.variableTime("variable", sizeBytes, sizeBytes),
        ScopedArea.create(
            ScopeSettings.linearTime("plain segments", sizeBytes).withEndsSegments(false)));
  }

  @Test
  void shouldAllocateUpToTheLastByteAndNotOneMore() {
    for (ScopedArea area : scopes(256)) {
      area.enter(
          () -> {
            area.allocate(view, 255, 1);
            assertThat(area.remainingBytes()).isEqualTo(1);
            assertThat(area.tryAllocate(view, 2, 1)).isFalse();
            assertThat(view.sizeBytes()).as("unchanged").isEqualTo(255);
            assertThat(area.tryAllocate(view, 1, 1)).isTrue();
            assertThat(area.remainingBytes()).isZero();
            assertThat(area.tryAllocate(view, 0, 1)).isFalse();
          });
      area.enter(() -> assertThat(area.tryAllocate(view, 256, 1)).as("next epoch").isTrue());
      area.close();
    }
  }

  @Test
  void shouldSayWhatWasAskedUsedAndLimitWhenExhausted() {
    for (ScopedArea area : scopes(256)) {
      area.enter(
          () -> {
            area.allocate(view, 200, 1);
            assertThatThrownBy(() -> area.allocate(view, 64, 8))
                .isInstanceOfSatisfying(
                    AreaExhaustedException.class,
                    e -> {
                      assertThat(e.asked()).isEqualTo(64);
                      assertThat(e.used()).isEqualTo(200);
                      assertThat(e.limit()).isEqualTo(256);
                    })
                .hasMessageContaining("area " + area.name() + " is exhausted")
                .hasMessageContaining("asked=64, used=200, limit=256 bytes")
                .hasMessageContaining("make it larger");
            assertThatThrownBy(() -> area.allocate(64, 8))
                .isInstanceOf(AreaExhaustedException.class);
            assertThat(area.consumedBytes()).isEqualTo(200);
          });
      area.close();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 4, 8, 64, 4_096})
  void shouldAlign(long alignment) {
    for (ScopedArea area : scopes(16_384)) {
      area.enter(
          () -> {
            area.allocate(view, 3, 1);
            MemorySegment segment = area.allocate(5, alignment);
            assertThat(segment.address() % alignment).isZero();
            assertThat(segment.byteSize()).isEqualTo(5);
            assertThat(area.consumedBytes()).isEqualTo(Math.max(alignment, 3) + 5 + pad(alignment));
          });
      area.close();
    }
  }

  /** What is lost between the third byte and the next aligned one, beyond the first alignment. */
  private static long pad(long alignment) {
    return alignment == 2 ? 1 : 0;
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, -8, 3, 8_192, Long.MIN_VALUE, Long.MAX_VALUE})
  void shouldRefuseWrongAlignments(long alignment) {
    for (ScopedArea area : scopes(256)) {
      area.enter(
          () ->
              assertThatThrownBy(() -> area.allocate(view, 8, alignment))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageContaining("alignment=" + alignment)
                  .hasMessageContaining("1 to 4096"));
      area.close();
    }
  }

  @Test
  void shouldRefuseWrongSizes() {
    for (ScopedArea area : scopes(256)) {
      area.enter(
          () -> {
            assertThatThrownBy(() -> area.allocate(view, -1, 8))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bytes=-1");
            assertThat(area.tryAllocate(view, Long.MAX_VALUE, 8)).isFalse();
            assertThat(area.tryAllocate(view, 257, 1)).isFalse();
          });
      area.close();
    }
  }

  @Test
  void shouldGiveTwoEmptyAllocationsTwoPlaces() {
    for (ScopedArea area : scopes(256)) {
      area.enter(
          () -> {
            area.allocate(view, 0, 1);
            assertThat(view.sizeBytes()).isZero();
            assertThat(area.consumedBytes()).isEqualTo(1);
            assertThatThrownBy(() -> view.getByte(0)).isInstanceOf(IndexOutOfBoundsException.class);
          });
      area.close();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 63, 64, 65, 4_095, 4_096, 4_097, 10_000})
  void shouldZeroMemoryInEachEpoch(int bytes) {
    for (ScopedArea area : scopes(32_768)) {
      for (int epoch = 0; epoch < 3; epoch++) {
        area.enter(
            () -> {
              area.allocate(view, 5, 1);
              view.putByte(4, (byte) 0x7F);
              area.allocate(view, bytes, 1);
              for (int i = 0; i < bytes; i++) {
                assertThat(view.getByte(i)).isZero();
                view.putByte(i, (byte) 0xFF);
              }
              MemorySegment segment = area.allocate(bytes, 1);
              assertThat(segment.mismatch(MemorySegment.ofArray(new byte[bytes]))).isEqualTo(-1);
              segment.fill((byte) 0xEE);
            });
      }
      area.close();
    }
  }

  @Test
  void shouldNotLetAllocationsOverlap() {
    for (ScopedArea area : scopes(1_024)) {
      area.enter(
          () -> {
            MemoryView[] views = new MemoryView[16];
            for (int i = 0; i < 16; i++) {
              views[i] = new MemoryView();
              area.allocate(views[i], 64, 8);
              for (int at = 0; at < 64; at += 8) {
                views[i].putLong(at, i);
              }
            }
            for (int i = 0; i < 16; i++) {
              for (int at = 0; at < 64; at += 8) {
                assertThat(views[i].getLong(at)).isEqualTo(i);
              }
            }
          });
      area.close();
    }
  }

  @Test
  void shouldGrowByBlocksUpToTheLimitAndKeepThem() {
    ScopedArea area =
        ScopedArea.create(ScopeSettings.variableTime("grows", 100, 250).withGrowthBytes(60));
    assertThat(area.committedBytes()).isEqualTo(100);
    area.enter(
        () -> {
          area.allocate(view, 100, 1);
          assertThat(area.committedBytes()).isEqualTo(100);
          area.allocate(view, 1, 1);
          assertThat(area.committedBytes()).isEqualTo(160);
          area.allocate(view, 60, 1);
          assertThat(area.consumedBytes()).as("59 bytes of a block lost").isEqualTo(220);
          assertThat(area.committedBytes()).isEqualTo(220);
          assertThat(area.tryAllocate(view, 31, 1)).as("more than the last block").isFalse();
          area.allocate(view, 30, 1);
          view.putByte(29, (byte) 1);
          assertThat(area.remainingBytes()).isZero();
          assertThat(area.committedBytes()).isEqualTo(250);
          assertThat(area.tryAllocate(view, 1, 1)).isFalse();
        });
    assertThat(area.consumedBytes()).isZero();
    assertThat(area.committedBytes()).isEqualTo(250);
    area.close();
  }

  @Test
  void shouldRefuseWhatFitsInNoBlock() {
    ScopedArea area =
        ScopedArea.create(ScopeSettings.variableTime("grows", 100, 1_000).withGrowthBytes(60));
    area.enter(
        () -> {
          area.allocate(view, 1, 1);
          assertThatThrownBy(() -> area.allocate(view, 100, 1))
              .isInstanceOf(AreaExhaustedException.class)
              .hasMessageContaining("must fit in a block of 60 bytes")
              .hasMessageContaining("first one of 100");
          assertThat(area.tryAllocate(view, 99, 1)).isTrue();
        });
    area.close();
  }

  @Test
  void shouldAlignInEachBlock() {
    ScopedArea area =
        ScopedArea.create(ScopeSettings.variableTime("odd", 101, 1_000).withGrowthBytes(67));
    area.enter(
        () -> {
          for (int i = 0; i < 40; i++) {
            MemorySegment segment = area.allocate(5, 16);
            assertThat(segment.address() % 16).isZero();
          }
          assertThat(area.committedBytes()).as("several blocks").isGreaterThan(500);
        });
    area.close();
  }

  @Test
  void shouldRefuseWrongSettings() {
    assertThatThrownBy(() -> ScopedArea.linearTime("none", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("initialBytes=0");
    assertThatThrownBy(() -> ScopedArea.variableTime("shrinks", 100, 99))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxBytes=99 (expected: 100 to");
    assertThatThrownBy(() -> ScopedArea.linearTime("huge", 1L << 31))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2147479552");
    ScopeSettings grows = ScopeSettings.variableTime("grows", 1_000, 1_000 + 1_023 * 10);
    assertThatCode(() -> grows.withGrowthBytes(10)).doesNotThrowAnyException();
    assertThatThrownBy(() -> grows.withGrowthBytes(9))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("growthBytes=9 (expected: at least 10");
    assertThatThrownBy(() -> ImmortalArea.create("none", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sizeBytes=0");
  }

  @Test
  void shouldEndSegmentsWithTheEpoch() {
    try (ScopedArea area = ScopedArea.linearTime("ends", 1_024)) {
      MemorySegment[] kept = new MemorySegment[2];
      try (Visitor stays = new Visitor(area)) {
        area.enter(() -> kept[0] = area.allocate(8));
        stays.run(
            () -> {
              kept[1] = area.allocate(8);
              kept[0].set(ValueLayout.JAVA_LONG, 0, 1);
            });
      }
      for (MemorySegment each : kept) {
        assertThatThrownBy(() -> each.get(ValueLayout.JAVA_LONG, 0))
            .isInstanceOf(IllegalStateException.class);
      }
      area.enter(
          () -> {
            assertThat(area.allocate(8).get(ValueLayout.JAVA_LONG, 0)).isZero();
            assertThatThrownBy(() -> kept[0].get(ValueLayout.JAVA_LONG, 0))
                .isInstanceOf(IllegalStateException.class);
          });
    }
  }

  @Test
  void shouldNotEndSegmentsWithTheEpochWhenToldSo() {
    try (ScopedArea area =
        ScopedArea.create(ScopeSettings.linearTime("plain", 64).withEndsSegments(false))) {
      MemorySegment[] kept = new MemorySegment[1];
      area.enter(() -> kept[0] = area.allocate(8));
      area.enter(() -> area.allocate(8).set(ValueLayout.JAVA_LONG, 0, 5));
      assertThat(kept[0].get(ValueLayout.JAVA_LONG, 0)).as("not detected, as stated").isEqualTo(5);
    }
  }
}
