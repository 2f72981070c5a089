package dev.takt.rtsj.monitor;

import static dev.takt.rtsj.monitor.MonitorFixture.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.rtsj.RealtimeThread;
import dev.takt.rtsj.monitor.MonitorFixture.Actor;
import dev.takt.rtsj.monitor.MonitorFixture.OtherClock;
import dev.takt.testkit.Seeds;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every kind of monitor, on whatever there is here. */
class MonitorTest {
  static Stream<Monitor> monitors() {
    return Stream.of(
        Monitor.inheritance("best"),
        Monitor.ceiling("ceiling", 45),
        Monitor.inheritance(MonitorSettings.named("queue").withClock(new OtherClock())));
  }

  @ParameterizedTest
  @MethodSource("monitors")
  void shouldKeepOthersOutUntilExit(Monitor monitor) {
    try (Actor other = new Actor("other")) {
      monitor.enter();
      other.does(() -> assertThat(monitor.tryEnter()).isFalse());
      other.does(() -> assertThat(monitor.tryEnter(1_000)).isFalse());
      assertThat(monitor.isHeld()).isTrue();
      monitor.exit();
      assertThat(monitor.isHeld()).isFalse();
      other.does(
          () -> {
            assertThat(monitor.tryEnter()).isTrue();
            monitor.exit();
          });
    }
  }

  @ParameterizedTest
  @MethodSource("monitors")
  void shouldLetInWhoeverWaitsWhenOwnerExits(Monitor monitor) {
    try (Actor other = new Actor("other")) {
      monitor.enter();
      Future<?> waiting =
          other.blocksIn(
              () -> {
                monitor.enter();
                monitor.exit();
              });
      assertThat(waiting.isDone()).isFalse();
      monitor.exit();
      Actor.get(waiting);
      assertThat(monitor.stats().waits()).isEqualTo(1);
      assertThat(monitor.stats().longestWaitNs()).isPositive();
      assertThat(monitor.owner()).isNull();
    }
  }

