package dev.takt.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.os.Sleeper;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Timed operations of a space among threads whose time is made up. */
class VirtualWaitTest {
  private static final long MS = 1_000_000;

  private final VirtualClock clock = new VirtualClock();
  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS, clock);
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());
  private final List<Thread> threads = new ArrayList<>();

  private void taker(String type, long timeoutMs) {
    threads.add(
        Thread.ofPlatform()
            .unstarted(
                () -> {
                  try {
                    Event found = space.take(new Event("type", type), Duration.ofMillis(timeoutMs));
                    log.add(clock.nanoTime() / MS + " " + type + " " + (found != null));
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                }));
  }

  private void writer(String type, long timeMs) {
    threads.add(
        Thread.ofPlatform()
            .unstarted(
                () -> {
                  Sleeper sleeper = clock.newSleeper();
                  while (clock.nanoTime() < timeMs * MS) {
                    sleeper.sleepUntil(timeMs * MS);
                  }
                  space.write(new Event("type", type));
                }));
  }

  private void run() throws InterruptedException {
    threads.forEach(Thread::start);
    clock.runToEnd(threads.toArray(new Thread[0]));
  }

  @Test
  void shouldGiveUpWhenTheClockOfTheSpaceHasReachedTheTimeOut() throws Exception {
    taker("late", 86_400_000);
    taker("soon", 1);
    taker("later", 10_000);

    run();

    assertThat(log).containsExactly("1 soon false", "10000 later false", "86400000 late false");
    assertThat(space.stats().subscriptions()).isZero();
  }

  @Test
  void shouldTakeWhatIsWrittenBeforeTheTimeOut() throws Exception {
    taker("order", 5_000);
    taker("quote", 2_000);
    writer("order", 3_000);
    writer("quote", 4_000);

    run();

    assertThat(log).containsExactly("2000 quote false", "3000 order true");
    assertThat(space.stats().events()).isEqualTo(1);
  }
}
