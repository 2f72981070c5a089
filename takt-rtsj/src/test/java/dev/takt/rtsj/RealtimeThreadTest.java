package dev.takt.rtsj;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.Aperiodic;
import dev.takt.realtime.Arrival;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.Periodic;
import dev.takt.realtime.QueuePolicy;
import dev.takt.realtime.ReleaseParameters;
import dev.takt.realtime.Sporadic;
import dev.takt.realtime.ThreadMeter;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.Shortfall;
import dev.takt.realtime.os.Sleeper;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.rtsj.memory.HeapArea;
import dev.takt.rtsj.memory.ImmortalArea;
import dev.takt.rtsj.memory.InaccessibleAreaException;
import dev.takt.rtsj.memory.MemoryArea;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** By the machine's clock; what takes exact times is tested by a virtual one, in takt-testkit. */
class RealtimeThreadTest {
  private static final Periodic OFTEN = Periodic.ofNs(100_000);

  @Nested
  class Life {
    @Test
    void shouldAskForItsSchedulingOnItselfBeforeStartReturns() throws InterruptedException {
      AtomicReference<RealtimeThread> seen = new AtomicReference<>();
      RealtimeThread thread =
          RealtimeThread.builder("asks")
              .operatingSystem(OperatingSystems.portable())
              .scheduling(ThreadScheduling.fifo(7))
              .program(self -> seen.set(RealtimeThread.current()))
              .start();
      assertThat(thread.grant().isComplete()).isFalse();
      assertThat(thread.grant().scheduling().policy()).isEqualTo(Policy.OTHER);
      thread.join();
      assertThat(seen).hasValue(thread);
      assertThat(thread.isAlive()).isFalse();
    }

    @Test
    void shouldRunAsItWasGranted() throws InterruptedException {
      AtomicReference<ThreadScheduling> seen = new AtomicReference<>();
      OperatingSystem system = OperatingSystems.current();
      RealtimeThread thread =
          RealtimeThread.start(
              "granted",
              ThreadScheduling.fifo(7),
              self -> seen.set(system.granted(system.threadId()).scheduling()));
      thread.join();
      assertThat(seen.get().policy()).isEqualTo(thread.grant().scheduling().policy());
      assertThat(seen.get().priority()).isEqualTo(thread.grant().scheduling().priority());
      // Where nothing is missing, it is what was asked for; elsewhere the grant says what is
      // missing.
      assertThat(seen.get().priority()).isEqualTo(thread.grant().isComplete() ? 7 : 0);
    }

    @Test
    void shouldAskForNothingWhenOrdinary() {
      try (RealtimeThread thread =
          RealtimeThread.builder("ordinary")
              .kind(ThreadKind.ORDINARY)
              .release(OFTEN)
              .body(self -> {})
              .start()) {
        assertThat(thread.grant().isComplete()).isTrue();
        assertThat(thread.grant().scheduling().policy()).isEqualTo(Policy.OTHER);
      }
    }

    @Test
    void shouldNotCountAsStartedWhenTheSystemHasNoThreadToGive() throws InterruptedException {
      RealtimeThread thread = RealtimeThread.builder("none").program(self -> {}).build();
      assertThat(thread.join(Duration.ofSeconds(10))).as("never started").isTrue();
      thread.thread().start(); // so that it cannot be started: it refuses as it does without memory
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(thread::start).isInstanceOf(IllegalThreadStateException.class);
      }
      thread.join();
    }

    @Test
    void shouldBeJoinedAlsoWhileItIsBeingStarted() throws Exception {
      for (int round = 0; round < 200; round++) {
        RealtimeThread thread = RealtimeThread.builder("started").program(self -> {}).build();
        CountDownLatch joining = new CountDownLatch(1);
        FutureTask<Boolean> joiner =
            new FutureTask<>(
                () -> {
                  boolean ended = true;
                  while (ended && thread.thread().getState() == Thread.State.NEW) {
                    ended = thread.join(Duration.ZERO);
                    joining.countDown();
                  }
                  return thread.join(Duration.ofSeconds(10));
                });
        Thread other = Thread.ofPlatform().start(joiner);
        joining.await();
        thread.start();
        assertThat(joiner.get()).isTrue();
        other.join();
      }
    }