  @ParameterizedTest
  @MethodSource("monitors")
  void shouldLetInWhoeverWaitsWithTimeoutWhenOwnerExits(Monitor monitor) {
    try (Actor other = new Actor("other")) {
      monitor.enter();
      Future<?> waiting =
          other.blocksIn(
              () -> {
                assertThat(monitor.tryEnter(Long.MAX_VALUE)).isTrue();
                monitor.exit();
              });
      monitor.exit();
      Actor.get(waiting);
      assertThat(monitor.stats().timeouts()).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("monitors")
  void shouldBeEnteredAgainByItsOwnerAndExitedAsOften(Monitor monitor) {
    try (Actor other = new Actor("other")) {
      monitor.enter();
      assertThat(monitor.tryEnter()).isTrue();
      assertThat(monitor.tryEnter(1)).isTrue();
      monitor.enter();
      assertThat(monitor.owner().holds()).isEqualTo(4);
      for (int left = 3; left >= 0; left--) {
        other.does(() -> assertThat(monitor.tryEnter()).isFalse());
        monitor.exit();
      }
      other.does(
          () -> {
            assertThat(monitor.tryEnter()).isTrue();
            monitor.exit();
          });
    }
  }

  @ParameterizedTest
  @MethodSource("monitors")
  void shouldKnowEachRealtimeThread(Monitor monitor) throws InterruptedException {
    List<Object> seen = new CopyOnWriteArrayList<>();
    monitor.enter();
    RealtimeThread stranger =
        RealtimeThread.start(
            "stranger",
            ThreadScheduling.OTHER,
            _ -> seen.add("finds it free: " + monitor.tryEnter()));
    stranger.join();
    monitor.exit();
    RealtimeThread owner =
        RealtimeThread.start(
            "owner",
            ThreadScheduling.OTHER,
            _ -> {
              monitor.enter();
              monitor.enter();
              seen.add(monitor.owner().name() + " holds " + monitor.owner().holds());
              monitor.exit();
              monitor.exit();
              seen.add("holds: " + monitor.isHeld());
            });
    owner.join();
    assertThat(seen).containsExactly("finds it free: false", "owner holds 2", "holds: false");
  }

  @ParameterizedTest
  @MethodSource("monitors")
  void shouldBeHeldWithinTryBlock(Monitor monitor) {
    try (var _ = monitor.hold()) {
      assertThat(monitor.isHeld()).isTrue();
    }
    assertThat(monitor.isHeld()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("monitors")
  void shouldNameCallerAndOwnerWhenStrangerExits(Monitor monitor) {
    assertThatThrownBy(monitor::exit)
        .isInstanceOf(IllegalMonitorStateException.class)
        .hasMessageContaining(Thread.currentThread().getName())
        .hasMessageContaining(monitor.toString())
        .hasMessageContaining("nobody");
    try (Actor other = new Actor("stranger")) {
      monitor.enter();
      other.does(
          () ->
              assertThatThrownBy(monitor::exit)
                  .isInstanceOf(IllegalMonitorStateException.class)
                  .hasMessageContaining("stranger")
                  .hasMessageContaining(Thread.currentThread().getName()));
      assertThat(monitor.isHeld()).isTrue();
      monitor.exit();
    }
  }

  @ParameterizedTest
  @MethodSource("monitors")
  void shouldNameOwner(Monitor monitor) {
    assertThat(monitor.owner()).isNull();
    try (Actor owner = new Actor("the owner")) {
      owner.does(monitor::enter);
      MonitorOwner seen = monitor.owner();
      assertThat(seen.name()).isEqualTo("the owner");
      assertThat(seen.threadId()).isEqualTo(owner.self.threadId);
      assertThat(seen.holds()).isEqualTo(1);
      assertThat(seen.sinceNs()).isZero();
      owner.does(monitor::exit);
    }
  }

  @ParameterizedTest
  @MethodSource("monitors")
  void shouldRefuseEverybodyAfterThreadDiedInside(Monitor monitor) {
    Actor dying = new Actor("dying");
    dying.does(monitor::enter);
    try (Actor early = new Actor("early");
        Actor earlyToo = new Actor("early too")) {
      Future<?> waiting = early.blocksIn(monitor::enter);
      Future<?> waitingToo = earlyToo.blocksIn(() -> monitor.tryEnter(Long.MAX_VALUE));
      dying.close();
      for (Future<?> each : List.of(waiting, waitingToo)) {
        assertThatThrownBy(() -> Actor.get(each))
            .isInstanceOf(OwnerDiedException.class)
            .hasMessageContaining("dying")
            .hasMessageContaining(monitor.toString());
      }
    }
    assertThatThrownBy(monitor::enter).isInstanceOf(OwnerDiedException.class);
    assertThatThrownBy(monitor::tryEnter).isInstanceOf(OwnerDiedException.class);
    assertThatThrownBy(() -> monitor.tryEnter(1)).isInstanceOf(OwnerDiedException.class);
  }

  @ParameterizedTest
  @MethodSource("monitors")
  void shouldNoticeThreadThatDiedInsideWithNobodyWaiting(Monitor monitor) {
    Actor dying = new Actor("dying");
    dying.does(monitor::enter);
    dying.close();
    assertThatThrownBy(monitor::enter)
        .isInstanceOf(OwnerDiedException.class)
        .hasMessageContaining("dying");
  }

  @ParameterizedTest
  @MethodSource("monitors")
  void shouldKeepInterruptForLater(Monitor monitor) {
    try (Actor other = new Actor("other")) {
      monitor.enter();
      Future<?> waiting =
          other.blocksIn(
              () -> {
                Thread.currentThread().interrupt();
                monitor.enter();
                assertThat(Thread.interrupted()).isTrue();
                monitor.exit();
              });
      monitor.exit();
      Actor.get(waiting);
    }
  }

  @ParameterizedTest
  @MethodSource("monitors")
  void shouldAllocateNothing(Monitor monitor) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long allocated = Long.MAX_VALUE;
    for (int round = 0; round < 100 && allocated != 0; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 2_000; i++) {
        monitor.enter();
        monitor.enter();
        monitor.exit();
        monitor.exit();
        try (var _ = monitor.hold()) {
          monitor.isHeld();
        }
        monitor.tryEnter();
        monitor.exit();
        monitor.stats().waits();
      }
      allocated = threads.getCurrentThreadAllocatedBytes() - before;
    }
    assertThat(allocated).isZero();
  }

  @ParameterizedTest
  @MethodSource("monitors")
  void shouldAllocateNothingWhenItWaits(Monitor monitor) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Actor owner = new Actor("owner")) {
      owner.does(monitor::enter);
      long allocated = Long.MAX_VALUE;
      for (int round = 0; round < 1_000 && allocated != 0; round++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 100; i++) {
          monitor.tryEnter(1);
        }
        allocated = threads.getCurrentThreadAllocatedBytes() - before;
      }
      assertThat(allocated).isZero();
      owner.does(monitor::exit);
    }
  }

  /** Steps in random order, at random places, by all the ways to enter. */
  @ParameterizedTest
  @MethodSource("monitors")
  void shouldLetOneThreadInAtATime(Monitor monitor) {
    long seed = Seeds.seed();
    List<Actor> actors = new ArrayList<>();
    List<Future<?>> works = new ArrayList<>();
    long[] unguarded = new long[2];
    long[] entries = new long[4];
    for (int i = 0; i < 4; i++) {
      int me = i;
      Random random = new Random(seed + i);
      actors.add(new Actor("actor " + i));
      works.add(
          actors
              .get(i)
              .begins(() -> entries[me] = enterAtRandom(monitor, unguarded, random, 5_000)));
    }
    works.forEach(Actor::get);
    actors.forEach(Actor::close);
    long sum = entries[0] + entries[1] + entries[2] + entries[3];
    assertThat(unguarded[0]).as("seed %d", seed).isEqualTo(sum);
    assertThat(unguarded[1]).as("seed %d", seed).isEqualTo(sum);
    assertThat(monitor.owner()).isNull();
  }

  private static long enterAtRandom(Monitor monitor, long[] unguarded, Random random, int rounds) {
    long entries = 0;
    for (int round = 0; round < rounds; round++) {
      boolean entered =
          switch (random.nextInt(4)) {
            case 0 -> monitor.tryEnter();
            case 1 -> monitor.tryEnter(random.nextInt(50_000));
            default -> {
              monitor.enter();
              yield true;
            }
          };
      if (entered) {
        entries++;
        int depth = random.nextInt(3);
        for (int i = 0; i < depth; i++) {
          monitor.enter();
        }
        long seen = unguarded[0];
        if (random.nextInt(50) == 0) {
          Thread.yield();
        }
        unguarded[0] = seen + 1;
        unguarded[1]++;
        for (int i = 0; i <= depth; i++) {
          monitor.exit();
        }
      }
    }
    return entries;
  }

  @ParameterizedTest
  @MethodSource("monitors")
  void shouldRefuseToCloseCircle(Monitor first) {
    Monitor second = Monitor.inheritance("second");
    try (Actor other = new Actor("other")) {
      first.enter();
      other.does(second::enter);
      Future<?> waiting = other.blocksIn(first::enter);
      assertThatThrownBy(second::enter)
          .isInstanceOf(DeadlockException.class)
          .hasMessageContaining(Thread.currentThread().getName())
          .hasMessageContaining("other")
          .hasMessageContaining("waits for monitor second")
          .hasMessageContaining("waits for " + first);
      until(() -> !waiting.isDone());
      first.exit();
      Actor.get(waiting);
      other.does(first::exit);
      other.does(second::exit);
    }
  }
}
