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

  private static Slots slots(int capacity, int transactions, long generation) {
    return new Slots(
        SpaceSettings.DEFAULTS
            .withCapacity(capacity)
            .withMaxTransactions(transactions)
            .withMaxEventBytes(8)
            .withMaxStrings(0),
        new Start(0, generation, 0, 0, 0));
  }

  /** As a transaction does when it writes. */
  private static int take(Slots slots, Slots.Keep keep) {
    int slot = slots.next(keep);
    if (slot != NONE) {
      keep.first = slots.nextInChain[slot];
      keep.firstCount--;
      slots.returnRest(keep);
    }
    return slot;
  }

  private static List<Integer> takeAll(Slots slots, Slots.Keep keep) {
    List<Integer> taken = new ArrayList<>();
    for (int slot = take(slots, keep); slot != NONE; slot = take(slots, keep)) {
      taken.add(slot);
      if (taken.size() > slots.count) {
        throw new AssertionError("more than there are");
      }
    }
    return taken;
  }

  private static long generation(Slots slots, int slot) {
    return slots.words[slots.base(slot) + Slots.GEN];
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
      Slots slots = slots(capacity, transactions, 0);
      Slots.Keep keep = new Slots.Keep(keeps);
      List<Integer> taken = takeAll(slots, keep);
      assertThat(new HashSet<>(taken)).as("each once").hasSize(count);
      assertThat(taken).allMatch(slot -> slot >= 0 && slot < count);
      assertThat(slots.next(keep)).isEqualTo(NONE);

      slots.free(taken.getLast(), keep);
      assertThat(takeAll(slots, keep)).containsExactly(taken.getLast());
      taken.forEach(slot -> slots.free(slot, new Slots.Keep(false)));
      assertThat(takeAll(slots, keep)).hasSize(count);
    }
  }

  @ParameterizedTest
  @CsvSource({"128, 1", "256, 2", "1000, 7", "4096, 32", "8192, 32"})
  void shouldFetchOneChainAndLeaveTheOthers(int capacity, int chain) {
    Slots slots = slots(capacity, 2, 0);
    Slots.Keep keep = new Slots.Keep(true);
    take(slots, keep);
    assertThat(takeAll(slots, new Slots.Keep(false))).hasSize(slots.count - chain);
    assertThat(takeAll(slots, keep)).hasSize(chain - 1);
  }

  /** So a transaction that ever takes what others write hands back what it does not need. */
  @ParameterizedTest
  @ValueSource(ints = {128, 256, 1_000, 4_096})
  void shouldKeepAtMostTwoChains(int capacity) {
    Slots slots = slots(capacity, 2, 0);
    List<Integer> taken = takeAll(slots, new Slots.Keep(false));
    Slots.Keep keep = new Slots.Keep(true);
    int freed = 0;
    for (int slot : taken) {
      slots.free(slot, keep);
      freed++;
      int kept = Math.min(freed, 2 * slots.batch);
      assertThat(keep.firstCount + keep.secondCount)
          .as("kept of %d", freed)
          .isBetween(Math.min(freed, slots.batch + 1), kept);
    }
    Slots.Keep other = new Slots.Keep(false);
    assertThat(takeAll(slots, other)).hasSizeGreaterThanOrEqualTo(slots.count - 2 * slots.batch);
    List<Integer> left = takeAll(slots, keep);
    assertThat(left).hasSizeBetween(slots.batch, 2 * slots.batch).doesNotHaveDuplicates();
  }

  @Test
  void shouldTakeAgainFirstWhatItHasFreedLast() {
    Slots slots = slots(4_096, 2, 0);
    Slots.Keep keep = new Slots.Keep(true);
    List<Integer> taken = new ArrayList<>();
    for (int i = 0; i < 3 * slots.batch; i++) {
      taken.add(take(slots, keep));
    }
    taken.forEach(slot -> slots.free(slot, keep));
    List<Integer> again = new ArrayList<>();
    for (int i = 0; i < 2 * slots.batch; i++) {
      again.add(take(slots, keep));
    }
    assertThat(again)
        .containsExactlyElementsOf(taken.subList(slots.batch, 3 * slots.batch).reversed());
  }

  @Test
  void shouldReturnTheRestOfAChainIfItKeepsNone() {
    Slots slots = slots(4_096, 2, 0);
    Slots.Keep none = new Slots.Keep(false);
    take(slots, none);
    assertThat(none.first).isZero();
    assertThat(none.firstCount).isZero();
    assertThat(takeAll(slots, new Slots.Keep(true))).hasSize(slots.count - 1);
    slots.returnRest(none);
    assertThat(slots.next(none)).isEqualTo(NONE);
  }

  /** Who still has a link to it recognises that it is another event's now. */
  @ParameterizedTest
  @CsvSource({"0, 1", "41, 42", "68719476735, 0", "68719476736, 1", "274877906943, 0"})
  void shouldRetireTheGenerationOfAFreedSlotAndOfNoOther(long start, long next) {
    for (boolean keeps : new boolean[] {true, false}) {
      Slots slots = slots(300, 2, start);
      List<Integer> taken = takeAll(slots, new Slots.Keep(keeps));
      long before = start & Slots.GEN_MASK;
      assertThat(taken).allMatch(slot -> generation(slots, slot) == before);
      int freed = taken.get(7);
      slots.free(freed, new Slots.Keep(keeps));
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
    Slots slots = slots(128, 2, start);
    Slots.Keep none = new Slots.Keep(false);
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

  private static long top(Slots slots) {
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
    Slots slots = slots(capacity, 4, (1L << 36) - 20);
    Random random = new Random(seed);
    List<Slots.Keep> keeps =
        List.of(new Slots.Keep(true), new Slots.Keep(true), new Slots.Keep(false));
    if (slots.batch == 0) {
      keeps = List.of(new Slots.Keep(false), new Slots.Keep(false));
    }
    BitSet held = new BitSet();
    List<Integer> taken = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      Slots.Keep keep = keeps.get(random.nextInt(keeps.size()));
      boolean filling = i / (2 * capacity) % 2 == 0;
      if (taken.isEmpty() || random.nextInt(4) == 0 != filling) {
        int slot = take(slots, keep);
        if (slot != NONE) {
          assertThat(held.get(slot)).as("slot %d is another one's", slot).isFalse();
          held.set(slot);
          taken.add(slot);
        }
      } else {
        int slot = taken.remove(random.nextInt(taken.size()));
        held.clear(slot);
        slots.free(slot, keep);
      }
    }
    for (Slots.Keep keep : keeps) {
      taken.addAll(takeAll(slots, keep));
    }
    assertThat(taken).doesNotHaveDuplicates().hasSize(slots.count);
  }
}
