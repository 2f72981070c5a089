package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every slot is either somebody's or free, and a free one is found by who needs it. */
class FreeSlotsTest {
  private static final int NONE = -1;

  private static EventSlots slots(int capacity, int transactions, long generation) {
    return new EventSlots(
        SpaceSettings.DEFAULTS
            .withCapacity(capacity)
            .withMaxTransactions(transactions)
            .withMaxEventBytes(8)
            .withMaxReferences(0),
        new InitialCounters(0, generation, 0, 0, 0));
  }

  /** As a transaction does when it writes. */
  private static int take(EventSlots slots, EventSlots.LocalFreeList freeList) {
    int slot = slots.next(freeList);
    if (slot != NONE) {
      freeList.first = slots.nextInChain[slot];
      freeList.firstCount--;
      slots.returnRest(freeList);
    }
    return slot;
  }

  private static List<Integer> takeAll(EventSlots slots, EventSlots.LocalFreeList freeList) {
    List<Integer> taken = new ArrayList<>();
    for (int slot = take(slots, freeList); slot != NONE; slot = take(slots, freeList)) {
      taken.add(slot);
      if (taken.size() > slots.count) {
        throw new AssertionError("more than there are");
      }
    }
    return taken;
  }

  private static long generation(EventSlots slots, int slot) {
    return slots.words[slots.base(slot) + EventSlots.GEN];
  }

  /** Three chains of at most 32 slots, or a 128th of the capacity, for each of 16 transactions. */
  @ParameterizedTest
  @CsvSource({
    "1, 2, 1",
    "127, 16, 127",
    "128, 2, 134",
    "256, 3, 274",
    "4096, 2, 4288",
    "4096, 16, 5632",
    "4096, 17, 5632",
    "8192, 20, 9728"
  })
  void shouldHaveSlotsForTheCapacityAndForWhatMayBeKept(int capacity, int transactions, int count) {
    for (boolean keeps : new boolean[] {true, false}) {
      EventSlots slots = slots(capacity, transactions, 0);
      EventSlots.LocalFreeList freeList = new EventSlots.LocalFreeList(keeps);
      List<Integer> taken = takeAll(slots, freeList);
      assertThat(new HashSet<>(taken)).as("each once").hasSize(count);
      assertThat(taken).allMatch(slot -> slot >= 0 && slot < count);
      assertThat(slots.next(freeList)).isEqualTo(NONE);

      slots.free(taken.getLast(), freeList);
      assertThat(takeAll(slots, freeList)).containsExactly(taken.getLast());
      taken.forEach(slot -> slots.free(slot, new EventSlots.LocalFreeList(false)));
      assertThat(takeAll(slots, freeList)).hasSize(count);
    }
  }

  @ParameterizedTest
  @CsvSource({"128, 1", "256, 2", "1000, 7", "4096, 32", "8192, 32"})
  void shouldFetchOneChainAndLeaveTheOthers(int capacity, int chain) {
    EventSlots slots = slots(capacity, 2, 0);
    EventSlots.LocalFreeList freeList = new EventSlots.LocalFreeList(true);
    take(slots, freeList);
    assertThat(takeAll(slots, new EventSlots.LocalFreeList(false))).hasSize(slots.count - chain);
    assertThat(takeAll(slots, freeList)).hasSize(chain - 1);
  }

  /** So a transaction that ever takes what others write hands back what it does not need. */
  @ParameterizedTest
  @ValueSource(ints = {128, 256, 1_000, 4_096})
  void shouldKeepAtMostTwoChains(int capacity) {
    EventSlots slots = slots(capacity, 2, 0);
    List<Integer> taken = takeAll(slots, new EventSlots.LocalFreeList(false));
    EventSlots.LocalFreeList freeList = new EventSlots.LocalFreeList(true);
    int freed = 0;
    for (int slot : taken) {
      slots.free(slot, freeList);
      freed++;
      int kept = Math.min(freed, 2 * slots.batch);
      assertThat(freeList.firstCount + freeList.secondCount)
          .as("kept of %d", freed)
          .isBetween(Math.min(freed, slots.batch + 1), kept);
    }
    EventSlots.LocalFreeList other = new EventSlots.LocalFreeList(false);
    assertThat(takeAll(slots, other)).hasSizeGreaterThanOrEqualTo(slots.count - 2 * slots.batch);
    List<Integer> left = takeAll(slots, freeList);
    assertThat(left).hasSizeBetween(slots.batch, 2 * slots.batch).doesNotHaveDuplicates();
  }

