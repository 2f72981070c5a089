package dev.takt.rtsj.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AreaPoolTest {
  private static final class Order {
    private long id;
  }

  private static final class Quote {}

  private final ScopedArea area = ScopedArea.linearTime("a", 1_024);

  @AfterEach
  void close() {
    area.close();
  }

  @Test
  void shouldLendEachInstanceOnceInAnEpochAndAllAgainInTheNext() {
    area.register(Order.class, Order::new, 10);
    Set<Order> first = lendAll(10);
    Set<Order> second = lendAll(10);
    assertThat(first).hasSize(10);
    assertThat(second).isEqualTo(first);
  }

  private Set<Order> lendAll(int count) {
    Set<Order> lent = java.util.Collections.newSetFromMap(new IdentityHashMap<>());
    area.enter(
        () -> {
          for (int i = 0; i < count; i++) {
            lent.add(area.newInstance(Order.class));
          }
        });
    return lent;
  }

  @Test
  void shouldSayWhichPoolIsExhausted() {
    AreaPool<Order> pool = area.register(Order.class, Order::new, 2);
    area.enter(
        () -> {
          pool.newInstance();
          pool.newHandle();
          assertThat(pool.lentCount()).isEqualTo(2);
          assertThatThrownBy(pool::newInstance)
              .isInstanceOf(AreaExhaustedException.class)
              .hasMessageContaining("pool of " + Order.class.getName() + " in area a")
              .hasMessageContaining("asked=1, used=2, limit=2 instances")
              .hasMessageContaining("register more");
        });
    assertThat(pool.lentCount()).isZero();
  }

  @Test
  void shouldResetAnInstanceEachTimeItIsLent() {
    area.register(Order.class, Order::new, order -> order.id = 7, 1);
    for (int epoch = 0; epoch < 3; epoch++) {
      area.enter(
          () -> {
            Order order = area.newInstance(Order.class);
            assertThat(order.id).isEqualTo(7);
            order.id = 99;
          });
    }
  }

  @Test
  void shouldGiveAnInstanceBackWhenItsResetThrows() {
    int[] resets = new int[1];
    AreaPool<Order> pool =
        area.register(
            Order.class,
            Order::new,
            order -> {
              if (resets[0]++ < 4) {
                throw new IllegalStateException("on purpose");
              }
            },
            1);
    area.enter(
        () -> {
          for (int i = 0; i < 2; i++) {
            assertThatThrownBy(pool::newInstance).hasMessage("on purpose");
            assertThatThrownBy(pool::newHandle).hasMessage("on purpose");
            assertThat(pool.lentCount()).isZero();
          }
          assertThat(pool.get(pool.newHandle())).isNotNull();
          assertThatThrownBy(pool::newInstance).isInstanceOf(AreaExhaustedException.class);
        });
  }

  @Test
  void shouldKeepAnInstanceWhoseResetThrowsWhenALaterOneIsLent() {
    List<Order> lent = new ArrayList<>();
    boolean[] throwing = {true};
    AreaPool<Order> pool =
        area.register(
            Order.class,
            Order::new,
            order -> {
              if (throwing[0]) {
                throwing[0] = false;
                lent.add(area.newInstance(Order.class)); // as another thread might
                throw new IllegalStateException("on purpose");
              }
            },
            3);
    area.enter(
        () -> {
          assertThatThrownBy(pool::newInstance).hasMessage("on purpose");
          assertThat(pool.lentCount()).isEqualTo(2);
          assertThat(pool.newInstance()).isNotIn(lent);
          assertThatThrownBy(pool::newInstance).isInstanceOf(AreaExhaustedException.class);
        });
  }

  @Test
  void shouldRefuseHandlesOfEndedLives() {
    AreaPool<Order> pool = area.register(Order.class, Order::new, 4);
    long[] kept = new long[1];
    area.enter(
        () -> {
          kept[0] = pool.newHandle();
          pool.get(kept[0]).id = 5;
          assertThat(pool.get(kept[0]).id).isEqualTo(5);
        });
    assertThatThrownBy(() -> pool.get(kept[0])).isInstanceOf(IllegalReferenceException.class);
    area.enter(
        () -> {
          long fresh = pool.newHandle();
          assertThat(pool.get(fresh)).isNotNull();
          assertThatThrownBy(() -> pool.get(kept[0]))
              .isInstanceOf(IllegalReferenceException.class)
              .hasMessageContaining(Order.class.getName())
              .hasMessageContaining("area a is from its epoch 0, which has ended (now: 1)");
        });
  }

  @Test
  void shouldRefuseNumbersThatAreNoHandles() {
    AreaPool<Order> pool = area.register(Order.class, Order::new, 4);
    area.enter(
        () -> {
          long handle = pool.newHandle();
          for (long wrong : new long[] {handle + 1, handle + 4, -1, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> pool.get(wrong)).isInstanceOf(IllegalReferenceException.class);
          }
        });
  }

  @Test
  void shouldRefuseTypesThatAreNotRegisteredOrTwice() {
    area.enter(
        () ->
            assertThatThrownBy(() -> area.newInstance(Order.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not registered in area a; call register first"));
    area.register(Order.class, Order::new, 1);
    area.register(Quote.class, Quote::new, 1);
    assertThatThrownBy(() -> area.register(Order.class, Order::new, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is registered in area a already");
  }

  @Test
  void shouldRefuseTypesWhenTheAreaIsClosed() {
    area.register(Quote.class, Quote::new, 1);
    area.close();
    List<Order> made = new ArrayList<>();
    assertThatThrownBy(
            () ->
                area.register(
                    Order.class,
                    () -> {
                      made.add(new Order());
                      return made.getLast();
                    },
                    1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("area a is closed; make another one");
    made.forEach(each -> assertThat(MemoryArea.of(each)).isSameAs(HeapArea.instance()));
  }

  @Test
  void shouldRefuseWrongFactoriesAndCounts() {
    Order same = new Order();
    assertThatThrownBy(() -> area.register(Order.class, () -> same, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a new object each time");
    assertThatThrownBy(() -> area.register(Object.class, Order::new, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("register that class");
    assertThatThrownBy(() -> area.register(Order.class, () -> null, 2))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> area.register(Order.class, Order::new, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxCount=0");
    assertThat(area.register(Order.class, Order::new, 2).maxCount()).isEqualTo(2);
  }

  @Test
  void shouldRefuseThreadsThatAreNotInside() {
    AreaPool<Order> pool = area.register(Order.class, Order::new, 2);
    assertThatThrownBy(pool::newInstance).isInstanceOf(InaccessibleAreaException.class);
    assertThatThrownBy(pool::newHandle).isInstanceOf(InaccessibleAreaException.class);
    assertThatThrownBy(() -> area.newInstance(Order.class))
        .isInstanceOf(InaccessibleAreaException.class);
  }

  @Test
  void shouldTellTheAreaOfAnObject() {
    ImmortalArea immortal = ImmortalArea.create("immortal", 64);
    immortal.register(Order.class, Order::new, 1);
    area.register(Order.class, Order::new, 1);
    MemoryView view = new MemoryView();
    assertThat(MemoryArea.of(view)).isSameAs(HeapArea.instance());
    assertThat(MemoryArea.of(new Order())).isSameAs(HeapArea.instance());
    assertThat(MemoryArea.of("text")).isSameAs(HeapArea.instance());
    assertThat(MemoryArea.of(immortal.newInstance(Order.class))).isSameAs(immortal);
    List<Order> kept = new ArrayList<>();
    area.enter(
        () -> {
          kept.add(area.newInstance(Order.class));
          area.allocate(view, 8, 8);
          assertThat(MemoryArea.of(kept.getFirst())).isSameAs(area);
          assertThat(MemoryArea.of(view)).isSameAs(area);
          assertThat(MemoryArea.of(area.allocate(8))).isSameAs(area);
          assertThat(MemoryArea.of(immortal.allocate(8))).isSameAs(HeapArea.instance());
        });
    area.close();
    assertThat(MemoryArea.of(kept.getFirst())).as("closed").isSameAs(HeapArea.instance());
  }

  @Test
  void shouldMakeInstancesAnewInTheHeap() {
    HeapArea heap = HeapArea.instance();
    AreaPool<Quote> pool = heap.register(Quote.class, Quote::new, 1);
    assertThat(new HashSet<>(List.of(pool.newInstance(), heap.newInstance(Quote.class))))
        .hasSize(2);
    assertThatThrownBy(pool::newHandle).isInstanceOf(UnsupportedOperationException.class);
    assertThat(pool.lentCount()).isZero();
  }
}
