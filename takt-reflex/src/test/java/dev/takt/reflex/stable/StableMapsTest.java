package dev.takt.reflex.stable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.space.Stable;
import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StableMapsTest {
  private static final int STEPS = 4_000;

  private final Random random = new Random(Seeds.seed());

  /** A map under test, seen as one from keys of any kind to longs. */
  private interface Subject<K> {
    int size();

    boolean isFull();

    Long get(K key);

    boolean containsKey(K key);

    void put(K key, long value);

    boolean remove(K key);

    void clear();

    K keyAt(int index);

    long valueAt(int index);
  }

  private record Boxed(long value) implements Stable {}

  private static final class LongToItem implements Subject<Long> {
    private final StableMap<Boxed> map;

    LongToItem(int capacity) {
      map = new StableMap<>(capacity);
    }

    @Override
    public int size() {
      return map.size();
    }

    @Override
    public boolean isFull() {
      return map.isFull();
    }

    @Override
    public Long get(Long key) {
      Boxed found = map.get(key);
      return found == null ? null : found.value;
    }

    @Override
    public boolean containsKey(Long key) {
      return map.containsKey(key);
    }

    @Override
    public void put(Long key, long value) {
      map.put(key, new Boxed(value));
    }

    @Override
    public boolean remove(Long key) {
      return map.remove(key) != null;
    }

    @Override
    public void clear() {
      map.clear();
    }

    @Override
    public Long keyAt(int index) {
      return map.keyAt(index);
    }

    @Override
    public long valueAt(int index) {
      return map.valueAt(index).value;
    }
  }

  private static final class StringToItem implements Subject<String> {
    private final StableStringMap<Boxed> map;

    StringToItem(int capacity) {
      map = new StableStringMap<>(capacity);
    }

    @Override
    public int size() {
      return map.size();
    }

    @Override
    public boolean isFull() {
      return map.isFull();
    }

    @Override
    public Long get(String key) {
      Boxed found = map.get(key);
      return found == null ? null : found.value;
    }

    @Override
    public boolean containsKey(String key) {
      return map.containsKey(key);
    }

    @Override
    public void put(String key, long value) {
      map.put(key, new Boxed(value));
    }

    @Override
    public boolean remove(String key) {
      return map.remove(key) != null;
    }

    @Override
    public void clear() {
      map.clear();
    }

    @Override
    public String keyAt(int index) {
      return map.keyAt(index);
    }

    @Override
    public long valueAt(int index) {
      return map.valueAt(index).value;
    }
  }

  private <K> void compare(Subject<K> subject, List<K> keys, int capacity) {
    Map<K, Long> model = new HashMap<>();
    for (int step = 0; step < STEPS; step++) {
      K key = keys.get(random.nextInt(keys.size()));
      boolean fits = model.size() < capacity || model.containsKey(key);
      // Long phases of growing and of shrinking, so that it is full and empty now and then.
      int operation = random.nextInt(10) + (step / 300 % 2 == 0 ? 0 : 5);
      if (operation < 6) {
        if (fits) {
          subject.put(key, step);
          model.put(key, (long) step);
        } else {
          assertThatThrownBy(() -> subject.put(key, 0))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("is full: size=" + capacity + ", capacity=" + capacity + ";");
        }
      } else if (operation < 14) {
        assertThat(subject.remove(key)).isEqualTo(model.remove(key) != null);
      } else if (random.nextInt(60) == 0) {
        subject.clear();
        model.clear();
      }
      K other = keys.get(random.nextInt(keys.size()));
      assertThat(subject.get(other)).isEqualTo(model.get(other));
      if (step % 16 == 0) {
        assertSame(subject, model, keys, capacity);
      }
    }
    assertSame(subject, model, keys, capacity);
  }

  private <K> void assertSame(Subject<K> subject, Map<K, Long> model, List<K> keys, int capacity) {
    assertThat(subject.size()).isEqualTo(model.size());
    assertThat(subject.isFull()).isEqualTo(model.size() == capacity);
    Map<K, Long> entries = new HashMap<>();
    for (int i = 0; i < subject.size(); i++) {
      entries.put(subject.keyAt(i), subject.valueAt(i));
    }
    assertThat(entries).isEqualTo(model);
    for (K key : new HashSet<>(keys)) {
      assertThat(subject.containsKey(key)).isEqualTo(model.containsKey(key));
    }
    assertThatThrownBy(() -> subject.keyAt(subject.size()))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> subject.valueAt(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  private List<Long> longKeys(int count) {
    List<Long> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add(
          switch (i % 4) {
            case 0 -> (long) i;
            case 1 -> (long) i << 32;
            case 2 -> -(long) i << 56;
            default -> random.nextLong();
          });
    }
    return keys;
  }

  /** Half of them with one and the same hash, and no two of them the same object. */
  private List<String> stringKeys(int count) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StringBuilder key = new StringBuilder();
      for (int bit = 0; bit < 8; bit++) {
        key.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      keys.add(i % 2 == 0 ? key.toString() : "key-" + i);
    }
    return keys;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 64, 100})
  void shouldMapLongsToObjectsLikeAHashMap(int capacity) {
    compare(new LongToItem(capacity), longKeys(2 * capacity), capacity);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 64, 100})
  void shouldMapStringsToObjectsLikeAHashMap(int capacity) {
    compare(new StringToItem(capacity), stringKeys(2 * capacity), capacity);
  }

  @Test
  void shouldNotSlowDownWhenEntriesComeAndGo() {
    StableMap<Item> map = new StableMap<>(64);
    Item item = new Item(0);
    for (int i = 0; i < 100_000; i++) {
      map.put(random.nextLong(), item);
      if (map.size() == 64) {
        map.remove(map.keyAt(random.nextInt(64)));
      }
    }
    int used = 0;
    for (int slot = 0; slot < 128; slot++) {
      used += map.entry(slot) >= 0 ? 1 : 0;
    }
    assertThat(used).as("slots that a search passes").isEqualTo(map.size()).isEqualTo(63);
  }

  @Test
  void shouldReturnWhatItReplacesAndRemoves() {
    StableMap<Item> map = new StableMap<>(4);
    Item first = new Item(1);
    Item second = new Item(2);

    assertThat(map.isEmpty()).isTrue();
    assertThat(map.put(7, first)).isNull();
    assertThat(map.put(7, second)).isSameAs(first);
    assertThat(map.remove(7)).isSameAs(second);
    assertThat(map.remove(7)).isNull();
    assertThat(map.put(7, first)).isNull();
    assertThat(map.capacity()).isEqualTo(4);
    assertThatThrownBy(() -> map.put(8, null)).isInstanceOf(NullPointerException.class);
    assertThat(map.containsKey(8)).isFalse();
  }

  @Test
  void shouldRefuseCapacitiesThatMakeNoSense() {
    assertThatThrownBy(() -> new StableMap<Item>(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("capacity=0 (expected: 1 to 8388608)");
    assertThatThrownBy(() -> new StableStringMap<Item>(8_388_609))
        .hasMessage("capacity=8388609 (expected: 1 to 8388608)");
  }
}
