package dev.takt.rtsj.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScopedAreaTest {
  private final ScopedArea a = ScopedArea.linearTime("a", 1_024);
  private final ScopedArea b = ScopedArea.linearTime("b", 1_024);
  private final ScopedArea c = ScopedArea.variableTime("c", 256, 1_024);

  @AfterEach
  void close() {
    a.close();
    b.close();
    c.close();
  }

  @Test
  void shouldMakeTheEnteredAreaCurrentUntilItIsLeft() {
    assertThat(MemoryArea.current()).isSameAs(HeapArea.instance());
    List<MemoryArea> seen = new ArrayList<>();
    a.enter(
        () -> {
          seen.add(MemoryArea.current());
          b.enter(() -> seen.add(MemoryArea.current()));
          seen.add(MemoryArea.current());
        });
    assertThat(seen).containsExactly(a, b, a);
    assertThat(MemoryArea.current()).isSameAs(HeapArea.instance());
  }

  @Test
  void shouldNameTheAreasThatTheThreadIsIn() {
    assertThat(MemoryArea.depth()).isEqualTo(1);
    a.enter(
        () ->
            ImmortalArea.instance()
                .enter(
                    () ->
                        b.enter(
                            () -> {
                              assertThat(MemoryArea.depth()).isEqualTo(4);
                              assertThat(MemoryArea.outer(0)).isSameAs(HeapArea.instance());
                              assertThat(MemoryArea.outer(1)).isSameAs(a);
                              assertThat(MemoryArea.outer(2)).isSameAs(ImmortalArea.instance());
                              assertThat(MemoryArea.outer(3)).isSameAs(b);
                              assertThatThrownBy(() -> MemoryArea.outer(4))
                                  .isInstanceOf(IndexOutOfBoundsException.class);
                            })));
  }

  @Test
  void shouldLeaveTheAreaWhenLogicThrows() {
    RuntimeException thrown = new RuntimeException("on purpose");

    assertThatThrownBy(
            () ->
                a.enter(
                    () -> {
                      throw thrown;
                    }))
        .isSameAs(thrown);

    assertThat(a.referenceCount()).isZero();
    assertThat(MemoryArea.current()).isSameAs(HeapArea.instance());
  }

  @Test
  void shouldCountTheThreadsInside() {
    try (Visitor _ = new Visitor(a)) {
      assertThat(a.referenceCount()).isEqualTo(1);
      try (Visitor _ = new Visitor(a)) {
        assertThat(a.referenceCount()).isEqualTo(2);
      }
      assertThat(a.referenceCount()).isEqualTo(1);
    }
    assertThat(a.referenceCount()).isZero();
  }

  @Test
  void shouldKeepContentUntilTheLastThreadLeaves() {
    MemoryView view = new MemoryView();
    try (Visitor stays = new Visitor(a)) {
      stays.run(
          () -> {
            a.allocate(view, 8, 8);
            view.putLong(0, 42);
          });
      try (Visitor passes = new Visitor(a)) {
        assertThat(passes.call(() -> view.getLong(0))).isEqualTo(42);
      }
      assertThat(stays.call(() -> view.getLong(0))).isEqualTo(42);
      assertThat(a.consumedBytes()).isEqualTo(8);
    }
    assertThat(a.consumedBytes()).isZero();
    assertThat(view.isLive()).isFalse();
  }

  @Test
  void shouldTakeTheParentFromTheFirstThread() {
    assertThat(b.parent()).isNull();
    try (Visitor _ = new Visitor(a, b)) {
      assertThat(b.parent()).isSameAs(a);
      assertThat(a.parent()).isNull();
    }
    assertThat(b.parent()).isNull();
  }

  @Test
  void shouldAllowASecondThreadBelowTheSameParent() {
    try (Visitor _ = new Visitor(a, b);
        Visitor _ = new Visitor(a, ImmortalArea.instance(), b)) {
      assertThat(b.referenceCount()).isEqualTo(2);
    }
  }

  @Test
  void shouldRefuseASecondParentAndNameBoth() {
    try (Visitor _ = new Visitor(a, b)) {
      assertThatThrownBy(() -> new Visitor(c, b))
          .isInstanceOf(ScopedCycleException.class)
          .hasMessageContaining("area b")
          .hasMessageContaining("area a as its parent")
          .hasMessageContaining("entered below area c");
      assertThatThrownBy(() -> b.enter(() -> {}))
          .isInstanceOf(ScopedCycleException.class)
          .hasMessageContaining("area a as its parent")
          .hasMessageContaining("entered below the primordial scope");
      assertThat(b.referenceCount()).isEqualTo(1);
    }
    assertThat(c.referenceCount()).isZero();
    assertThat(MemoryArea.current()).isSameAs(HeapArea.instance());
  }

  @Test
  void shouldAllowAnotherParentInTheNextEpoch() {
    new Visitor(a, b).close();
    try (Visitor _ = new Visitor(c, b)) {
      assertThat(b.parent()).isSameAs(c);
    }
  }

  @Test
  void shouldRefuseToEnterAnAreaTwice() {
    a.enter(
        () ->
            assertThatThrownBy(() -> a.enter(() -> {}))
                .isInstanceOf(ScopedCycleException.class)
                .hasMessageContaining("the primordial scope as its parent")
                .hasMessageContaining("entered below area a"));
  }

  @Test
  void shouldRefuseACycleOfTwo() {
    a.enter(
        () ->
            b.enter(
                () ->
                    assertThatThrownBy(() -> a.enter(() -> {}))
                        .isInstanceOf(ScopedCycleException.class)));
  }

  @Test
  void shouldLookThroughHeapAndImmortalForTheParent() {
    try (Visitor _ = new Visitor(a, HeapArea.instance(), ImmortalArea.instance(), b)) {
      assertThat(b.parent()).isSameAs(a);
    }
  }

  @Test
  void shouldExecuteInAnOuterAreaAndComeBack() {
    MemoryView outer = new MemoryView();
    a.enter(
        () -> {
          b.enter(
              () -> {
                a.executeInArea(
                    () -> {
                      assertThat(MemoryArea.current()).isSameAs(a);
                      assertThat(MemoryArea.depth()).isEqualTo(2);
                      MemoryArea.current().allocate(outer, 16, 8);
                      outer.putLong(8, 7);
                      c.enter(() -> assertThat(c.parent()).isSameAs(a));
                      assertThat(a.referenceCount()).isEqualTo(1);
                    });
                assertThat(MemoryArea.current()).isSameAs(b);
                assertThat(MemoryArea.depth()).isEqualTo(3);
                assertThat(b.parent()).isSameAs(a);
              });
          assertThat(outer.getLong(8)).isEqualTo(7);
          assertThat(a.consumedBytes()).isEqualTo(16);
        });
  }

  @Test
  void shouldHideInnerAreasWhileExecutingInAnOuterOne() {
    a.enter(
        () ->
            b.enter(
                () ->
                    a.executeInArea(
                        () -> {
                          assertThatThrownBy(() -> b.allocate(8))
                              .isInstanceOf(InaccessibleAreaException.class);
                          assertThatThrownBy(() -> b.executeInArea(() -> {}))
                              .isInstanceOf(InaccessibleAreaException.class);
                        })));
  }

  @Test
  void shouldExecuteInHeapAndImmortalBelowThePrimordialScope() {
    a.enter(
        () -> {
          ImmortalArea.instance()
              .executeInArea(
                  () -> {
                    assertThat(MemoryArea.depth()).isEqualTo(1);
                    b.enter(() -> assertThat(b.parent()).isNull());
                    assertThatThrownBy(() -> a.allocate(8))
                        .isInstanceOf(InaccessibleAreaException.class);
                  });
          HeapArea.instance().executeInArea(() -> assertThat(MemoryArea.depth()).isEqualTo(1));
          assertThat(MemoryArea.current()).isSameAs(a);
        });
  }

  @Test
  void shouldRefuseToExecuteInAScopeThatWasNotEntered() {
    assertThatThrownBy(() -> a.executeInArea(() -> {}))
        .isInstanceOf(InaccessibleAreaException.class)
        .hasMessageContaining("area a")
        .hasMessageContaining(Thread.currentThread().getName())
        .hasMessageContaining("enter it first");
  }

  @Test
  void shouldRefuseAllocationByAThreadThatIsNotInside() {
    MemoryView view = new MemoryView();
    try (Visitor _ = new Visitor(a)) {
      assertThatThrownBy(() -> a.allocate(8)).isInstanceOf(InaccessibleAreaException.class);
      assertThatThrownBy(() -> a.allocate(view, 8, 8))
          .isInstanceOf(InaccessibleAreaException.class);
      assertThat(a.consumedBytes()).isZero();
    }
  }

  @Test
  void shouldNotHandAreasOnToStartedThreads() throws InterruptedException {
    MemoryArea[] seen = new MemoryArea[1];
    Thread[] started = new Thread[1];
    a.enter(() -> started[0] = Thread.ofPlatform().start(() -> seen[0] = MemoryArea.current()));
    started[0].join();
    assertThat(seen[0]).isSameAs(HeapArea.instance());
  }

  @Test
  void shouldServeVirtualThreads() {
    try (Visitor visitor = new Visitor(true, a, b)) {
      assertThat(
              visitor.call(() -> MemoryArea.current() == b && Thread.currentThread().isVirtual()))
          .isTrue();
      assertThat(visitor.call(() -> b.allocate(64).byteSize())).isEqualTo(64);
    }
    assertThat(b.consumedBytes()).isZero();
  }

  @Test
  void shouldRefuseMoreAreasThanAThreadMayBeIn() {
    List<ScopedArea> areas = new ArrayList<>();
    for (int i = 0; i < MemoryArea.MAX_DEPTH; i++) {
      areas.add(ScopedArea.linearTime("area " + i, 8));
    }
    assertThatThrownBy(() -> enterAll(areas, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("65")
        .hasMessageContaining("limit: 64");
    assertThat(MemoryArea.depth()).isEqualTo(1);
    assertThat(areas).allSatisfy(area -> assertThat(area.referenceCount()).isZero());
    areas.forEach(ScopedArea::close);
  }

  private static void enterAll(List<ScopedArea> areas, int index) {
    areas.get(index).enter(() -> enterAll(areas, index + 1));
  }

  @Test
  void shouldRefuseToCloseWhileThreadsAreInside() {
    try (Visitor _ = new Visitor(a)) {
      assertThatThrownBy(a::close)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("area a is closed with 1 threads in it");
    }
    a.close();
  }

  @Test
  void shouldRefuseEverythingAfterItWasClosed() {
    MemoryView view = new MemoryView();
    a.enter(() -> a.allocate(view, 8, 8));
    a.close();
    a.close();
    assertThatThrownBy(() -> a.enter(() -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("area a is closed");
    assertThatThrownBy(() -> view.getLong(0)).isInstanceOf(IllegalReferenceException.class);
    assertThat(a.referenceCount()).isZero();
  }

  @Test
  void shouldGiveNativeMemoryBackWhenClosed() {
    ScopedArea area =
        ScopedArea.create(ScopeSettings.variableTime("closed", 64, 256).withEndsSegments(false));
    var segments = new ArrayList<java.lang.foreign.MemorySegment>();
    area.enter(
        () -> {
          for (int i = 0; i < 4; i++) {
            segments.add(area.allocate(64));
          }
        });
    assertThat(segments).allSatisfy(each -> assertThat(each.scope().isAlive()).isTrue());
    area.close();
    assertThat(segments).allSatisfy(each -> assertThat(each.scope().isAlive()).isFalse());
  }

  @Test
  void shouldEndSegmentsAfterTheNativeCallThatUsedThemAndPassTheLogicsExceptionOn()
      throws Exception {
    RuntimeException thrown = new RuntimeException("on purpose");
    MemorySegment[] segment = new MemorySegment[1];
    try (ScopedArea area = ScopedArea.linearTime("written", NativeWrite.BYTES);
        NativeWrite write = new NativeWrite()) {
      assertThatThrownBy(
              () ->
                  area.enter(
                      () -> {
                        segment[0] = area.allocate(NativeWrite.BYTES);
                        write.begin(segment[0]);
                        throw thrown;
                      }))
          .isSameAs(thrown);
      assertThat(area.referenceCount()).isZero();
      area.enter(() -> {});
      assertThat(segment[0].scope().isAlive()).isTrue();

      write.finish();
      area.enter(() -> {});

      assertThat(segment[0].scope().isAlive()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldGiveMemoryBackWhenClosedAgainAfterANativeCall(boolean endsSegments) throws Exception {
    MemorySegment[] segment = new MemorySegment[1];
    ScopedArea area =
        ScopedArea.create(
            ScopeSettings.linearTime("written", NativeWrite.BYTES).withEndsSegments(endsSegments));
    try (NativeWrite write = new NativeWrite()) {
      area.enter(
          () -> {
            segment[0] = area.allocate(NativeWrite.BYTES);
            write.begin(segment[0]);
          });
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(area::close)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("area written")
            .hasMessageContaining("close it again");
      }
      assertThatThrownBy(() -> area.enter(() -> {})).isInstanceOf(IllegalStateException.class);
      assertThat(segment[0].scope().isAlive()).isTrue();

      write.finish();
      area.close();
      area.close();

      assertThat(segment[0].scope().isAlive()).isFalse();
    }
  }

  /** A native call that uses a segment until the test lets it end: a pipe takes less at once. */
  private static final class NativeWrite implements AutoCloseable {
    static final int BYTES = 1 << 22;

    private final Pipe pipe = Pipe.open();
    private final ByteBuffer read = ByteBuffer.allocate(1 << 16);
    private int left = BYTES;
    private FutureTask<Integer> writing;

    NativeWrite() throws IOException {}

    /** Returns when the call has begun: its first byte has come. */
    void begin(MemorySegment segment) {
      writing = new FutureTask<>(() -> pipe.sink().write(segment.asByteBuffer()));
      Thread.ofPlatform().daemon().start(writing);
      try {
        left -= pipe.source().read(read.clear().limit(1));
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    void finish() throws Exception {
      while (left > 0) {
        left -= pipe.source().read(read.clear());
      }
      assertThat(writing.get(30, TimeUnit.SECONDS)).isEqualTo(BYTES);
    }

    @Override
    public void close() throws IOException {
      pipe.sink().close();
      pipe.source().close();
    }
  }

  @Test
  void shouldReuseTheNumbersOfClosedAreas() {
    for (int i = 0; i < 3_000; i++) {
      ScopedArea.linearTime("short", 1).close();
    }
    ScopedArea last = ScopedArea.linearTime("last", 1);
    assertThat(ScopedArea.number(last)).isLessThan(1_000);
    last.close();
  }
}
