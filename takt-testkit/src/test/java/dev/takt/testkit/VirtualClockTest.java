package dev.takt.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.os.Sleeper;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
class VirtualClockTest {
  private final VirtualClock clock = new VirtualClock(100);

  @Test
  void shouldStandStillUntilAdvanced() {
    assertThat(clock.nanoTime()).isEqualTo(100);
    clock.advance(5);
    assertThat(clock.nanoTime()).isEqualTo(105);
    assertThatThrownBy(() -> clock.advance(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("durationNs=-1");
  }

  @Test
  void shouldWakeSleeperWhenItsTimeHasComeAndNotBefore() throws InterruptedException {
    AtomicLong wokenAt = new AtomicLong(-1);
    Thread sleeper =
        Thread.ofPlatform()
            .start(
                () -> {
                  long end = clock.nanoTime() + 1_000_000_000_000L;
                  while (clock.nanoTime() < end) {
                    clock.parkNanos(end - clock.nanoTime());
                  }
                  wokenAt.set(clock.nanoTime());
                });
    clock.awaitSleepers(1);
    clock.advance(999_999_999_999L);
    assertThat(wokenAt).hasValue(-1);
    clock.advance(1);
    sleeper.join();
    assertThat(wokenAt).hasValue(1_000_000_000_100L);
  }

  @Test
  void shouldTakeAThreadForAwakeFromTheMomentWhenItIsUnparked() throws InterruptedException {
    List<Long> times = Collections.synchronizedList(new ArrayList<>());
    Thread parked =
        Thread.ofPlatform()
            .start(
                () -> {
                  clock.parkNanos(1_000);
                  times.add(clock.nanoTime());
                  clock.unpark(Thread.currentThread());
                  clock.parkNanos(1_000);
                  times.add(clock.nanoTime());
                  clock.parkNanos(50);
                  times.add(clock.nanoTime());
                });
    clock.awaitSleepers(1);

    clock.unpark(parked);
    clock.runToEnd(parked);

    assertThat(times).containsExactly(100L, 100L, 150L);
  }

  @Test
  void shouldNotSleepForNothing() {
    clock.parkNanos(0);
    clock.parkNanos(-1);
    assertThat(clock.nanoTime()).isEqualTo(100);
  }

  @Test
  void shouldWakeSleeperWhenWokenOrItsTimeHasComeAndKeepAPermit() throws InterruptedException {
    Sleeper sleeper = clock.newSleeper();
    List<Long> wokenAt = Collections.synchronizedList(new ArrayList<>());
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  sleeper.sleepUntil(150);
                  wokenAt.add(clock.nanoTime());
                  sleeper.sleep();
                  wokenAt.add(clock.nanoTime());
                  sleeper.sleepUntil(150); // has passed
                  sleeper.sleepUntil(300);
                  wokenAt.add(clock.nanoTime());
                });
    clock.awaitSleepers(1);
    clock.advance(50);
    clock.awaitSleepers(1);
    clock.advance(50);
    sleeper.wake();
    clock.awaitSleepers(1);
    clock.advance(1_000);
    thread.join();
    assertThat(wokenAt).containsExactly(150L, 200L, 1_200L);
    sleeper.wake();
    sleeper.sleep();
    assertThat(clock.nanoTime()).isEqualTo(1_200);
  }

  @Test
  void shouldRunToEndWhenTimeWrapsAround() throws InterruptedException {
    for (long startNs : new long[] {Long.MAX_VALUE - 100, Long.MIN_VALUE, -100}) {
      VirtualClock late = new VirtualClock(startNs);
      Sleeper sleeper = late.newSleeper();
      Thread thread =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 1; i <= 4; i++) {
                      sleeper.sleepUntil(startNs + i * 50);
                    }
                  });
      late.runToEnd(thread);
      assertThat(late.nanoTime() - startNs).isEqualTo(200);
    }
  }

  @Test
  void shouldPutWhoSpinsToSleepUntilTheTimeOrAWake() throws InterruptedException {
    Thread spinner = Thread.ofPlatform().start(() -> spin(500));
    clock.awaitSleepers(1);
    // It may have a reason to stop now: it looks, and spins on.
    clock.newSleeper().wake();
    clock.awaitSleepers(1);
    clock.advance(400);
    spinner.join();
    assertThat(clock.nanoTime()).isEqualTo(500);
  }

  private void spin(long untilNs) {
    while (clock.nanoTime() < untilNs) {
      clock.onSpinWait(untilNs);
    }
  }

  @Test
  void shouldEndSleepWhenInterruptedAndKeepStatus() throws InterruptedException {
    AtomicBoolean kept = new AtomicBoolean();
    Sleeper sleeper = clock.newSleeper();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  sleeper.sleep();
                  sleeper.sleepUntil(1_000);
                  kept.set(Thread.currentThread().isInterrupted());
                });
    clock.awaitSleepers(1);
    thread.interrupt();
    thread.join();
    assertThat(kept).isTrue();
  }

  @Test
  void shouldJumpFromWakeToWakeOfAllThreads() throws InterruptedException {
    List<Long> wokenAt = Collections.synchronizedList(new ArrayList<>());
    Thread threes = Thread.ofPlatform().start(() -> tick(3, 4, wokenAt));
    Thread fives = Thread.ofPlatform().start(() -> tick(5, 3, wokenAt));
    clock.runUntil(104, 2);
    assertThat(wokenAt).containsExactly(103L);
    assertThat(clock.nanoTime()).isEqualTo(104);
    clock.runToEnd(threes, fives);
    assertThat(wokenAt).containsExactly(103L, 105L, 106L, 109L, 110L, 112L, 115L);
  }

  private void tick(long stepNs, int times, List<Long> wokenAt) {
    Sleeper sleeper = clock.newSleeper();
    long nextNs = 100;
    for (int i = 0; i < times; i++) {
      nextNs += stepNs;
      sleeper.sleepUntil(nextNs);
      wokenAt.add(clock.nanoTime());
    }
  }

  @Test
  void shouldSayWhenAllSleepForEver() throws InterruptedException {
    Sleeper sleeper = clock.newSleeper();
    Thread thread = Thread.ofPlatform().start(sleeper::sleep);
    assertThatThrownBy(() -> clock.runToEnd(thread))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("1 threads sleep for ever");
    sleeper.wake();
    thread.join();
  }
}
