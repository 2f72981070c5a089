package dev.takt.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.os.Sleeper;
import dev.takt.rtsj.monitor.DeadlockException;
import dev.takt.rtsj.monitor.Monitor;
import dev.takt.rtsj.monitor.MonitorCondition;
import dev.takt.rtsj.monitor.MonitorSettings;
import dev.takt.rtsj.monitor.OwnerDiedException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Monitors among threads whose time is made up: when each of them comes in or gives up. */
class VirtualMonitorTest {
  private static final long MS = 1_000_000;

  private final VirtualClock clock = new VirtualClock();
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());
  private final List<Thread> threads = new ArrayList<>();

  private Monitor monitor(String name) {
    return Monitor.inheritance(MonitorSettings.named(name).withClock(clock).withRecordsSince(true));
  }

  /** What a thread does from a time on; it can sleep until later times. */
  private interface Body {
    void run(Sleeper sleeper);
  }

  private void from(long startMs, Body body) {
    threads.add(
        Thread.ofPlatform()
            .unstarted(
                () -> {
                  Sleeper sleeper = clock.newSleeper();
                  sleepUntil(sleeper, startMs);
                  body.run(sleeper);
                }));
  }

  private void sleepUntil(Sleeper sleeper, long timeMs) {
    while (clock.nanoTime() < timeMs * MS) {
      sleeper.sleepUntil(timeMs * MS);
    }
  }

  private void log(String what) {
    log.add(clock.nanoTime() / MS + " " + what);
  }

  private void run() throws InterruptedException {
    threads.forEach(Thread::start);
    clock.runToEnd(threads.toArray(new Thread[0]));
  }

  @Test
  void shouldComeInWhenOwnerExitsOrGiveUpInTime() throws Exception {
    Monitor monitor = monitor("shared");
    from(
        0,
        sleeper -> {
          try (var _ = monitor.hold()) {
            sleepUntil(sleeper, 5);
            assertThat(monitor.owner().sinceNs()).isZero();
          }
        });
    from(
        1,
        _ -> {
          assertThat(monitor.tryEnter(2 * MS)).isFalse();
          log("gave up");
        });
    from(
        2,
        sleeper -> {
          try (var _ = monitor.hold()) {
            log("second is in");
            sleepUntil(sleeper, 7);
          }
        });
    from(
        3,
        _ -> {
          assertThat(monitor.tryEnter(10 * MS)).isTrue();
          log("third is in");
          monitor.exit();
        });
    run();
    assertThat(log).containsExactly("3 gave up", "5 second is in", "7 third is in");
    assertThat(monitor.stats().waits()).isEqualTo(3);
    assertThat(monitor.stats().longestWaitNs()).isEqualTo(4 * MS);
  }

  @Test
  void shouldWaitForSignalOrTime() throws Exception {
    Monitor monitor = monitor("shared");
    MonitorCondition condition = monitor.newCondition("ready");
    for (long limitMs : new long[] {20, 3}) {
      from(
          limitMs == 20 ? 0 : 1,
          _ -> {
            try (var _ = monitor.hold()) {
              log(limitMs + ": " + condition.await(limitMs * MS));
            }
          });
    }
    from(
        8,
        sleeper -> {
          try (var _ = monitor.hold()) {
            condition.signal();
            sleepUntil(sleeper, 9);
          }
        });
    run();
    assertThat(log).containsExactly("4 3: false", "9 20: true");
  }

  /** A thread that ends inside wakes nobody; whoever waits looks once a second. */
  @Test
  void shouldSeeWithinSecondThatOwnerHasDied() throws Exception {
    Monitor monitor = monitor("shared");
    from(
        0,
        sleeper -> {
          monitor.enter();
          sleepUntil(sleeper, 1_500);
        });
    from(
        1,
        _ -> {
          try {
            monitor.enter();
          } catch (OwnerDiedException e) {
            log("died");
          }
        });
    run();
    assertThat(log).containsExactly("2001 died");
  }

  @Test
  void shouldRefuseCircleAtOnceAlsoWithTimeout() throws Exception {
    Monitor first = monitor("first");
    Monitor second = monitor("second");
    from(
        0,
        sleeper -> {
          first.enter();
          sleepUntil(sleeper, 2);
          second.enter();
          log("has both");
          second.exit();
          first.exit();
        });
    from(
        1,
        sleeper -> {
          second.enter();
          sleepUntil(sleeper, 3);
          try {
            first.tryEnter(50 * MS);
          } catch (DeadlockException e) {
            log("circle");
          }
          sleepUntil(sleeper, 4);
          second.exit();
        });
    run();
    assertThat(log).containsExactly("3 circle", "4 has both");
  }
}
