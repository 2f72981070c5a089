package dev.takt.reflex.woven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.takt.reflex.Releases;
import dev.takt.reflex.limit.StableMemoryExhausted;
import dev.takt.reflex.limit.TransientMemoryExhausted;
import dev.takt.scripted.Account;
import dev.takt.scripted.Node;
import dev.takt.space.Event;
import dev.takt.testkit.Seeds;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Objects are lent, taken back at once, and counted to the byte. */
class PoolsTest {
  private static final int INTS = ArrayPools.slot(int.class, 16, true);
  private static final int STRINGS = ArrayPools.slot(String.class, 8, false);
  private static final int LONGS = ArrayPools.slot(long.class, 0, false);
  private static final int NODE = Layout.sizeOf(Node.class);
  private static final int ACCOUNT = Layout.sizeOf(Account.class);

  private static Set<Object> identities() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }

  @Nested
  class TransientObjects {
    @Test
    void shouldLendDistinctObjectsInAttemptAndSameOnesInNext() {
      Releases.run(
          new TaskMemory("t", 1_000_000, 0),
          m -> {
            Set<Object> first = identities();
            m.begin();
            for (int i = 0; i < 1_000; i++) {
              first.add(Node.of(i, null));
            }
            m.commit();
            assertThat(first).hasSize(1_000);
            Set<Object> second = identities();
            m.begin();
            for (int i = 0; i < 1_000; i++) {
              second.add(Node.of(i, null));
            }
            m.undo();
            assertThat(second).isEqualTo(first);
          });
    }

    @Test
    void shouldNotLendAgainWhatSomebodyKeeps() {
      int three = ArrayPools.slot(int.class, 3, true);
      Releases.run(
          new TaskMemory("t", 1_000_000, 0),
          m -> {
            for (boolean commits : new boolean[] {true, false}) {
              Set<Object> kept = identities();
              m.begin();
              kept.add(Node.of(1, null));
              kept.add(TaskMemory.newArray(three, 3));
              Event event = EventValues.newEvent().add("key", 1);
              m.keepTransients();
              if (commits) {
                m.commit();
              } else {
                m.undo();
              }
              m.begin();
              assertThat(kept.contains(Node.of(2, null))).isFalse();
              assertThat(kept.contains(TaskMemory.newArray(three, 3))).isFalse();
              assertThat(EventValues.newEvent()).isNotSameAs(event);
              assertThat(event.getLong("key")).isEqualTo(1);
              Node second = Node.of(3, null);
              m.commit();
              m.begin();
              Node.of(4, null);
              assertThat(Node.of(5, null)).isSameAs(second);
              m.commit();
            }
          });
    }

    @Test
    void shouldCountToTheByteAndThrowAtLimit() {
      TaskMemory memory = new TaskMemory("buyer", 10L * NODE + 23, 0);
      Releases.run(
          memory,
          m -> {
            for (int round = 0; round < 3; round++) {
              m.begin();
              for (int i = 0; i < 10; i++) {
                Node.of(i, null);
              }
              assertThat(m.rollbackOnly()).isNull();
              assertThatThrownBy(() -> Node.of(10, null))
                  .isInstanceOf(TransientMemoryExhausted.class)
                  .hasMessageStartingWith(
                      "task buyer: transient memory exhausted: asked="
                          + NODE
                          + " bytes for dev.takt.scripted.Node, used="
                          + 10 * NODE
                          + ", limit="
                          + (10 * NODE + 23)
                          + ", at dev.takt.scripted.Node.of(Node.java:")
                  .hasMessageEndingWith(
                      "; raise the task's transientSizeBytes, or make fewer objects");
              assertThat(m.rollbackOnly()).isInstanceOf(TransientMemoryExhausted.class);
              m.undo();
              assertThat(m.rollbackOnly()).isNull();
            }
          });
      assertThat(memory.stats().transientPeakBytes()).isEqualTo(10L * NODE);
      assertThat(memory.stats().transientLimitBytes()).isEqualTo(10L * NODE + 23);
    }

    @Test
    void shouldMakeObjectsBeforehandSoThatNoneIsMadeInRelease() {
      TaskMemory memory = new TaskMemory("t", 100L * NODE, 0);
      TransientArea area = new TransientArea();
      int sixteen = ArrayPools.slot(int.class, 16, true);
      TransientPlan plan = new TransientPlan(0, List.of(Node.class), List.of(sixteen), 100L * NODE);
      assertThat(area.isPrepared(plan)).isFalse();
      area.prepare(plan);
      assertThat(area.isPrepared(plan)).isTrue();
      Releases.run(
          memory,
          area,
          m -> {
            m.begin();
            for (int i = 0; i < 100; i++) {
              Node.of(i, null);
            }
            m.commit();
            m.begin();
            for (int i = 0; i < 100 * NODE / Layout.arraySize(int.class, 16); i++) {
              TaskMemory.newArray(sixteen, 16);
            }
            m.commit();
          });
      assertThat(memory.stats().poolGrowths()).isZero();
      assertThat(memory.stats().transientPeakBytes()).isEqualTo(100L * NODE);
    }

    @Test
    void shouldServeTasksOfDifferentSizeFromOneArea() {
      TransientArea area = new TransientArea();
      for (int size : new int[] {3, 7, 2, 5}) {
        TaskMemory memory = new TaskMemory("t", (long) size * NODE, 0);
        Releases.run(
            memory,
            area,
            m -> {
              m.begin();
              for (int i = 0; i < size; i++) {
                Node.of(i, null);
              }
              assertThatThrownBy(() -> Node.of(0, null))
                  .isInstanceOf(TransientMemoryExhausted.class);
              m.undo();
            });
      }
    }

    @Test
    void shouldAllocateNothingInSteadyStateWhateverItLends() {
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      TaskMemory memory = new TaskMemory("t", 100_000, 100_000);
      Account account = new Account();
      Releases.run(
          memory,
          m -> {
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 20; round++) {
              long before = threads.getCurrentThreadAllocatedBytes();
              for (int i = 0; i < 1_000; i++) {
                m.begin();
                Node list = null;
                for (int n = 0; n < 20; n++) {
                  list = Node.of(n, list);
                }
                int[] ints = (int[]) TaskMemory.newArray(INTS, 16);
                String[] strings = (String[]) TaskMemory.newArray(STRINGS, i % 9);
                ints[i % 16] = strings.length + list.value;
                account.count(ints[3]);
                account.history(2, i);
                if (i % 2 == 0) {
                  m.commit();
                } else {
                  Account.of(i);
                  TaskMemory.newStableArray(LONGS, i % 5);
                  m.undo();
                }
              }
              least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(least).isZero();
          });
    }
  }

  @Nested
  class TransientArrays {
    @Test
    void shouldLendZeroedArraysOfExactLength() {
      Class<?>[] components = {
        boolean.class,
        byte.class,
        short.class,
        char.class,
        int.class,
        long.class,
        float.class,
        double.class,
        String.class
      };
      Releases.run(
          new TaskMemory("t", 1_000_000, 0),
          m -> {
            for (Class<?> component : components) {
              int slot = ArrayPools.slot(component, 20, false);
              for (int round = 0; round < 2; round++) {
                m.begin();
                for (int length = 0; length <= 20; length += 5) {
                  Object array = TaskMemory.newArray(slot, length);
                  Object zeros = java.lang.reflect.Array.newInstance(component, length);
                  assertThat(Arrays.deepEquals(new Object[] {array}, new Object[] {zeros}))
                      .isTrue();
                  if (array instanceof Object[] objects) {
                    Arrays.fill(objects, "dirty");
                  } else if (length > 0) {
                    dirty(array);
                  }
                }
                m.commit();
              }
            }
          });
    }

    private void dirty(Object array) {
      Class<?> component = array.getClass().getComponentType();
      if (component == boolean.class) {
        java.lang.reflect.Array.setBoolean(array, 0, true);
      } else if (component == char.class) {
        java.lang.reflect.Array.setChar(array, 0, 'x');
      } else {
        java.lang.reflect.Array.setByte(array, 0, (byte) 1);
      }
    }

    @Test
    void shouldNotLendArrayTwiceInAttempt() {
      Releases.run(
          new TaskMemory("t", 1_000_000, 0),
          m -> {
            m.begin();
            Set<Object> lent = identities();
            for (int i = 0; i < 100; i++) {
              lent.add(TaskMemory.newArray(STRINGS, i % 9));
            }
            assertThat(lent).hasSize(100);
            m.commit();
          });
    }

    @Test
    void shouldRefuseLongerArrayThanDeclared() {
      Releases.run(
          new TaskMemory("t", 1_000_000, 0),
          m -> {
            m.begin();
            assertThatThrownBy(() -> TaskMemory.newArray(STRINGS, 9))
                .isInstanceOf(TransientMemoryExhausted.class)
                .hasMessageContaining(
                    "an array is longer than declared: java.lang.String[9], limit=8")
                .hasMessageContaining("@MaxLength");
            assertThatThrownBy(() -> TaskMemory.newArray(STRINGS, -1))
                .isInstanceOf(NegativeArraySizeException.class)
                .hasMessage("-1");
            m.undo();
          });
    }

    @Test
    void shouldCountArraysAndThrowAtLimit() {
      int sizeBytes = Layout.arraySize(int.class, 16);
      Releases.run(
          new TaskMemory("t", 2L * sizeBytes, 0),
          m -> {
            m.begin();
            TaskMemory.newArray(INTS, 16);
            TaskMemory.newArray(INTS, 16);
            assertThatThrownBy(() -> TaskMemory.newArray(INTS, 16))
                .isInstanceOf(TransientMemoryExhausted.class)
                .hasMessageContaining("asked=" + sizeBytes + " bytes for int[16]");
            m.undo();
          });
    }

    @Test
    void shouldMakeOrdinaryArraysOutsideOfRelease() {
      assertThat(TaskMemory.newArray(INTS, 16)).isEqualTo(new int[16]);
      assertThat(TaskMemory.newStableArray(LONGS, 3)).isEqualTo(new long[3]);
      assertThatThrownBy(() -> TaskMemory.newArray(INTS, -1))
          .isInstanceOf(NegativeArraySizeException.class);
    }

    @Test
    void shouldGiveSameSlotForSameKind() {
      assertThat(ArrayPools.slot(int.class, 16, true)).isEqualTo(INTS);
      assertThat(ArrayPools.slot(int.class, 16, false)).isNotEqualTo(INTS);
      assertThatThrownBy(() -> ArrayPools.slot(int.class, -1, false))
          .hasMessageContaining("maxLength=-1");
    }
  }

  @Nested
  class StableObjects {
    @Test
    void shouldCountWhatCommittedReleasesMadeAndThrowAtLimit() {
      TaskMemory memory = new TaskMemory("t", 0, 3L * ACCOUNT);
      Releases.run(
          memory,
          m -> {
            for (int i = 0; i < 3; i++) {
              m.begin();
              Account.of(i);
              m.commit();
              assertThat(m.stats().stableUsedBytes()).isEqualTo((i + 1L) * ACCOUNT);
            }
            m.begin();
            assertThatThrownBy(() -> Account.of(0))
                .isInstanceOf(StableMemoryExhausted.class)
                .hasMessageContaining(
                    "task t: stable memory exhausted: asked="
                        + ACCOUNT
                        + " bytes for dev.takt.scripted.Account, used="
                        + 3 * ACCOUNT
                        + ", limit="
                        + 3 * ACCOUNT)
                .hasMessageContaining("stableSizeBytes");
            m.undo();
          });
    }

    @Test
    void shouldTakeBackWhatUndoneReleasesMade() {
      TaskMemory memory = new TaskMemory("t", 0, 5L * ACCOUNT);
      Releases.run(
          memory,
          m -> {
            Set<Object> undone = identities();
            for (int round = 0; round < 100; round++) {
              m.begin();
              for (int i = 0; i < 4; i++) {
                undone.add(Account.of(0));
              }
              m.undo();
              assertThat(m.stats().stableUsedBytes()).isZero();
            }
            assertThat(undone).hasSize(4);
            m.begin();
            Account kept = Account.of(0);
            m.commit();
            Set<Object> later = identities();
            m.begin();
            for (int i = 0; i < 4; i++) {
              later.add(Account.of(0));
            }
            m.undo();
            assertThat(later).doesNotContain(kept);
          });
      assertThat(memory.stats().stablePeakBytes()).isEqualTo(5L * ACCOUNT);
      assertThat(memory.stats().stableUsedBytes()).isEqualTo(ACCOUNT);
    }

    @Test
    void shouldNeverGiveObjectTwiceWhateverCommits() {
      TaskMemory memory = new TaskMemory("t", 0, 1L << 40);
      long seed = Seeds.seed();
      java.util.Random random = new java.util.Random(seed);
      Releases.run(
          memory,
          m -> {
            Set<Object> kept = identities();
            for (int round = 0; round < 2_000; round++) {
              m.begin();
              List<Account> made = new ArrayList<>();
              for (int i = random.nextInt(6); i > 0; i--) {
                made.add(Account.of(0));
              }
              assertThat(made).as("seed %d", seed).doesNotHaveDuplicates();
              if (random.nextBoolean()) {
                m.commit();
                for (Account each : made) {
                  assertThat(kept.add(each)).as("seed %d", seed).isTrue();
                }
              } else {
                m.undo();
                assertThat(made).as("seed %d", seed).noneMatch(kept::contains);
              }
            }
          });
    }

    @Test
    void shouldCountArraysThatStableObjectsKeep() {
      int sizeBytes = Layout.arraySize(long.class, 10);
      TaskMemory memory = new TaskMemory("t", 0, sizeBytes + 10L);
      Releases.run(
          memory,
          m -> {
            m.begin();
            long[] first = (long[]) TaskMemory.newStableArray(LONGS, 10);
            assertThat(first).isEqualTo(new long[10]);
            first[3] = 1;
            m.undo();
            m.begin();
            Object again = TaskMemory.newStableArray(LONGS, 10);
            assertThat(again).isSameAs(first).isEqualTo(new long[10]);
            m.commit();
            m.begin();
            assertThatThrownBy(() -> TaskMemory.newStableArray(LONGS, 0))
                .isInstanceOf(StableMemoryExhausted.class)
                .hasMessageContaining("asked=16 bytes for long[0], used=" + sizeBytes);
            m.undo();
          });
    }
  }

  @Nested
  class LibraryObjects {
    @Test
    void shouldLendEventsOfReleaseAndOrdinaryOnesOutside() {
      assertThat(EventValues.newEvent()).isNotSameAs(EventValues.newEvent());
      Releases.run(
          new TaskMemory("t", 0, 0),
          m -> {
            m.begin();
            for (int i = 0; i < 8; i++) {
              EventValues.newEvent().add("a", i);
            }
            assertThatThrownBy(EventValues::newEvent).hasMessageContaining("limit=8");
            m.commit();
          });
    }

    @Test
    void shouldReturnSameBoxForSameNumber() {
      Event event =
          new Event("l", 123_456_789L)
              .add("d", 0.5)
              .add("s", "text")
              .add("b", true)
              .add("w", null)
              .add("a", new int[] {1});
      Releases.run(
          new TaskMemory("t", 0, 0),
          m -> {
            m.begin();
            Object box = EventValues.boxed(event, "l");
            assertThat(box).isEqualTo(123_456_789L);
            assertThat(EventValues.boxed(event, "l")).isSameAs(box);
            Object number = EventValues.boxed(event, "d");
            assertThat(number).isEqualTo(0.5);
            assertThat(EventValues.boxed(event, "d")).isSameAs(number);
            for (String key : List.of("s", "b", "w", "a", "none")) {
              assertThat(EventValues.boxed(event, key)).isEqualTo(event.get(key));
            }
            m.commit();
          });
      assertThat(EventValues.boxed(event, "l")).isEqualTo(123_456_789L);
    }
  }

  @Test
  void shouldNotRegisterClassTwice() {
    Pooled prototype = (Pooled) (Object) Node.of(1, null);
    Integer slot = Pools.slotOf(Node.class);
    assertThat(slot).isNotNull();
    assertThat(Pools.register(prototype)).isEqualTo(slot);
  }

  @Test
  void shouldGiveEveryAttemptAnotherEpoch() {
    Set<Long> epochs = new java.util.HashSet<>();
    for (int i = 0; i < 20; i++) {
      TaskMemory memory = new TaskMemory("t", 0, 0);
      for (int round = 0; round < 1_000; round++) {
        memory.begin();
        assertThat(epochs.add(memory.epoch)).isTrue();
      }
    }
    long last = Epochs.first() + (1 << 20) - 1;
    assertThat(Epochs.first()).isEqualTo(last + 1);
    assertThat(Epochs.next(last)).isNotEqualTo(last + 1);
    assertThat(Epochs.next(last - 1)).isEqualTo(last);
    assertThat(epochs).doesNotContain(0L);
  }
}
