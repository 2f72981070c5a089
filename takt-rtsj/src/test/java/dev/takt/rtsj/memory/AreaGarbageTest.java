package dev.takt.rtsj.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testsupport.AllocatedBytes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Entering, allocating and leaving make nothing on the heap. */
class AreaGarbageTest {
  private static final class Order {}

  @Test
  void shouldMakeNoGarbageInEveryAreaButTheHeap() {
    ScopedArea linear = ScopedArea.linearTime("linear", 4_096);
    ScopedArea variable = ScopedArea.variableTime("variable", 256, 4_096);
    ImmortalArea immortal = ImmortalArea.create("immortal", 16 << 20);
    for (MemoryArea area : List.of(linear, variable, immortal)) {
      MemoryView view = new MemoryView();
      Runnable logic =
          () -> {
            for (int i = 0; i < 8; i++) {
              area.allocate(view, 64, 8);
              view.putLong(0, view.getLong(8) + 1);
            }
          };
      assertThat(AllocatedBytes.inSteadyState(500, () -> area.enter(logic)))
          .as(area.name())
          .isZero();
    }
    linear.close();
    variable.close();
  }

  @Test
  void shouldMakeNoGarbageWithPoolsPortalsReferencesAndNesting() {
    ScopedArea outer = ScopedArea.linearTime("outer", 4_096);
    ScopedArea inner = ScopedArea.linearTime("inner", 4_096);
    AreaPool<Order> orders = inner.register(Order.class, Order::new, 100);
    AreaReference<Order> reference = inner.newReference();
    MemoryView view = new MemoryView();
    Runnable allocate = () -> MemoryArea.current().allocate(view, 8, 8);
    Runnable visit =
        () -> {
          Order order = inner.newInstance(Order.class);
          inner.setPortal(order);
          reference.set(order);
          if (inner.getPortal() != reference.get()) {
            throw new AssertionError();
          }
          orders.get(orders.newHandle());
          outer.executeInArea(allocate);
          if (!inner.tryAllocate(view, 5_000, 8)) {
            inner.setPortal(null);
          }
        };
    Runnable nested = () -> inner.enter(visit);
    assertThat(AllocatedBytes.inSteadyState(1_000, () -> outer.enter(nested))).isZero();
    inner.close();
    outer.close();
  }
}
