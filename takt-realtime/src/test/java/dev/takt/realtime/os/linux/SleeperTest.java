package dev.takt.realtime.os.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.OnThread;
import dev.takt.realtime.os.Sleeper;
import dev.takt.testkit.Seeds;
import dev.takt.testsupport.AllocatedBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every sleeper does; that of this machine and the portable one. */
class SleeperTest {
  enum Kind {
    OF_THIS_SYSTEM {
      @Override
      Sleeper newSleeper() {
        return NanoClock.system().newSleeper();
      }
    },
    PORTABLE {
      @Override
      Sleeper newSleeper() {
        return OperatingSystems.portable().newSleeper();
      }
    };

    abstract Sleeper newSleeper();
  }

  @ParameterizedTest
  @EnumSource
  void shouldBeTheKernelsWhereItCanBeCalled(Kind kind) {
    boolean inKernel = kind.newSleeper() instanceof FutexSleeper;

    assertThat(inKernel)
        .isEqualTo(kind == Kind.OF_THIS_SYSTEM && OperatingSystems.current().isNative());
  }

  @ParameterizedTest
  @EnumSource
  void shouldReturnAtOnceWhenWokenBefore(Kind kind) throws Exception {
    Sleeper sleeper = kind.newSleeper();
    sleeper.wake();
    sleeper.wake();

    OnThread.run(sleeper::sleep);
  }

  @ParameterizedTest
  @EnumSource
  void shouldReturnAtOnceWhenTimeHasPassed(Kind kind) throws Exception {
    Sleeper sleeper = kind.newSleeper();
    OnThread.run(
        () -> {
          sleeper.sleepUntil(System.nanoTime());
          sleeper.sleepUntil(System.nanoTime() - 1);
          sleeper.sleepUntil(System.nanoTime() - TimeUnit.DAYS.toNanos(10_000));
        });
  }

  @ParameterizedTest
  @EnumSource
  void shouldSleepUntilTimeHasCome(Kind kind) throws Exception {
    Sleeper sleeper = kind.newSleeper();
    AtomicInteger sleeps = new AtomicInteger();
    OnThread.run(
        () -> {
          long timeNs = System.nanoTime() + 20_000_000;
          while (System.nanoTime() - timeNs < 0) {
            sleeper.sleepUntil(timeNs);
            sleeps.incrementAndGet();
          }
        });

    assertThat(sleeps.get()).as("it may return early, but not all the time").isBetween(1, 100);
  }

  @ParameterizedTest
  @EnumSource
  void shouldWakeFromASleepWithoutEnd(Kind kind) throws Exception {
    for (boolean timed : new boolean[] {false, true}) {
      Sleeper sleeper = kind.newSleeper();
      AtomicBoolean done = new AtomicBoolean();
      CountDownLatch begun = new CountDownLatch(1);
      AtomicInteger sleeps = new AtomicInteger();
      OnThread.Started started =
          OnThread.start(
              () -> {
                begun.countDown();
                while (!done.get()) {
                  if (timed) {
                    sleeper.sleepUntil(System.nanoTime() + Long.MAX_VALUE);
                  } else {
                    sleeper.sleep();
                  }
                  sleeps.incrementAndGet();
                }
              });
      begun.await();
      kind.newSleeper().sleepUntil(System.nanoTime() + 5_000_000);
      done.set(true);
      sleeper.wake();
      started.join();

      assertThat(sleeps.get()).isLessThan(100);
    }
  }

  @Test
  void shouldWakeWhenWhoHasCalledTheSleeperWasStoppedBeforeTheKernelsWake() throws Exception {
    if (!(NanoClock.system().newSleeper() instanceof FutexSleeper sleeper)) {
      return; // the portable one is tested above: its wake-ups do not rely on each other
    }
    AtomicBoolean done = new AtomicBoolean();
    OnThread.Started started =
        OnThread.start(
            () -> {
              while (!done.get()) {
                sleeper.sleep();
              }
            });
    Sleeper own = NanoClock.system().newSleeper();
    do {
      own.sleepUntil(System.nanoTime() + 5_000_000); // it is in the kernel by then
    } while (!sleeper.call()); // and stopped
    done.set(true);
    sleeper.wake();
    started.join();
  }

  /** Two threads take turns; half of the sleeps end by their time while they are being woken. */
  @ParameterizedTest
  @EnumSource
  void shouldLoseNoWakeUpWhenTimeAndWakeMeet(Kind kind) throws Exception {
    int turns = 20_000;
    long seed = Seeds.seed();
    Sleeper[] sleepers = {kind.newSleeper(), kind.newSleeper()};
    AtomicInteger turn = new AtomicInteger();
    List<OnThread.Started> players = new ArrayList<>();
    for (int player = 0; player < 2; player++) {
      int me = player;
      Random random = new Random(seed + me);
      players.add(
          OnThread.start(
              () -> {
                for (int now = me; now < turns; now += 2) {
                  boolean timed = random.nextBoolean();
                  long timeNs = System.nanoTime() + random.nextInt(30_000);
                  while (turn.get() != now) {
                    if (timed && System.nanoTime() - timeNs < 0) {
                      sleepers[me].sleepUntil(timeNs);
                    } else {
                      sleepers[me].sleep();
                    }
                  }
                  turn.set(now + 1);
                  sleepers[1 - me].wake();
                }
              }));
    }
    for (OnThread.Started each : players) {
      each.join();
    }

    assertThat(turn.get()).as("seed %d", seed).isEqualTo(turns);
  }