    @Test
    void shouldJudgeAReleaseWithoutWhatTheFailureHandlerTakes() throws InterruptedException {
      for (boolean ends : new boolean[] {false, true}) {
        AtomicLong nowNs = new AtomicLong();
        AtomicLong toldMisses = new AtomicLong(-1);
        RealtimeThread thread =
            RealtimeThread.builder("fails")
                .clock(nowNs::get)
                .release(Aperiodic.ofCapacity(1).withDeadlineNs(100).withBudgetNs(50))
                .onFailure(
                    (self, release, failure) -> {
                      nowNs.addAndGet(1_000);
                      toldMisses.set(self.counts().misses());
                      self.stop();
                    })
                .body(
                    self -> {
                      nowNs.addAndGet(10);
                      if (ends) {
                        throw new AssertionError("on purpose, it ends the thread");
                      }
                      throw new IllegalStateException("on purpose");
                    })
                .start();
        thread.release();
        thread.join();
        assertThat(toldMisses).hasValue(0);
        assertThat(thread.counts().failures()).isOne();
        assertThat(thread.counts().misses()).isZero();
        assertThat(thread.counts().overruns()).isZero();
      }
    }

    @Test
    void shouldReleaseByTheMachinesClockAndCountSleepAndSpin() throws InterruptedException {
      List<Long> early = new ArrayList<>();
      RealtimeThread thread =
          RealtimeThread.builder("periodic")
              .release(OFTEN)
              .body(
                  self -> {
                    if (self.beginNs() - self.releaseNs() < 0) {
                      early.add(self.releaseNumber());
                    }
                    if (self.releaseNumber() == 100) {
                      self.stop();
                    }
                  })
              .start();
      thread.join();
      assertThat(early).isEmpty();
      assertThat(thread.counts().releases()).isEqualTo(100);
      assertThat(thread.counts().sleptNs()).isPositive();
    }

    @Test
    void shouldIgnoreArrivalsOfAThreadThatIsStoppedOrHasEnded() throws InterruptedException {
      RealtimeThread stopped =
          RealtimeThread.builder("stopped")
              .release(Aperiodic.ofCapacity(4))
              .body(self -> {})
              .start();
      stopped.stop();
      assertThat(stopped.release()).isEqualTo(Arrival.IGNORED);
      stopped.join();
      RealtimeThread failed =
          RealtimeThread.builder("failed")
              .release(Aperiodic.ofCapacity(4))
              .onFailure((self, release, failure) -> {})
              .body(
                  self -> {
                    throw new AssertionError("on purpose, it ends the thread");
                  })
              .start();
      assertThat(failed.release()).isEqualTo(Arrival.ACCEPTED);
      failed.join();

      for (int i = 0; i < 10; i++) {
        assertThat(failed.release()).isEqualTo(Arrival.IGNORED);
      }
    }

