package dev.takt.persist.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.reflex.woven.TaskMemory;
import dev.takt.reflex.woven.Undoable;
import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ObjectTableTest {
  /** Who the numbers are for: only as long as it is referred to. */
  private final Object memory = new Object();

  private final Object otherMemory = new Object();

  /** Not that of the JVM, which a memory of another test may have until it is collected. */
  private final ObjectNumbers.Lease lease = new ObjectNumbers.Lease();

  private final ObjectNumbers numbers = new ObjectNumbers(memory, lease);
  private final ObjectNumbers otherNumbers = new ObjectNumbers(otherMemory, lease);

  /** Holds its number, and counts how often it was given one. */
  private static final class Node implements Undoable {
    private int number;
    private int given;

    @Override
    public void $takt$save(TaskMemory memory) {}

    @Override
    public long $takt$stamp() {
      return 0;
    }

    @Override
    public int $takt$number() {
      return number;
    }

    @Override
    public void $takt$number(int number) {
      this.number = number;
      given++;
    }

    @Override
    public void $takt$restore(TaskMemory memory) {}

    @Override
    public void $takt$apply(int field, long bits, Object reference) {}
  }

  /** A table, and what it should be. */
  private static final class Checked {
    final ObjectTable table;
    final Map<Object, Integer> model = new IdentityHashMap<>();
    final List<Object> keys = new ArrayList<>();

    Checked(ObjectNumbers numbers) {
      table = new ObjectTable(numbers);
    }

    void add(Object key) {
      Integer before = model.putIfAbsent(key, keys.size());
      assertThat(table.add(key)).isEqualTo(before == null ? keys.size() : before);
      if (before == null) {
        keys.add(key);
      }
    }

    /** Asks for all of its own, and for some that may be others'. */
    void check(List<Object> some) {
      assertThat(table.size()).isEqualTo(model.size());
      int written = keys.size() / 3;
      table.written(written);
      for (int i = 0; i < keys.size(); i++) {
        Object key = keys.get(i);
        assertThat(table.get(i)).isSameAs(key);
        assertThat(table.number(key)).isEqualTo(i);
        assertThat(table.contains(key)).isTrue();
        assertThat(table.isWritten(key)).isEqualTo(i < written);
      }
      for (Object key : some) {
        assertThat(table.contains(key)).isEqualTo(model.containsKey(key));
        assertThat(table.number(key)).isEqualTo(model.getOrDefault(key, -1));
      }
    }

    void clear() {
      boolean isEmpty = false;
      while (!isEmpty) {
        isEmpty = table.clear();
      }
      assertThat(table.size()).isZero();
      for (int i = 0; i < keys.size(); i += 97) {
        assertThat(table.contains(keys.get(i))).isFalse();
        assertThat(table.isWritten(keys.get(i))).isFalse();
      }
      model.clear();
      keys.clear();
    }
  }

  @Test
  void shouldDoWhatAMapByIdentityDoesAndDoItAgainWhenItWasCleared() {
    Random random = new Random(Seeds.seed());
    Checked pages = new Checked(null);
    Checked numbered = new Checked(numbers);
    for (int round = 0; round < 3; round++) {
      numbers.begin();
      for (int i = Seeds.size(60_000, 2_000_000); i > 0; i--) {
        pages.add(random.nextInt(3) > 0 ? new String("a") : oneOf(pages.keys, random));
        numbered.add(
            switch (random.nextInt(4)) {
              case 0 -> oneOf(numbered.keys, random);
              case 1 -> new String("a");
              default -> new Node();
            });
      }
      List<Object> strangers = List.of(new Node(), "b", new String("a"));
      pages.check(strangers);
      numbered.check(strangers);
      pages.clear();
      numbered.clear();
      numbers.end();
    }
  }

  private static Object oneOf(List<Object> keys, Random random) {
    return keys.isEmpty() ? "first" : keys.get(random.nextInt(keys.size()));
  }

  @Test
  void shouldKeepTablesApartThatShareObjectsWhateverTheirOrder() {
    Random random = new Random(Seeds.seed());
    List<Object> shared = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      shared.add(random.nextInt(8) == 0 ? new String("a") : new Node());
    }
    List<Checked> ours = List.of(new Checked(numbers), new Checked(numbers));
    List<Checked> theirs = List.of(new Checked(otherNumbers), new Checked(otherNumbers));
    for (int round = Seeds.size(20, 400); round > 0; round--) {
      for (int i = random.nextInt(30_000); i > 0; i--) {
        List<Checked> memory = random.nextBoolean() ? ours : theirs;
        if (random.nextInt(10_000) == 0) {
          cycle(memory, memory == ours ? numbers : otherNumbers, random);
        }
        memory.get(random.nextInt(2)).add(shared.get(random.nextInt(shared.size())));
      }
      ours.forEach(each -> each.check(shared));
      theirs.forEach(each -> each.check(shared));
    }
  }

  /** One memory ends a cycle, and begins the next one at once or when the other one has begun. */
  private static void cycle(List<Checked> tables, ObjectNumbers numbers, Random random) {
    tables.forEach(Checked::clear);
    numbers.end();
    if (random.nextInt(3) > 0) {
      numbers.begin();
    }
  }

  @Test
  void shouldLeaveNumbersToTheMemoryThatHasThemUntilItEnds() {
    Node node = new Node();
    Checked ours = new Checked(numbers);
    Checked theirs = new Checked(otherNumbers);
    numbers.begin();
    otherNumbers.begin();
    theirs.add("first");
    theirs.add(node);
    assertThat(node.given).isZero();
    ours.add("first");
    ours.add("second");
    ours.add(node);
    assertThat(node.number).isEqualTo(2);
    theirs.clear();
    otherNumbers.end(); // it has none to give back
    otherNumbers.begin();
    theirs.add(node);
    ours.check(List.of(node));
    theirs.check(List.of(node));
    assertThat(node.given).isOne();
    ours.clear();
    numbers.end();
    theirs.clear();
    otherNumbers.end();
    otherNumbers.begin();
    theirs.add(node);
    assertThat(node.number).isZero();
    assertThat(node.given).isEqualTo(2);
  }

  @Test
  void shouldNotStoreIntoAnObjectThatHasTheSameNumberInTheNextCycle() {
    Node first = new Node();
    Node second = new Node();
    ObjectTable table = new ObjectTable(numbers);
    for (int round = 0; round < 3; round++) {
      numbers.begin();
      assertThat(table.add(first)).isZero();
      assertThat(table.add(second)).isOne();
      while (!table.clear()) {
        assertThat(table.contains(second)).isEqualTo(table.size() == 2);
      }
      numbers.end();
    }
    assertThat(first.given).isZero();
    assertThat(second.given).isOne();
  }

  @Test
  void shouldDoWithoutNumbersWhenStaleOnesSayAnything() {
    Random random = new Random(Seeds.seed());
    Checked table = new Checked(numbers);
    List<Object> nodes = new ArrayList<>();
    numbers.begin();
    for (int i = 0; i < 20_000; i++) {
      Node node = new Node();
      node.number = random.nextBoolean() ? random.nextInt() : random.nextInt(20_000);
      nodes.add(node);
      if (random.nextBoolean()) {
        table.add(node);
      }
    }
    table.check(nodes);
  }
}
