package dev.takt.reflex.stable;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Once made, collections allocate nothing. */
class StableAllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final StableList<Item> list = new StableList<>(100);
  private final StableQueue<Item> queue = new StableQueue<>(100);
  private final StableMap<Item> map = new StableMap<>(100);
  private final StableStringMap<Item> stringMap = new StableStringMap<>(100);
  private final StableLongArray longs = new StableLongArray(100);
  private final Item item = new Item(1);
  private final String[] names = new String[100];

  @Test
  void shouldAllocateNothingOnceMade() {
    for (int i = 0; i < names.length; i++) {
      names[i] = "name-" + i;
    }
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 50; round++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      use();
      // The least of the rounds, since linking and compiling allocate now and then.
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(least).as("bytes").isZero();
  }

  private void use() {
    for (int i = 0; i < 100; i++) {
      list.add(item);
      queue.offer(item);
      map.put(i * 1_000L, item);
      stringMap.put(names[i], item);
      longs.add(i, 1);
    }
    for (int i = 0; i < 100; i++) {
      list.removeUnordered(0);
      queue.poll();
      map.remove(i * 1_000L);
      stringMap.remove(names[i]);
    }
    list.clear();
    stringMap.clear();
  }
}
