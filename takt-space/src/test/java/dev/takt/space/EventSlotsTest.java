package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventSlotsTest {
  private static final int WRITERS = 2;
  private static final int STAMPS = 500_000;

  private final EventSlots slots =
      new EventSlots(SpaceSettings.DEFAULTS.withCapacity(WRITERS), InitialCounters.ZERO);

  /** Otherwise an index that comes later has a writer's next event before its last. */
  @Test
  void shouldStampInTheOrderOfEachWriterWhateverOthersDo() throws Exception {
    CyclicBarrier together = new CyclicBarrier(WRITERS);
    List<CompletableFuture<Long>> backwards = new ArrayList<>();
    for (int slot = 0; slot < WRITERS; slot++) {
      backwards.add(stampAlong(slot, together));
    }
    for (CompletableFuture<Long> each : backwards) {
      assertThat(each.get(30, TimeUnit.SECONDS)).as("stamps not above the one before").isZero();
    }
    long before = Math.max(stamp(0), stamp(1));
    slots.stamp(0, new EventSlots.LocalFreeList(true));
    assertThat(stamp(0)).as("after all others").isGreaterThan(before);
  }

  /** Also those that were drawn before another writer's. */
  @Test
  void shouldStampLaterEventsHigherWhoeverWritesThem() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    List<EventSlots.LocalFreeList> writers =
        Stream.generate(() -> new EventSlots.LocalFreeList(true)).limit(3).toList();
    long last = 0;
    for (int i = 0; i < 10_000; i += 1) {
      EventSlots.LocalFreeList writer = writers.get(random.nextInt(writers.size()));
      for (int inRow = random.nextInt(40); inRow >= 0; inRow--) {
        slots.stamp(0, writer);
        assertThat(stamp(0)).as("seed=%d, after %d", seed, last).isGreaterThan(last);
        last = stamp(0);
      }
    }
  }

  /** What one has stamped before it tells the other, the other's next event comes after. */
  @Test
  void shouldStampInTheOrderOfTime() throws Exception {
    AtomicLong seen = new AtomicLong();
    CyclicBarrier together = new CyclicBarrier(WRITERS);
    List<CompletableFuture<Long>> backwards = new ArrayList<>();
    for (int slot = 0; slot < WRITERS; slot++) {
      int mine = slot;
      EventSlots.LocalFreeList freeList = new EventSlots.LocalFreeList(true);
      backwards.add(
          along(
              together,
              () -> {
                long last = seen.get();
                slots.stamp(mine, freeList);
                seen.accumulateAndGet(stamp(mine), Math::max);
                return stamp(mine) > last;
              }));
    }
    for (CompletableFuture<Long> each : backwards) {
      assertThat(each.get(30, TimeUnit.SECONDS)).as("stamps not above a finished one").isZero();
    }
  }

  /** The step of the clock is what a writer would wait for. */
  @Test
  void shouldDrawSeveralStampsAtOnceWhenNobodyElseWrites() {
    EventSlots.LocalFreeList freeList = new EventSlots.LocalFreeList(true);
    for (int i = 1; i <= 100; i++) {
      slots.stamp(0, freeList);
      assertThat(stamp(0)).isEqualTo(i);
    }
    EventSlots.LocalFreeList other = new EventSlots.LocalFreeList(true);
    slots.stamp(1, other);
    assertThat(stamp(1)).as("beyond what was drawn: 1, and 16 seven times").isEqualTo(114);

    for (long next = 115; next < 130; next += 2) {
      slots.stamp(0, freeList);
      slots.stamp(1, other);
      assertThat(stamp(0)).as("one by one, now that another writes, too").isEqualTo(next);
      assertThat(stamp(1)).isEqualTo(next + 1);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 41, Long.MAX_VALUE})
  void shouldStampFromWhereTheSpaceBegins(long last) {
    EventSlots some =
        new EventSlots(
            SpaceSettings.DEFAULTS.withCapacity(2), new InitialCounters(0, 0, 0, last, 0));
    some.stamp(1, new EventSlots.LocalFreeList(true));
    assertThat(some.words[some.base(1) + EventSlots.STAMP]).isEqualTo(last + 1);
  }

  private CompletableFuture<Long> stampAlong(int slot, CyclicBarrier together) {
    EventSlots.LocalFreeList freeList = new EventSlots.LocalFreeList(true);
    return along(
        together,
        () -> {
          long last = stamp(slot);
          slots.stamp(slot, freeList);
          return stamp(slot) > last;
        });
  }

  /** Counts how often a step fails, on a thread of its own. */
  private static CompletableFuture<Long> along(CyclicBarrier together, BooleanSupplier step) {
    CompletableFuture<Long> failures = new CompletableFuture<>();
    new Thread(
            () -> {
              try {
                together.await();
                long count = 0;
                for (int i = 0; i < STAMPS; i++) {
                  count += step.getAsBoolean() ? 0 : 1;
                }
                failures.complete(count);
              } catch (Exception | Error e) {
                failures.completeExceptionally(e);
              }
            })
        .start();
    return failures;
  }

  private long stamp(int slot) {
    return slots.words[slots.base(slot) + EventSlots.STAMP];
  }

  // ---- sizes

  @ParameterizedTest
  @CsvSource({"8, 8", "9, 8", "16, 8", "17, 16", "80, 16", "81, 24", "32768, 4104"})
  void shouldGiveEachSlotWholeCacheLinesAndNoMore(int maxEventBytes, int words) {
    EventSlots some =
        new EventSlots(
            SpaceSettings.DEFAULTS
                .withCapacity(3)
                .withMaxEventBytes(maxEventBytes)
                .withMaxReferences(5),
            InitialCounters.ZERO);
    assertThat(some.stride).isEqualTo(words);
    for (int slot = 0; slot < some.count; slot++) {
      // the array's header takes as much as two words
      assertThat((some.base(slot) + 2) % 8).as("words before it in its line").isZero();
      assertThat(some.base(slot) - some.base(0)).isEqualTo(slot * words);
    }
    assertThat(some.words).hasSize(some.base(2) + words);
    assertThat(some.refs).hasSize(15);
  }

  @Test
  void shouldSayWhichLimitsNeedTooLargeAnArray() {
    SpaceSettings large =
        SpaceSettings.DEFAULTS.withCapacity(1 << 26).withMaxTransactions(16).withMaxReferences(255);
    assertThatThrownBy(() -> new EventSlots(large.withMaxEventBytes(240), InitialCounters.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("capacity*maxEventBytes needs 2684416006 array elements")
        .hasMessageContaining("limit: 2147483631");
    assertThatThrownBy(() -> new EventSlots(large.withMaxEventBytes(8), InitialCounters.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("capacity*maxReferences needs 17113152000 array elements");
    EventSlots.requireArray("what", 2_147_483_631L);
    assertThatThrownBy(() -> EventSlots.requireArray("what", 2_147_483_632L))
        .isInstanceOf(IllegalArgumentException.class);
  }

  // ---- states

  @ParameterizedTest
  @CsvSource({"0, 0", "0, 68719476735", "5, 41", "16366, 0", "16366, 68719476735"})
  void shouldTellWhoHasWrittenAnEvent(int writer, long gen) {
    long alone = EventSlots.alone(writer, gen);
    assertThat(EventSlots.writer(alone)).isEqualTo(writer);
    assertThat(alone & EventSlots.GEN_MASK).isEqualTo(gen);
    assertThat(alone & EventSlots.KIND).isEqualTo(EventSlots.LIVE);
    assertThat(EventSlots.isUndecided(alone)).isFalse();
    assertThat(EventSlots.isUndecided(alone | EventSlots.UNDECIDED)).isTrue();
    assertThat(EventSlots.writer(EventSlots.LIVE | gen)).as("given back").isEqualTo(-1);
    assertThat(EventSlots.isUndecided(EventSlots.LIVE | gen)).isFalse();

    for (long epoch : new long[] {0, 1, EventSlots.EPOCH_MASK}) {
      for (long kind : new long[] {EventSlots.PENDING, EventSlots.CLAIMED}) {
        long state = EventSlots.owned(kind, writer, epoch);
        assertThat(state & EventSlots.KIND).isEqualTo(kind);
        assertThat(EventSlots.owner(state)).isEqualTo(writer);
        assertThat(EventSlots.epoch(state)).isEqualTo(epoch);
        assertThat(EventSlots.isUndecided(state)).isFalse();
        assertThat(EventSlots.writer(state)).isEqualTo(kind == EventSlots.PENDING ? writer : -1);
      }
    }
    assertThat(EventSlots.writer(EventSlots.FREE)).isEqualTo(-1);
  }

  /** So that their epoch may come again. */
  @ParameterizedTest
  @ValueSource(longs = {(1L << 47) - 1, (1L << 48) - 1})
  void shouldSettleAWritersEventsWhenItsEpochsHaveComeHalfRound(long epoch) {
    EventSlots some =
        new EventSlots(
            SpaceSettings.DEFAULTS.withCapacity(8), new InitialCounters(0, 6, epoch, 0, 0));
    long[] states = {
      EventSlots.owned(EventSlots.PENDING, 3, 5),
      EventSlots.owned(EventSlots.PENDING, 4, 5),
      EventSlots.owned(EventSlots.CLAIMED, 3, 5),
      EventSlots.alone(3, 6),
      EventSlots.LIVE | 6,
      EventSlots.FREE,
      EventSlots.owned(EventSlots.PENDING, 2, epoch),
      EventSlots.owned(EventSlots.PENDING, 3, epoch),
    };
    for (int slot = 0; slot < states.length; slot++) {
      some.stateRelease(slot, states[slot]);
    }
    assertThat(some.nextEpoch(3, epoch - 1)).isEqualTo(epoch);
    assertThat(some.nextEpoch(3, 0)).isEqualTo(1);
    assertThat(some.nextEpoch(3, (1L << 46) - 1)).isEqualTo(1L << 46);
    assertThat(states(some)).as("before").containsExactly(states);

    assertThat(some.nextEpoch(3, epoch)).isEqualTo(epoch + 1 & (1L << 48) - 1);
    states[0] = EventSlots.LIVE | 6;
    states[7] = EventSlots.LIVE | 6;
    assertThat(states(some)).as("after").containsExactly(states);
  }

  private static long[] states(EventSlots slots) {
    return IntStream.range(0, slots.count).mapToLong(slots::stateAcquire).toArray();
  }

  // ---- content

  @Test
  void shouldLoadWhatIsStoredAndNothingOfItsNeighbours() {
    EventSlots some = new EventSlots(SpaceSettings.DEFAULTS.withCapacity(3), InitialCounters.ZERO);
    List<Event> events = new ArrayList<>();
    for (int slot = 0; slot < 3; slot++) {
      Event event =
          new Event("type", "number " + slot)
              .add("n", slot)
              .add("d", slot + 0.5)
              .add("z", slot == 1)
              .add("bytes", new byte[] {1, 2, (byte) slot})
              .add("s", "last " + slot);
      some.store(slot, event);
      events.add(event);
    }
    for (int slot = 0; slot < 3; slot++) {
      Event into = new Event("other", "before");
      some.load(slot, events.get(slot).shape, into);
      assertThat(into).isEqualTo(events.get(slot));
      long meta = some.words[some.base(slot) + EventSlots.META];
      assertThat(EventSlots.shapeId(meta)).isEqualTo(events.get(slot).shape.id);
      assertThat(EventSlots.keyCount(meta)).isEqualTo(6);
      assertThat(EventSlots.extraCount(meta)).isEqualTo(events.get(slot).extraCount).isPositive();
      assertThat(EventSlots.refCount(meta)).isEqualTo(2);
    }
    some.words[some.base(1) + EventSlots.LINKED] = -1;
    some.store(1, events.get(0));
    assertThat(some.linkedAcquire(1)).as("lists it is in").isZero();
    assertThat(some.refs).as("references of slot 0").containsSequence("number 0", "last 0");
  }

  /** What belongs to it is found out afterwards. */
  @Test
  void shouldLoadATornSlotWithoutLeavingIt() {
    EventSlots some =
        new EventSlots(
            SpaceSettings.DEFAULTS.withCapacity(2).withMaxEventBytes(80).withMaxReferences(3),
            InitialCounters.ZERO);
    some.words[some.base(1) + EventSlots.META] = 0xFF_FFFFL << 8 | 0xFF;
    Shape shape = new Event("a", 1).add("b", 2).add("c", 3).shape;
    Event into = new Event();
    some.load(1, shape, into);
    assertThat(into.extraCount).as("of 10 words, 3 of keys").isEqualTo(7);
    assertThat(into.refCount).isEqualTo(3);
  }

  @Test
  void shouldFindTheStringOfAWordOrNone() {
    EventSlots some =
        new EventSlots(
            SpaceSettings.DEFAULTS.withCapacity(3).withMaxReferences(2), InitialCounters.ZERO);
    some.store(1, new Event("a", "first").add("b", "second"));
    some.store(2, new Event("a", "its neighbour's"));
    assertThat(some.reference(1, 0x7FFF_FFFFL)).isEqualTo("first");
    assertThat(some.reference(1, 1L << 32)).isEqualTo("second");
    assertThat(some.reference(1, 2L << 32)).isNull();
    assertThat(some.reference(1, -1L)).isNull();
    assertThat(some.reference(0, 0)).isNull();
  }

  /** Else small events in the right order fill a space with as many large strings as fit in it. */
  @Test
  void shouldKeepTheStringsOfTheLastEventAlone() {
    EventSlots some =
        new EventSlots(
            SpaceSettings.DEFAULTS.withCapacity(3).withMaxReferences(3), InitialCounters.ZERO);
    some.store(1, new Event("a", "1").add("b", "2").add("c", "3"));
    some.store(2, new Event("a", "its neighbour's"));
    some.store(1, new Event("a", "4"));
    assertThat(some.refs)
        .containsExactly(
            Stream.concat(
                    Stream.of(null, null, null, "4", null, null, "its neighbour's"),
                    Stream.generate(() -> (Object) null).limit(some.refs.length - 7L))
                .toArray());
  }

  @Test
  void shouldHoldAValueOfTheSameTypeOnly() {
    EventSlots some = new EventSlots(SpaceSettings.DEFAULTS.withCapacity(3), InitialCounters.ZERO);
    Event event = new Event("s", "text").add("n", 3).add("t", "other");
    some.store(1, event);
    int base = some.base(1);
    assertThat(some.holds(1, base, 1, Types.LONG, 3, null)).isTrue();
    assertThat(some.holds(1, base, 1, Types.LONG, 4, null)).isFalse();
    assertThat(some.holds(1, base, 1, Types.BOOLEAN, 3, null)).isFalse();
    assertThat(some.holds(1, base, 0, Types.STRING, event.words[0], "text")).isTrue();
    assertThat(some.holds(1, base, 0, Types.STRING, event.words[0], copy("text"))).isTrue();
    assertThat(some.holds(1, base, 0, Types.STRING, event.words[0], "texd")).isFalse();
    assertThat(some.holds(1, base, 0, Types.STRING, event.words[0] + 1, "text"))
        .as("another hash")
        .isFalse();
    assertThat(some.holds(1, base, 0, Types.STRING, event.words[0] + (1L << 40), "text"))
        .as("another place")
        .isTrue();
    assertThat(some.holds(1, base, 2, Types.STRING, event.words[0], "text")).isFalse();
  }

  private static String copy(String text) {
    return String.valueOf(text.toCharArray());
  }
}