    @Test
    void shouldReleaseByArrivalsFromOtherThreads() throws InterruptedException {
      CountDownLatch released = new CountDownLatch(1_000);
      try (RealtimeThread thread =
          RealtimeThread.builder("server")
              .release(Aperiodic.ofCapacity(1_000))
              .body(self -> released.countDown())
              .start()) {
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          clients.add(
              Thread.ofPlatform()
                  .start(
                      () -> {
                        for (int j = 0; j < 250; j++) {
                          thread.release();
                        }
                      }));
        }
        for (Thread client : clients) {
          client.join();
        }
        released.await();
        ReleaseCounts counts = thread.counts();
        assertThat(counts.accepted() + counts.saved()).isEqualTo(1_000);
      }
    }

    @Test
    void shouldStopPromptlyHoweverLongItSleeps() {
      RealtimeThread thread =
          RealtimeThread.builder("sleeps")
              .release(Periodic.ofNs(3_600_000_000_000L).withPhaseNs(3_600_000_000_000L))
              .body(self -> {})
              .start();
      thread.close();
      assertThat(thread.isAlive()).isFalse();
      assertThat(thread.counts().releases()).isZero();
    }

    @Test
    void shouldWakeProgramThatSleepsByItsSleeperWhenStopped() {
      RealtimeThread thread =
          RealtimeThread.start(
              "own",
              ThreadScheduling.OTHER,
              self -> {
                while (!self.isStopped()) {
                  self.sleeper().sleep();
                }
              });
      thread.close();
      assertThat(thread.isAlive()).isFalse();
    }

    @Test
    void shouldReportToUncaughtExceptionHandlerByDefault() throws InterruptedException {
      AtomicReference<Throwable> reported = new AtomicReference<>();
      RealtimeThread thread =
          RealtimeThread.builder("fails")
              .program(
                  self -> {
                    self.thread().setUncaughtExceptionHandler((each, e) -> reported.set(e));
                    throw new IllegalStateException("wrong");
                  })
              .start();
      thread.join();
      assertThat(reported.get()).hasMessage("wrong");
      assertThat(thread.counts().failures()).isEqualTo(1);
    }
  }

  @Nested
  class Allocation {
    private static final ThreadMeter UNMEASURED =
        new ThreadMeter() {
          @Override
          public long usedNs() {
            return UNKNOWN;
          }

          @Override
          public long allocatedBytes() {
            return UNKNOWN;
          }
        };

    private Object sink = "";

    @Test
    void shouldReportBytesOfReleasesThatAllocateAndOnlyThose() throws InterruptedException {
      List<Long> bytes = Collections.synchronizedList(new ArrayList<>());
      List<Long> releases = Collections.synchronizedList(new ArrayList<>());
      RealtimeThread thread =
          RealtimeThread.builder("no heap")
              .kind(ThreadKind.NO_HEAP)
              .release(OFTEN)
              .onAllocation(
                  (self, release, allocated) -> {
                    releases.add(release);
                    bytes.add(allocated);
                  })
              .body(
                  self -> {
                    // Released often enough for the body to be linked before it is judged.
                    if (self.releaseNumber() == 20) {
                      sink = new byte[1_000];
                    } else if (self.releaseNumber() == 40) {
                      self.stop();
                    }
                  })
              .start();
      thread.join();
      assertThat(sink).isInstanceOf(byte[].class);
      assertThat(releases).contains(20L).doesNotContain(19L, 21L, 39L);
      assertThat(bytes.get(releases.indexOf(20L))).isBetween(1_000L, 1_100L);
      assertThat(thread.counts().allocating()).isEqualTo(releases.size());
      assertThat(thread.counts().allocatedBytes())
          .isEqualTo(bytes.stream().mapToLong(Long::longValue).sum());
      assertThat(thread.grant().isComplete()).isTrue();
    }

    @Test
    void shouldRunInItsMemoryAreaAndKeepNoHeapThreadsFromTheHeap() throws InterruptedException {
      Map<String, String> seen = new ConcurrentHashMap<>();
      ThreadBody look =
          self -> {
            seen.put(self.name(), MemoryArea.current().name());
            HeapArea.instance().allocate(8, 8);
          };
      MemoryArea immortal = ImmortalArea.create("own", 1_024);
      RealtimeThreadBuilder[] builders = {
        RealtimeThread.builder("heap"),
        RealtimeThread.builder("immortal").memoryArea(immortal),
        RealtimeThread.builder("no heap").kind(ThreadKind.NO_HEAP),
        RealtimeThread.builder("no heap in own").kind(ThreadKind.NO_HEAP).memoryArea(immortal)
      };
      Map<String, Throwable> failures = new ConcurrentHashMap<>();
      for (RealtimeThreadBuilder builder : builders) {
        builder.onFailure((self, release, e) -> failures.put(self.name(), e));
        builder.program(look).start().join();
      }
      assertThat(seen)
          .containsOnly(
              Map.entry("heap", "heap"),
              Map.entry("immortal", "own"),
              Map.entry("no heap", ImmortalArea.instance().name()),
              Map.entry("no heap in own", "own"));
      assertThat(failures).containsOnlyKeys("no heap", "no heap in own");
      assertThat(failures.get("no heap")).isInstanceOf(InaccessibleAreaException.class);
    }

    @Test
    void shouldNotMindThatTheJvmDoesNotMeasureWhatIsNotLimited() throws InterruptedException {
      RealtimeThread thread =
          RealtimeThread.builder("unlimited")
              .kind(ThreadKind.NO_HEAP)
              .meter(UNMEASURED)
              .release(OFTEN)
              .body(RealtimeThread::stop)
              .start();
      thread.join();
      assertThat(thread.grant().shortfalls())
          .extracting(Shortfall::service)
          .containsExactly("allocation check");
    }

    @Test
    void shouldSayWhenTheJvmDoesNotMeasure() throws InterruptedException {
      RealtimeThread thread =
          RealtimeThread.builder("unmeasured")
              .kind(ThreadKind.NO_HEAP)
              .meter(UNMEASURED)
              .release(OFTEN.withBudgetNs(1))
              .body(
                  self -> {
                    sink = new byte[1_000];
                    self.stop();
                  })
              .start();
      thread.join();
      assertThat(thread.grant().shortfalls())
          .extracting(Shortfall::service)
          .containsExactly("allocation check", "budget");
      assertThat(thread.counts().allocating()).isZero();
      assertThat(thread.counts().overruns()).isZero();
    }

    @Test
    void shouldAllocateNothingBetweenReleases() throws InterruptedException {
      for (ReleaseParameters parameters :
          List.of(Periodic.ofNs(20_000).withBudgetNs(1_000_000), Aperiodic.ofCapacity(4))) {
        AtomicLong least = new AtomicLong(Long.MAX_VALUE);
        ThreadMeter meter = ThreadMeter.system();
        RealtimeThread thread =
            RealtimeThread.builder("measured")
                .kind(ThreadKind.NO_HEAP)
                .release(parameters)
                .program(
                    self -> {
                      // The compiler moves a few objects to the heap when it replaces code, so the
                      // best of some blocks counts: it is not 0 if each release allocates.
                      for (int block = 0; block < 8; block++) {
                        long before = meter.allocatedBytes();
                        for (int i = 0; i < 500; i++) {
                          if (parameters instanceof Aperiodic) {
                            self.release();
                          }
                          self.waitForNextRelease();
                        }
                        long allocated = meter.allocatedBytes() - before;
                        least.accumulateAndGet(allocated, Math::min);
                      }
                    })
                .start();
        thread.join();
        assertThat(least).as("%s", parameters).hasValue(0);
      }
    }

    @Test
    void shouldMeasureProcessorTimeAndNotSleepAsCost() throws InterruptedException {
      List<Long> overruns = Collections.synchronizedList(new ArrayList<>());
      RealtimeThread thread =
          RealtimeThread.builder("costs")
              .release(Periodic.ofNs(1_000_000).withBudgetNs(50_000_000))
              .onOverrun((self, release, overNs) -> overruns.add(release))
              .body(
                  self -> {
                    Sleeper sleeper = NanoClock.system().newSleeper();
                    long endNs = self.beginNs() + 60_000_000;
                    while (System.nanoTime() - endNs < 0) {
                      sleeper.sleepUntil(endNs);
                    }
                    self.stop();
                  })
              .start();
      thread.join();
      assertThat(overruns).isEmpty();
    }
  }

  @Nested
  class Misuse {
    @Test
    void shouldRefuseThreadThatDoesNothingOrTwoThings() {
      assertThatThrownBy(() -> RealtimeThread.builder("none").build())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("either body(..) or program(..)");
      assertThatThrownBy(
              () ->
                  RealtimeThread.builder("both")
                      .release(OFTEN)
                      .body(self -> {})
                      .program(self -> {})
                      .build())
          .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldRefuseBodyWithoutReleases() {
      assertThatThrownBy(() -> RealtimeThread.builder("never").body(self -> {}).build())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("remedy: release(Periodic.ofNs(..))");
    }

    @Test
    void shouldRefuseOrdinaryThreadThatAsksForScheduling() {
      assertThatThrownBy(
              () ->
                  RealtimeThread.builder("greedy")
                      .kind(ThreadKind.ORDINARY)
                      .scheduling(ThreadScheduling.fifo(1))
                      .program(self -> {})
                      .build())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("kind(ThreadKind.REALTIME)");
    }

    @Test
    void shouldRefuseNoHeapThreadInTheHeap() {
      assertThatThrownBy(
              () ->
                  RealtimeThread.builder("both")
                      .kind(ThreadKind.NO_HEAP)
                      .memoryArea(HeapArea.instance())
                      .program(self -> {})
                      .build())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("an immortal or scoped area");
    }

    @Test
    void shouldRefuseToStartTwice() throws InterruptedException {
      RealtimeThread thread = RealtimeThread.start("twice", ThreadScheduling.OTHER, self -> {});
      assertThatThrownBy(thread::start)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("started before");
      thread.join();
    }

    @Test
    void shouldRefuseToWaitForAnotherThreadsReleases() {
      RealtimeThread thread =
          RealtimeThread.builder("other").release(OFTEN).body(self -> {}).build();
      assertThatThrownBy(thread::waitForNextPeriod)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("waits for its releases itself");
      assertThatThrownBy(thread::grant).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldRefuseWaitsAndArrivalsThatDoNotFitTheParameters() throws InterruptedException {
      List<String> messages = Collections.synchronizedList(new ArrayList<>());
      RealtimeThread none =
          RealtimeThread.builder("none")
              .onFailure((self, release, e) -> messages.add(e.getMessage()))
              .program(RealtimeThread::waitForNextRelease)
              .start();
      none.join();
      RealtimeThread server =
          RealtimeThread.builder("server")
              .release(Aperiodic.ofCapacity(1))
              .onFailure((self, release, e) -> messages.add(e.getMessage()))
              .program(RealtimeThread::waitForNextPeriod)
              .start();
      server.join();
      assertThat(messages).hasSize(2);
      assertThat(messages.get(0)).contains("no release parameters");
      assertThat(messages.get(1)).contains("not periodic");
      assertThatThrownBy(none::release).hasMessageContaining("not released by arrivals");
    }

    @Test
    void shouldRefuseParametersOutOfRange() {
      assertThatThrownBy(() -> Periodic.ofNs(0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("periodNs=0 (expected: 1 to 2^60 nanoseconds)");
      assertThatThrownBy(() -> OFTEN.withPhaseNs(-1)).hasMessageContaining("phaseNs=-1");
      assertThatThrownBy(() -> OFTEN.withDeadlineNs(0)).hasMessageContaining("deadlineNs=0");
      assertThatThrownBy(() -> Sporadic.ofNs(0)).hasMessageContaining("minInterarrivalNs=0");
      assertThatThrownBy(() -> Aperiodic.ofCapacity(0))
          .hasMessage("queueCapacity=0 (expected: 1 to 1048576)");
      assertThatThrownBy(() -> Aperiodic.ofCapacity(1).withWhenFull(QueuePolicy.SAVE))
          .hasMessageContaining("raise queueCapacity");
    }
  }
}
