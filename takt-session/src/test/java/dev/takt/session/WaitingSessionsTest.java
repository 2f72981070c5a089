package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.testkit.Seeds;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.junit.jupiter.api.Test;

/** Sessions that wait for events; a million in the long run ({@code -Dtakt.full=true}). */
class WaitingSessionsTest {
  private static final int COUNT = Seeds.size(20_000, 1_000_000);
  private static final Duration LONG = Duration.ofMinutes(10);

  private final EventSpace space =
      EventSpace.create(
          SpaceSettings.DEFAULTS.withCapacity(COUNT).withMaxEventBytes(32).withMaxReferences(0));
  private final AtomicInteger begun = new AtomicInteger();

  private static Sessions open() {
    return Sessions.open(
        SessionSettings.DEFAULTS.withMaxSessions(COUNT).withCloseTimeout(Duration.ofMinutes(5)));
  }

  /** Starts sessions that wait, and returns when all of them do. */
  private List<Session<Long>> startAll(Sessions sessions, boolean own, Duration timeout)
      throws InterruptedException {
    List<Session<Long>> all = new ArrayList<>(COUNT);
    for (int i = 0; i < COUNT; i++) {
      int id = i;
      Event template = own ? new Event("id", id) : new Event("id", null);
      all.add(sessions.start("waiting", () -> await(template, timeout)));
    }
    while (begun.get() < COUNT) {
      Thread.onSpinWait();
    }
    return all;
  }

  /** Returns the event's number, or -1 if none came. */
  private long await(Event template, Duration timeout) throws InterruptedException {
    begun.incrementAndGet();
    Event taken = space.take(template, timeout);
    return taken == null ? -1 : taken.getLong("id");
  }

  @Test
  void shouldGiveEachSessionItsEventExactlyOnce() throws Exception {
    try (Sessions sessions = open()) {
      long beginNs = System.nanoTime();
      long before = usedBytes();
      List<Session<Long>> all = startAll(sessions, true, LONG);
      long waitingNs = System.nanoTime();
      long waiting = usedBytes();
      assertThat(carriers()).isLessThanOrEqualTo(Runtime.getRuntime().availableProcessors() + 1);
      long deliverNs = System.nanoTime();
      for (int i = COUNT - 1; i >= 0; i--) {
        space.write(new Event("id", i));
      }
      for (int i = 0; i < COUNT; i++) {
        assertThat(all.get(i).await().value()).isEqualTo(i);
      }
      System.out.printf(
          "%,d waiting sessions: started in %.2f s, delivered in %.2f s, %d bytes each%n",
          COUNT,
          (waitingNs - beginNs) / 1e9,
          (System.nanoTime() - deliverNs) / 1e9,
          (waiting - before) / COUNT);
      assertThat(space.count(new Event("id", null))).isZero();
      assertThat(sessions.drain(LONG)).isEmpty();
    }
  }

  @Test
  void shouldGiveEachEventToOneSessionWhenAllWaitForTheSame() throws Exception {
    try (Sessions sessions = open()) {
      List<Session<Long>> all = startAll(sessions, false, LONG);
      for (int i = 0; i < COUNT; i++) {
        space.write(new Event("id", i));
      }
      BitSet seen = new BitSet();
      for (Session<Long> each : all) {
        int id = Math.toIntExact(each.await().value());
        assertThat(seen.get(id)).isFalse();
        seen.set(id);
      }
      assertThat(seen.cardinality()).isEqualTo(COUNT);
    }
  }

  @Test
  void shouldReleaseEverySessionWhenItsTimeIsOver() throws Exception {
    try (Sessions sessions = open()) {
      // so long that as a rule all of them wait before the time of the first is over
      Duration timeout = Duration.ofMillis(Seeds.size(1_000, 120_000));
      List<Session<Long>> all = startAll(sessions, true, timeout);
      long waiting = all.stream().filter(each -> each.outcome() == null).count();
      for (Session<Long> each : all) {
        assertThat(each.await().value()).isEqualTo(-1);
      }
      System.out.printf(
          "%,d of %,d sessions waited at once, until their time was over%n", waiting, COUNT);
      assertThat(space.dump(0)).contains("waiting 0,");
    }
  }

  @Test
  void shouldReleaseEverySessionThatIsCancelledAndLoseNoEventByIt() throws Exception {
    try (Sessions sessions = open()) {
      List<Session<Long>> all = startAll(sessions, true, LONG);
      for (int i = 0; i < COUNT; i += 2) {
        all.get(i).cancel();
      }
      for (int i = 0; i < COUNT; i++) {
        space.write(new Event("id", i));
      }
      int cancelled = 0;
      for (int i = 0; i < COUNT; i++) {
        switch (all.get(i).await()) {
          case SessionOutcome.Cancelled<Long> _ -> cancelled++;
          case SessionOutcome.Completed<Long>(Long id) -> assertThat(id).isEqualTo(i);
          case SessionOutcome.Failed<Long>(Throwable cause) -> throw new AssertionError(cause);
        }
      }
      assertThat(space.count(new Event("id", null))).isEqualTo(cancelled);
      assertThat(cancelled).isPositive().isLessThanOrEqualTo(COUNT / 2);
      assertThat(sessions.drain(LONG)).isEmpty();
      assertThat(sessions.stats())
          .isEqualTo(new SessionStats(0, COUNT - cancelled, 0, cancelled, 0));
    }
  }

  private static int carriers() {
    return ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class).getPoolSize();
  }

  private static long usedBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
