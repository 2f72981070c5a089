package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

class ShapeTest {
  @Test
  void shouldBeTheSameForTheSameSequenceOfKeys() {
    Shape shape = Shape.EMPTY.with("shape-a").with("shape-b");

    assertThat(Shape.EMPTY.with(new String("shape-a")).with(new String("shape-b"))).isSameAs(shape);
    assertThat(new Event("shape-a", 1).add("shape-b", 2).shape).isSameAs(shape);
    assertThat(new Event("shape-b", 1).add("shape-a", 2).shape).isNotSameAs(shape);
    assertThat(shape.ordinal("shape-b")).isEqualTo(1);
    assertThat(shape.ordinal(new String("shape-b"))).isEqualTo(1);
    assertThat(shape.ordinal("shape-c")).isEqualTo(-1);
  }

  @Test
  void shouldFindManyChildren() {
    Shape parent = Shape.EMPTY.with("many");
    for (int i = 0; i < 20; i++) {
      String key = ("child-" + i).intern();
      Shape child = parent.with(key);
      assertThat(parent.with(key)).isSameAs(child);
      assertThat(new Event("many", 0).add(key, i).shape).isSameAs(child);
      assertThat(parent.near(key)).isIn(child, null);
    }
    assertThat(parent.near("child-0")).isSameAs(parent.with("child-0"));
    assertThat(parent.near("child-20")).isNull();
  }

  @Test
  void shouldBeOneWhenThreadsRace() throws InterruptedException {
    int keys = 60;
    Shape parent = Shape.EMPTY.with("race");
    Shape[][] seen = new Shape[4][keys];
    Thread[] threads = new Thread[seen.length];
    CyclicBarrier barrier = new CyclicBarrier(threads.length);
    for (int i = 0; i < threads.length; i++) {
      Shape[] mine = seen[i];
      threads[i] =
          new Thread(
              () -> {
                for (int k = 0; k < keys; k++) {
                  await(barrier);
                  mine[k] = parent.with("race-" + k);
                }
              });
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }

    for (int k = 0; k < keys; k++) {
      Shape shape = parent.with("race-" + k);
      assertThat(shape.keyList).containsExactly("race", "race-" + k);
      for (Shape[] mine : seen) {
        assertThat(mine[k]).isSameAs(shape);
      }
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }

  /** In a class loader of its own, since the limit is for good. */
  @Test
  void shouldNameLimitAndRemedyWhenKeysAreMadeUp() throws Exception {
    URL classes = Event.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader())) {
      Class<?> type = loader.loadClass(Event.class.getName());
      assertThat(type).isNotSameAs(Event.class);
      Method add = type.getMethod("add", String.class, Object.class);
      int left = Shape.MAX_SHAPES - 1;
      for (int i = 1; left > 0; i++) {
        Object first = add.invoke(type.getConstructor().newInstance(), "k" + i, i);
        left--;
        for (int k = 0; k < 255 && left > 0; k++, left--) {
          add.invoke(type.getMethod("copy").invoke(first), "then" + k, k);
        }
      }
      Object event = type.getConstructor().newInstance();

      for (Object value : new Object[] {1, "text", new int[1], Thread.State.class.getName()}) {
        assertThatThrownBy(() -> add.invoke(event, "straw", value))
            .isInstanceOf(InvocationTargetException.class)
            .cause()
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("limit=65536")
            .hasMessageContaining("[]+straw")
            .hasMessageContaining("use a fixed set of keys");
      }
      assertThat(type.getMethod("size").invoke(event)).isEqualTo(0);
      assertThat(type.getMethod("toString").invoke(add.invoke(event, "k7", 7)))
          .isEqualTo("[k7: 7]");
    }
  }
}
