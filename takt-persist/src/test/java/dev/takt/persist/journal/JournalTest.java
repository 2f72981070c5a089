package dev.takt.persist.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.takt.persist.MemoryStorage;
import dev.takt.persist.store.FolderStorage;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is committed is there again after a restart: once, whole, in its order. */
class JournalTest {
  /** A class of an event. */
  public enum Side {
    BUY,
    SELL {
      @Override
      public String toString() {
        return "sell";
      }
    }
  }

  /** A record with another one. */
  public record Order(int id, Side side, Price price, Integer count, Float share, long[] sizes) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Order order && order.toString().equals(toString());
    }

    @Override
    public int hashCode() {
      return id;
    }

    @Override
    public String toString() {
      return id + " " + side + price + count + share + sizes.length;
    }
  }

  /** What a price is. */
  public record Price(BigDecimal amount, boolean isFinal) {}

  private static final JournalSettings SMALL =
      JournalSettings.DEFAULTS
          .withSizes(1 << 17, 1 << 16, 1 << 16)
          .withClasses(Order.class, Side.class);

  @TempDir private Path folder;

  private final MemoryStorage storage = new MemoryStorage();
  private final Random random = new Random(Seeds.seed());

  private static EventSpace space() {
    return EventSpace.create(
        SpaceSettings.DEFAULTS.withCapacity(4_096).withMaxEventBytes(1_024).withMaxReferences(32));
  }

  static List<Event> content(EventSpace space) {
    List<Event> events = new ArrayList<>();
    space.forEach(new Event(), event -> events.add(event.copy()));
    return events;
  }

  @Test
  void shouldGiveBackWhatWasThereInItsOrderWhenItIsOpenedAgain() throws IOException {
    List<Event> expected = new ArrayList<>();
    for (int start = 0; start < 4; start++) {
      EventSpace space = space();
      try (Journal journal = Journal.open(folder, space)) {
        assertThat(journal.recovered().isWarm()).isEqualTo(start > 0);
        assertThat(journal.recovered().cut()).isNull();
        assertThat(journal.recovered().events()).isEqualTo(expected.size());
        assertThat(content(space)).isEqualTo(expected);
        assertThat(journal.failure()).isNull();
        for (int i = 0; i < 20; i++) {
          Event event = new Event("start", start).add("i", i);
          space.write(event);
          expected.add(event);
        }
        space.transact(
            transaction -> {
              transaction.take(new Event("i", 7));
              transaction.write(new Event("start", "none").add("i", 7));
            });
        Event oldest = expected.stream().filter(each -> each.getLong("i") == 7).findFirst().get();
        expected.remove(oldest);
        expected.add(new Event("start", "none").add("i", 7));
        assertThat(space.take(expected.getFirst())).isNotNull();
        expected.removeFirst();
        assertThat(journal.stats().commits()).isEqualTo(22);
      }
      Abort closed = catchThrowableOfType(Abort.class, () -> space.write(new Event("late", 1)));
      assertThat(closed).hasMessageContaining("closed");
    }
    assertThat(FolderStorage.open(folder).names()).hasSize(1);
  }

  @Test
  void shouldGiveBackEachKindOfValue() throws IOException {
    Order order =
        new Order(
            7, Side.SELL, new Price(new BigDecimal("12.50"), true), 3, null, new long[] {1, -1});
    List<Event> events = new ArrayList<>();
    events.add(
        new Event("long", Long.MIN_VALUE)
            .add("double", -0.0)
            .add("nan", Double.NaN)
            .add("true", true)
            .add("false", false)
            .add("text", "gr\u00fcn")
            .add("wide", "\u20ac \ud800")
            .add("letter", '\uffff')
            .add("side", Side.SELL)
            .add("order", order));
    events.add(
        new Event("bytes", new byte[] {1, -1})
            .add("shorts", new short[] {-2})
            .add("chars", new char[] {'x', '\uffff'})
            .add("ints", new int[] {Integer.MIN_VALUE})
            .add("longs", new long[0])
            .add("floats", new float[] {1.5f, Float.NaN})
            .add("doubles", new double[] {2.5})
            .add(
                "booleans", new boolean[] {true, false, false, true, true, false, true, true, true})
            .add("texts", new String[] {"", "\ud800x", null}));
    events.add(
        new Event("big", BigInteger.ONE.shiftLeft(200).negate())
            .add("decimal", new BigDecimal("-1e-30"))
            .add("id", new UUID(random.nextLong(), random.nextLong()))
            .add("instant", Instant.MIN)
            .add("duration", Duration.ofSeconds(-5, 1))
            .add("date", LocalDate.of(-4, 2, 28))
            .add("time", LocalTime.MAX)
            .add("at", LocalDateTime.of(2026, 7, 1, 0, 0)));
    EventSpace space = space();
    try (Journal journal = Journal.open(storage, space, SMALL)) {
      events.forEach(space::write);
      assertThat(journal.stats().refused()).isZero();
    }
    EventSpace again = space();
    try (Journal journal = Journal.open(storage, again, SMALL)) {
      assertThat(content(again)).isEqualTo(events);
      assertThat(((Order) content(again).getFirst().get("order")).count()).isEqualTo(3);
      assertThat(journal.recovered().commits()).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldGoFromSegmentToSegmentWhileOthersCommit(FsyncPolicy policy) throws Exception {
    String text = "x".repeat(500);
    EventSpace space = space();
    JournalSettings settings = SMALL.withPolicy(policy).withIntervalNs(100_000);
    AtomicInteger refused = new AtomicInteger();
    Journal first = Journal.open(storage, space, settings);
    try (first) {
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 3; t++) {
        int thread = t;
        Thread each =
            new Thread(
                () -> {
                  for (int i = 0; i < 400; i++) {
                    refused.addAndGet(step(space, thread, i, text));
                  }
                });
        threads.add(each);
        each.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(first.failure()).isNull();
      assertThat(first.stats().refused()).isEqualTo(refused.get());
    }
    // before its end the writer may be behind
    assertThat(first.stats().segments()).isGreaterThan(1);
    EventSpace again = space();
    try (Journal journal = Journal.open(storage, again, settings)) {
      assertThat(content(again)).isEqualTo(content(space));
      assertThat(journal.recovered().isWarm()).isTrue();
    }
    assertThat(storage.names()).hasSizeBetween(1, 2);
  }

  /** Counts an event up and writes another one; returns how often it was refused. */
  private static int step(EventSpace space, int thread, int i, String text) {
    for (int refused = 0; ; refused++) {
      try {
        space.transact(
            0,
            transaction -> {
              transaction.take(new Event("thread", thread).add("count", null));
              transaction.write(new Event("thread", thread).add("count", i));
              if (i % 4 == 0) {
                transaction.take(new Event("log", thread).add("i", i - 40));
                transaction.write(new Event("log", thread).add("i", i).add("text", text));
              }
              return null;
            });
        return refused;
      } catch (Abort abort) {
        assertThat(abort.reason()).isEqualTo(Abort.Reason.REFUSED);
        Thread.yield();
      }
    }
  }

  @Test
  void shouldNotCallDamagedWhatThisProgramDoesNotDeclare() throws IOException {
    EventSpace space = space();
    try (Journal _ = Journal.open(storage, space, SMALL)) {
      space.write(new Event("side", Side.BUY));
    }
    assertThatThrownBy(() -> Journal.open(storage, space(), SMALL.withClasses()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(Side.class.getName(), "JournalSettings.withClasses")
        .hasMessageNotContaining("cut");
    EventSpace again = space();
    try (Journal _ = Journal.open(storage, again, SMALL)) {
      assertThat(again.count(new Event("side", Side.BUY))).isEqualTo(1);
    }
  }

  @Test
  void shouldRefuseWhatItCouldNotGiveBack() throws IOException {
    EventSpace space = space();
    JournalSettings settings = SMALL.withClasses();
    try (Journal journal = Journal.open(storage, space, settings)) {
      Abort unknown =
          catchThrowableOfType(Abort.class, () -> space.write(new Event("side", Side.BUY)));
      assertThat(unknown.reason()).isEqualTo(Abort.Reason.REFUSED);
      assertThat(unknown).hasMessageContaining("Side").hasMessageContaining("withClasses");
      Abort large =
          catchThrowableOfType(
              Abort.class, () -> space.write(new Event("text", "x".repeat(1 << 16))));
      assertThat(large.reason()).isEqualTo(Abort.Reason.REFUSED);
      assertThat(large).hasMessageContaining("limit=").hasMessageContaining("blockBytes");
      assertThat(content(space)).isEmpty();
      assertThat(journal.stats().refused()).isEqualTo(2);
      space.write(new Event("text", "x".repeat(10_000)));
    }
  }

  @Test
  void shouldHaveARingOfTwoBlocksAtLeast() {
    assertThatThrownBy(() -> SMALL.withSizes((1 << 17) - 1, 1 << 16, 1 << 16))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ringBytes")
        .hasMessageContaining("131071")
        .hasMessageContaining("131072");
  }

  @Test
  void shouldBeOpenedForANewSpaceOnlyAndOnce() throws IOException {
    EventSpace used = space();
    used.write(new Event("a", 1));
    assertThatThrownBy(() -> Journal.open(storage, used, SMALL))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("events=1");
    EventSpace space = space();
    try (Journal journal = Journal.open(storage, space, SMALL)) {
      assertThatThrownBy(() -> Journal.open(storage, space, SMALL))
          .isInstanceOf(IllegalStateException.class);
      space.write(new Event("a", 1));
      assertThat(journal.stats().commits()).isEqualTo(1);
    }
    assertThat(storage.names()).hasSize(1);
  }

  @Test
  void shouldSayWhatASpaceCannotHoldAndLoseNothing() throws IOException {
    EventSpace space = space();
    try (Journal journal = Journal.open(storage, space, SMALL)) {
      for (int i = 0; i < 100; i++) {
        space.write(new Event("i", i));
      }
      assertThat(journal.policy()).isEqualTo(FsyncPolicy.EVERY);
    }
    EventSpace small = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(60));
    assertThatThrownBy(() -> Journal.open(storage, small, SMALL))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("events=100, written=60");
    EventSpace again = space();
    try (Journal journal = Journal.open(storage, again, SMALL)) {
      assertThat(journal.recovered().events()).isEqualTo(100);
    }
  }
}
