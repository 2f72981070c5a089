package dev.takt.rtsj.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The assignment rule, in references and portals. */
class AreaReferenceTest {
  private static final class Node {}

  private final ScopedArea outer = ScopedArea.linearTime("outer", 1_024);
  private final ScopedArea inner = ScopedArea.linearTime("inner", 1_024);
  private final ImmortalArea immortal = ImmortalArea.create("immortal", 1_024);
  private final AreaReference<Object> inOuter = outer.newReference();
  private final AreaReference<Object> inInner = inner.newReference();
  private final AreaReference<Object> inImmortal = immortal.newReference();
  private final AreaReference<Object> inHeap = HeapArea.instance().newReference();

  @BeforeEach
  void register() {
    outer.register(Node.class, Node::new, 2);
    inner.register(Node.class, Node::new, 2);
    immortal.register(Node.class, Node::new, 2);
  }

  @AfterEach
  void close() {
    inner.close();
    outer.close();
  }

  @Test
  void shouldAllowReferencesToWhatLivesAsLongOrLonger() {
    outer.enter(
        () ->
            inner.enter(
                () -> {
                  Node ofInner = inner.newInstance(Node.class);
                  Node ofOuter = outer.newInstance(Node.class);
                  Node ofImmortal = immortal.newInstance(Node.class);
                  for (Object each : new Object[] {ofInner, ofOuter, ofImmortal, "heap"}) {
                    inInner.set(each);
                    assertThat(inInner.get()).isSameAs(each);
                  }
                  for (Object each : new Object[] {ofOuter, ofImmortal, "heap"}) {
                    inOuter.set(each);
                  }
                  for (Object each : new Object[] {ofImmortal, "heap"}) {
                    inImmortal.set(each);
                    inHeap.set(each);
                    assertThat(inHeap.get()).isSameAs(each);
                  }
                }));
  }

  @Test
  void shouldRefuseReferencesToWhatLivesShorter() {
    outer.enter(
        () ->
            inner.enter(
                () -> {
                  Node ofInner = inner.newInstance(Node.class);
                  Node ofOuter = outer.newInstance(Node.class);
                  MemoryView view = new MemoryView();
                  inner.allocate(view, 8, 8);
                  MemorySegment segment = inner.allocate(8);
                  for (Object each : new Object[] {ofInner, view, segment}) {
                    assertThatThrownBy(() -> inOuter.set(each))
                        .isInstanceOf(IllegalReferenceException.class)
                        .hasMessageContaining("reference in area outer")
                        .hasMessageContaining("an object of area inner");
                    assertThatThrownBy(() -> inImmortal.set(each))
                        .isInstanceOf(IllegalReferenceException.class);
                    assertThatThrownBy(() -> inHeap.set(each))
                        .isInstanceOf(IllegalReferenceException.class);
                  }
                  assertThatThrownBy(() -> inHeap.set(ofOuter))
                      .isInstanceOf(IllegalReferenceException.class);
                  assertThat(inOuter.get()).isNull();
                }));
  }

  @Test
  void shouldRefuseObjectsOfScopesThatTheThreadIsNotIn() {
    try (Visitor visitor = new Visitor(inner)) {
      Node elsewhere = visitor.call(() -> inner.newInstance(Node.class));
      outer.enter(
          () ->
              assertThatThrownBy(() -> inOuter.set(elsewhere))
                  .isInstanceOf(IllegalReferenceException.class)
                  .hasMessageContaining("area inner"));
    }
  }

  @Test
  void shouldRefuseWhatIsLeftOfAnEndedEpoch() {
    Node[] node = new Node[1];
    MemoryView view = new MemoryView();
    outer.enter(
        () -> {
          node[0] = outer.newInstance(Node.class);
          outer.allocate(view, 8, 8);
        });
    outer.enter(
        () -> {
          for (Object each : new Object[] {node[0], view}) {
            assertThatThrownBy(() -> inOuter.set(each))
                .isInstanceOf(IllegalReferenceException.class)
                .hasMessageContaining("ended epoch of area outer");
          }
        });
  }

  @Test
  void shouldBeEmptyWhenAnEpochBegins() {
    outer.enter(
        () -> {
          inOuter.set(outer.newInstance(Node.class));
          assertThat(inOuter.get()).isNotNull();
        });
    outer.enter(() -> assertThat(inOuter.get()).isNull());
  }

  @Test
  void shouldForgetWhenSetToNull() {
    outer.enter(
        () -> {
          inOuter.set("heap");
          inOuter.set(null);
          assertThat(inOuter.get()).isNull();
        });
  }

  @Test
  void shouldRefuseThreadsThatAreNotInTheArea() {
    assertThatThrownBy(inOuter::get).isInstanceOf(InaccessibleAreaException.class);
    assertThatThrownBy(() -> inOuter.set("heap")).isInstanceOf(InaccessibleAreaException.class);
    assertThat(inOuter.area()).isSameAs(outer);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldShowThePortalToEveryThreadOfTheEpoch(boolean endsSegments) {
    ScopedArea area =
        ScopedArea.create(ScopeSettings.linearTime("portal", 256).withEndsSegments(endsSegments));
    area.register(Node.class, Node::new, 1);
    MemoryView view = new MemoryView();
    try (Visitor first = new Visitor(area);
        Visitor second = new Visitor(area)) {
      first.run(
          () -> {
            assertThat(area.getPortal()).isNull();
            area.allocate(view, 8, 8);
            for (Object each :
                new Object[] {area.newInstance(Node.class), view, area.allocate(8)}) {
              area.setPortal(each);
            }
          });
      assertThat(second.call(area::getPortal)).isInstanceOf(MemorySegment.class);
      second.run(() -> area.setPortal(null));
      assertThat(first.call(area::getPortal)).isNull();
      first.run(() -> area.setPortal(view));
    }
    try (Visitor later = new Visitor(area)) {
      assertThat(later.call(area::getPortal)).isNull();
      assertThatThrownBy(() -> later.run(() -> area.setPortal(view)))
          .isInstanceOf(IllegalReferenceException.class);
    }
    area.close();
  }

  @Test
  void shouldRefusePortalsThatAreNotOfTheArea() {
    outer.enter(
        () -> {
          Node ofOuter = outer.newInstance(Node.class);
          MemorySegment segment = outer.allocate(8);
          inner.enter(
              () -> {
                Node ofInner = inner.newInstance(Node.class);
                for (Object each :
                    new Object[] {
                      "heap", ofOuter, segment, immortal.newInstance(Node.class), new Node()
                    }) {
                  assertThatThrownBy(() -> inner.setPortal(each))
                      .isInstanceOf(IllegalReferenceException.class)
                      .hasMessageContaining("portal of area inner");
                }
                assertThatThrownBy(() -> outer.setPortal(ofInner))
                    .isInstanceOf(IllegalReferenceException.class)
                    .hasMessageContaining("portal of area outer set to an object of area inner");
                outer.setPortal(ofOuter);
              });
          assertThat(outer.getPortal()).isSameAs(ofOuter);
        });
  }

  @Test
  void shouldRefusePortalsToThreadsOutsideAndInAreasThatLiveLonger() {
    assertThatThrownBy(outer::getPortal).isInstanceOf(InaccessibleAreaException.class);
    assertThatThrownBy(() -> outer.setPortal(null)).isInstanceOf(InaccessibleAreaException.class);
    outer.enter(
        () ->
            immortal.enter(
                () ->
                    assertThatThrownBy(outer::getPortal)
                        .isInstanceOf(IllegalReferenceException.class)
                        .hasMessageContaining("asked for in area immortal")));
  }
}