  @ParameterizedTest
  @EnumSource
  void shouldHearEachOfManyWakers(Kind kind) throws Exception {
    int wakers = 4;
    int wakes = 2_000;
    Sleeper sleeper = kind.newSleeper();
    AtomicInteger given = new AtomicInteger();
    OnThread.Started sleeping =
        OnThread.start(
            () -> {
              while (given.get() < wakers * wakes) {
                sleeper.sleep();
              }
            });
    List<OnThread.Started> waking = new ArrayList<>();
    for (int i = 0; i < wakers; i++) {
      waking.add(
          OnThread.start(
              () -> {
                for (int n = 0; n < wakes; n++) {
                  given.incrementAndGet();
                  sleeper.wake();
                }
              }));
    }
    for (OnThread.Started each : waking) {
      each.join();
    }
    sleeping.join();

    assertThat(given.get()).isEqualTo(wakers * wakes);
  }

  @ParameterizedTest
  @EnumSource
  void shouldNotBeginToSleepWhenInterruptedBefore(Kind kind) throws Exception {
    Sleeper sleeper = kind.newSleeper();
    OnThread.run(
        () -> {
          Thread.currentThread().interrupt();
          sleeper.sleep();
          sleeper.sleepUntil(System.nanoTime() + TimeUnit.DAYS.toNanos(1));

          assertThat(Thread.interrupted()).isTrue();
        });
  }

  @ParameterizedTest
  @EnumSource
  void shouldEndWhenInterruptedAndWoken(Kind kind) throws Exception {
    Sleeper sleeper = kind.newSleeper();
    OnThread.Started started =
        OnThread.start(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                sleeper.sleep();
              }
            });

    started.thread().interrupt();
    sleeper.wake();

    started.join();
  }

  @ParameterizedTest
  @EnumSource
  void shouldNotHoldTheCarriersOfVirtualThreads(Kind kind) throws Exception {
    int count = 300; // more than there can be carriers
    CountDownLatch asleep = new CountDownLatch(count);
    AtomicBoolean done = new AtomicBoolean();
    List<Sleeper> sleepers = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Sleeper sleeper = kind.newSleeper();
      boolean timed = i % 2 == 0;
      sleepers.add(sleeper);
      threads.add(
          Thread.startVirtualThread(
              () -> {
                asleep.countDown();
                while (!done.get()) {
                  if (timed) {
                    sleeper.sleepUntil(System.nanoTime() + TimeUnit.DAYS.toNanos(1));
                  } else {
                    sleeper.sleep();
                  }
                }
              }));
    }

    boolean allAsleep = asleep.await(60, TimeUnit.SECONDS);
    done.set(true);
    sleepers.forEach(Sleeper::wake);
    for (Thread each : threads) {
      each.join();
    }

    assertThat(allAsleep).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void shouldServeAPlatformThreadAfterAVirtualOne(Kind kind) throws Exception {
    Sleeper sleeper = kind.newSleeper();
    Thread.startVirtualThread(() -> sleeper.sleepUntil(System.nanoTime() + 100_000)).join();

    sleeper.wake();
    OnThread.run(sleeper::sleep);
  }

  @ParameterizedTest
  @EnumSource
  void shouldKeepAPermitWhenItWarmsCaches(Kind kind) throws Exception {
    Sleeper sleeper = kind.newSleeper();
    OnThread.run(
        () -> {
          sleeper.warmCaches();
          sleeper.wake();
          sleeper.warmCaches();
          sleeper.sleep();
          sleeper.warmCaches();
          sleeper.sleepUntil(System.nanoTime() + 100_000);
        });
    Thread.startVirtualThread(sleeper::warmCaches).join();
  }

  /** A wake-up that comes while caches are warmed is not lost either. */
  @ParameterizedTest
  @EnumSource
  void shouldLoseNoWakeUpWhenItWarmsCaches(Kind kind) throws Exception {
    int turns = 10_000;
    Sleeper sleeper = kind.newSleeper();
    Sleeper other = kind.newSleeper();
    AtomicInteger turn = new AtomicInteger();
    OnThread.Started warming =
        OnThread.start(
            () -> {
              for (int now = 0; now < turns; now += 2) {
                while (turn.get() != now) {
                  sleeper.warmCaches();
                  if (turn.get() != now) {
                    sleeper.sleep();
                  }
                }
                turn.set(now + 1);
                other.wake();
              }
            });
    OnThread.run(
        () -> {
          for (int now = 1; now < turns; now += 2) {
            while (turn.get() != now) {
              other.sleep();
            }
            turn.set(now + 1);
            sleeper.wake();
          }
        });
    warming.join();

    assertThat(turn.get()).isEqualTo(turns);
  }

  @ParameterizedTest
  @EnumSource
  void shouldAllocateNothing(Kind kind) throws Exception {
    Sleeper sleeper = kind.newSleeper();
    OnThread.run(
        () ->
            assertThat(
                    AllocatedBytes.inSteadyState(
                        50,
                        () -> {
                          sleeper.sleepUntil(System.nanoTime() + 2_000);
                          sleeper.wake();
                          sleeper.sleep();
                          sleeper.warmCaches();
                        }))
                .isZero());
  }
}
