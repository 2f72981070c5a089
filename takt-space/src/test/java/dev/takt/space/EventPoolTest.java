package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class EventPoolTest {
  @Test
  void shouldLendClearedEventsAgainAfterReclaim() {
    EventPool pool = new EventPool(2);
    Event first = pool.next().add("key", "text");
    Event second = pool.next();

    assertThat(second).isNotSameAs(first);
    assertThat(pool.inUse()).isEqualTo(2);
    pool.reclaim();
    assertThat(pool.inUse()).isZero();
    assertThat(pool.next()).isSameAs(first);
    assertThat(first.size()).isZero();
    assertThat(first.add("key", 1).getLong("key")).isEqualTo(1);
  }

  @Test
  void shouldNotLendAgainWhatIsGivenAway() {
    EventPool pool = new EventPool(2);
    pool.next();
    pool.reclaim();
    Event kept = pool.next().add("key", 1);
    pool.giveAway();

    assertThat(pool.inUse()).isZero();
    assertThat(pool.next()).isNotSameAs(kept);
    pool.reclaim();
    assertThat(kept.getLong("key")).isEqualTo(1);
  }

  @Test
  void shouldGiveAwayAllThatAreLentAndNoOther() {
    EventPool pool = new EventPool(2);
    Event first = pool.next();
    Event second = pool.next();
    pool.reclaim();
    pool.next();
    pool.giveAway();
    assertThat(pool.next()).isNotSameAs(first).isNotSameAs(second);
    assertThat(pool.next()).as("was not lent").isSameAs(second);

    pool.giveAway();
    pool.reclaim();
    assertThat(second.size()).isZero();
    assertThat(pool.next()).isNotSameAs(second);
  }

  @Test
  void shouldNameLimitWhenTooManyAreLent() {
    EventPool pool = new EventPool(1);
    pool.next();

    assertThat(pool.capacity()).isEqualTo(1);
    assertThatThrownBy(pool::next)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("asked for 2, limit=1")
        .hasMessageContaining("clear()");
    assertThatThrownBy(() -> new EventPool(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("capacity=0");
  }

  @Test
  void shouldRefuseEveryUseAfterReclaim() {
    EventPool pool = new EventPool(4);
    Event expired =
        pool.next().add("n", 1).add("d", 0.5).add("z", true).add("s", "x").add("a", new int[1]);
    Event kept = expired.copy();
    Event other = new Event();
    pool.reclaim();

    List<ThrowingCallable> uses =
        List.of(
            () -> expired.add("n", 2),
            () -> expired.add("n", 2.0),
            () -> expired.add("n", true),
            () -> expired.add("n", "x"),
            () -> expired.add("n", null),
            () -> expired.add("a", new int[1]),
            () -> expired.add("a", new EventTest.Trade("A", 1)),
            () -> expired.get("n"),
            () -> expired.getLong("n"),
            () -> expired.getDouble("d"),
            () -> expired.getDouble("n"),
            () -> expired.getBoolean("z"),
            () -> expired.getString("s"),
            () -> expired.arrayLength("a"),
            () -> expired.copyInto("a", new int[1]),
            () -> expired.has("n"),
            expired::keys,
            expired::size,
            expired::isTemplate,
            expired::clear,
            expired::copy,
            expired::hashCode,
            () -> expired.equals(other),
            () -> other.equals(expired),
            () -> expired.matches(other),
            () -> other.matches(expired),
            () -> expired.copyFrom(other),
            () -> other.copyFrom(expired),
            () -> new Template().copyFrom(expired));
    for (int i = 0; i < uses.size(); i++) {
      assertThatThrownBy(uses.get(i))
          .as("use %s", i)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("release ended; copy what you need");
    }
    assertThat(expired.toString()).isEqualTo("[an event whose release ended]");
    assertThat(other.size()).isZero();
    assertThat(kept.getString("s")).isEqualTo("x");
  }

  @Test
  void shouldRefuseEventOfEarlierReleaseUntilItIsLentAgain() {
    EventPool pool = new EventPool(2);
    pool.next();
    Event second = pool.next();
    pool.reclaim();
    pool.next();

    assertThatThrownBy(second::size).isInstanceOf(IllegalStateException.class);
    assertThat(pool.next()).isSameAs(second);
    assertThat(second.size()).isZero();
  }

  @Test
  void shouldAllocateNothingInSteadyState() {
    EventPool pool = new EventPool(8);

    long bytes =
        AllocatedBytes.inSteadyState(
            1_000,
            () -> {
              for (int i = 0; i < 8; i++) {
                pool.next().add("type", "sell").add("n", i);
              }
              pool.reclaim();
            });

    assertThat(bytes).isZero();
  }
}
