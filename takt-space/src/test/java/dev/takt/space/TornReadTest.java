package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a search has read of a slot that is reused meanwhile reaches nobody. */
@Timeout(60)
class TornReadTest {
  private static final int READS = 20_000;

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(64));
  private final Event unchanged = new Event("before", "the call");

  /** A string's place, as the word of another value says, is nowhere. */
  @Test
  void shouldFindNoStringWhereThereIsNone() {
    space.write(new Event("a", "text"));
    for (double value : new double[] {-2.5, 0x1p1000, Double.NaN, Double.MIN_VALUE}) {
      long word = Double.doubleToLongBits(value);
      if (word >>> 32 != 0) {
        assertThat(space.slots.reference(0, word)).isNull();
      }
    }
  }

  @Test
  void shouldGivePredicateOnlyValuesOfOneEvent() {
    Event order = new Event("kind", "order").add("price", 5).add("quantity", 7);
    Event other = new Event("kind", "order").add("price", 6).add("quantity", 1_234_567);
    List<Long> seen = new ArrayList<>();
    boolean[] isReplaced = new boolean[1];
    Template template =
        new Template("kind", "order")
            .matchingLong(
                "price",
                price -> {
                  if (!isReplaced[0]) {
                    isReplaced[0] = true;
                    assertThat(space.take(order)).isNotNull();
                    space.write(other);
                  }
                  return price == 5;
                })
            .matchingLong("quantity", quantity -> seen.add(quantity));
    space.write(order);

    assertThat(space.test(template)).isFalse();
    assertThat(seen).as("of an event with price 5 there is none now").isEmpty();
    assertThat(isReplaced[0]).isTrue();
  }

  @Test
  void shouldLeaveTheCallersEventWhenWhatWasReadHasGone() {
    Event into = unchanged.copy();
    try (Transaction taker = space.newTransaction()) {
      boolean found = space.read(goneWhenLookedAt(taker), into);
      assertThat(found).isFalse();
      assertThat(into).isEqualTo(unchanged);
    }
  }

  @Test
  void shouldLeaveTheCallersEventWhenItIsTheTemplate() {
    try (Transaction taker = space.newTransaction()) {
      Template both = goneWhenLookedAt(taker);
      Template before = both.copy();
      boolean found = space.read(both, both);
      assertThat(found).isFalse();
      assertThat(both).isEqualTo(before);
    }
  }

  /** An event that is claimed when it is looked at first, and gone when it is looked at again. */
  private Template goneWhenLookedAt(Transaction taker) {
    Event event = new Event("kind", "order").add("price", 5);
    int[] looks = new int[1];
    space.write(event);
    return new Template("kind", "order")
        .matchingLong(
            "price",
            price -> {
              looks[0]++;
              if (looks[0] == 1) {
                taker.begin();
                assertThat(taker.poll(event, new Event())).isTrue();
              } else if (looks[0] == 2) {
                assertThat(taker.commit()).isTrue();
              }
              return true;
            });
  }

  /** Two events take turns in the slots; whoever finds none has an event as it was. */
  @Test
  void shouldReadWholeEventsOrNoneWhileOthersWrite() throws Exception {
    Event[] events = {
      new Event("kind", "a").add("x", 1).add("y", 1),
      new Event("kind", "b").add("x", "b").add("y", "b")
    };
    AtomicBoolean isOver = new AtomicBoolean();
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              Event into = new Event();
              while (!isOver.get()) {
                for (Event event : events) {
                  space.write(event);
                  space.take(event, into);
                }
              }
            },
            task -> new Thread(task).start());
    Event any = new Event("kind", null).add("x", null);
    Event into = new Event();
    try {
      for (int i = 0; i < READS; i++) {
        into.copyFrom(unchanged);
        if (space.read(any, into)) {
          assertThat(into).isIn((Object[]) events);
        } else {
          assertThat(into).isEqualTo(unchanged);
        }
      }
    } finally {
      isOver.set(true);
    }
    writer.get(10, TimeUnit.SECONDS);
  }
}