  @Test
  void shouldTakeAgainFirstWhatItHasFreedLast() {
    EventSlots slots = slots(4_096, 2, 0);
    EventSlots.LocalFreeList freeList = new EventSlots.LocalFreeList(true);
    List<Integer> taken = new ArrayList<>();
    for (int i = 0; i < 3 * slots.batch; i++) {
      taken.add(take(slots, freeList));
    }
    taken.forEach(slot -> slots.free(slot, freeList));
    List<Integer> again = new ArrayList<>();
    for (int i = 0; i < 2 * slots.batch; i++) {
      again.add(take(slots, freeList));
    }
    assertThat(again)
        .containsExactlyElementsOf(taken.subList(slots.batch, 3 * slots.batch).reversed());
  }

  @Test
  void shouldReturnTheRestOfAChainIfItKeepsNone() {
    EventSlots slots = slots(4_096, 2, 0);
    EventSlots.LocalFreeList none = new EventSlots.LocalFreeList(false);
    take(slots, none);
    assertThat(none.first).isZero();
    assertThat(none.firstCount).isZero();
    assertThat(takeAll(slots, new EventSlots.LocalFreeList(true))).hasSize(slots.count - 1);
    slots.returnRest(none);
    assertThat(slots.next(none)).isEqualTo(NONE);
  }

  /** Who still has a link to it recognises that it is another event's now. */
  @ParameterizedTest
  @CsvSource({"0, 1", "41, 42", "68719476735, 0", "68719476736, 1", "274877906943, 0"})
  void shouldRetireTheGenerationOfAFreedSlotAndOfNoOther(long start, long next) {
    for (boolean keeps : new boolean[] {true, false}) {
      EventSlots slots = slots(300, 2, start);
      List<Integer> taken = takeAll(slots, new EventSlots.LocalFreeList(keeps));
      long before = start & EventSlots.GEN_MASK;
      assertThat(taken).allMatch(slot -> generation(slots, slot) == before);
      int freed = taken.get(7);
      slots.free(freed, new EventSlots.LocalFreeList(keeps));
      assertThat(taken)
          .allMatch(slot -> generation(slots, slot) == (slot == freed ? next : before));
    }
  }

  /**
   * Otherwise a thread that has read it, and stops, could put a chain on it that others have taken
   * meanwhile.
   */
  @ParameterizedTest
  @ValueSource(longs = {0, (1L << 37) - 200, (1L << 36) - 1, 0x1234_5678_9ABCL})
  void shouldNeverHaveTheSameTopTwice(long start) {
    EventSlots slots = slots(128, 2, start);
    EventSlots.LocalFreeList none = new EventSlots.LocalFreeList(false);
    Set<Long> tops = new HashSet<>();
    long before = 0;
    for (int i = 0; i < 1_000; i++) {
      int slot = take(slots, none);
      assertThat(top(slots)).as("popped").isNotEqualTo(before);
      tops.add(top(slots));
      slots.free(slot, none);
      before = top(slots);
      tops.add(before);
    }
    assertThat(tops).hasSize(2_000);
    assertThat(takeAll(slots, none)).hasSize(slots.count);
  }

  private static long top(EventSlots slots) {
    for (long word : slots.top) {
      if (word != 0) {
        return word;
      }
    }
    throw new AssertionError("no slot is free");
  }

  @ParameterizedTest
  @CsvSource({"20, 1", "128, 2", "300, 3", "4096, 4"})
  void shouldGiveNoSlotToTwoAndLoseNone(int capacity, long seed) {
    EventSlots slots = slots(capacity, 4, (1L << 36) - 20);
    Random random = new Random(seed);
    List<EventSlots.LocalFreeList> keeps =
        List.of(
            new EventSlots.LocalFreeList(true),
            new EventSlots.LocalFreeList(true),
            new EventSlots.LocalFreeList(false));
    if (slots.batch == 0) {
      keeps = List.of(new EventSlots.LocalFreeList(false), new EventSlots.LocalFreeList(false));
    }
    BitSet held = new BitSet();
    List<Integer> taken = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      EventSlots.LocalFreeList freeList = keeps.get(random.nextInt(keeps.size()));
      boolean filling = i / (2 * capacity) % 2 == 0;
      if (taken.isEmpty() || random.nextInt(4) == 0 != filling) {
        int slot = take(slots, freeList);
        if (slot != NONE) {
          assertThat(held.get(slot)).as("slot %d is another one's", slot).isFalse();
          held.set(slot);
          taken.add(slot);
        }
      } else {
        int slot = taken.remove(random.nextInt(taken.size()));
        held.clear(slot);
        slots.free(slot, freeList);
      }
    }
    for (EventSlots.LocalFreeList freeList : keeps) {
      taken.addAll(takeAll(slots, freeList));
    }
    assertThat(taken).doesNotHaveDuplicates().hasSize(slots.count);
  }
}
