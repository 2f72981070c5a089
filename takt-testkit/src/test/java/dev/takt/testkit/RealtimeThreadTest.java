package dev.takt.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.Aperiodic;
import dev.takt.realtime.Arrival;
import dev.takt.realtime.ArrivalException;
import dev.takt.realtime.LatePolicy;
import dev.takt.realtime.LeadBounds;
import dev.takt.realtime.Periodic;
import dev.takt.realtime.QueuePolicy;
import dev.takt.realtime.Sporadic;
import dev.takt.rtsj.RealtimeThread;
import dev.takt.rtsj.RealtimeThreadBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whole threads by a virtual clock. */
@ExtendWith(LeakCheck.class)
class RealtimeThreadTest {
  private final VirtualClock clock = new VirtualClock(1_000);
  private final List<String> seen = Collections.synchronizedList(new ArrayList<>());

  private RealtimeThreadBuilder builder(String name) {
    return RealtimeThread.builder(name)
        .clock(clock)
        .onMiss((thread, release, lateNs) -> seen.add("miss " + release + " by " + lateNs))
        .onOverrun((thread, release, ns) -> seen.add("overrun " + release + " by " + ns))
        .onFailure((thread, release, e) -> seen.add("failure " + release + ": " + e.getMessage()));
  }

  private void work(long durationNs) {
    clock.advance(durationNs);
  }

  @Nested
  class Releases {
    @Test
    void shouldReleaseProgramAtEachPeriodFromItsPhaseOn() throws InterruptedException {
      RealtimeThread thread =
          builder("loop")
              .release(Periodic.ofNs(100).withPhaseNs(30))
              .program(
                  self -> {
                    while (self.waitForNextPeriod()) {
                      seen.add(self.releaseNumber() + "@" + clock.nanoTime());
                      work(20);
                    }
                    seen.add("end");
                  })
              .start();
      clock.runUntil(1_300, 1);
      assertThat(seen).containsExactly("1@1030", "2@1130", "3@1230");
      thread.stop();
      thread.join();
      assertThat(seen).last().isEqualTo("end");
      assertThat(thread.counts().releases()).isEqualTo(3);
    }

    @Test
    void shouldKeepExactPhasesBetweenThreadsOfOneOrigin() throws InterruptedException {
      List<RealtimeThread> threads = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        threads.add(
            builder("phase " + i)
                .release(Periodic.ofNs(30).withPhaseNs(10 * i))
                .body(self -> seen.add(self.name() + "@" + self.beginNs()))
                .build());
      }
      threads.forEach(thread -> thread.startAt(1_000));
      clock.runUntil(1_055, 3);
      threads.forEach(RealtimeThread::close);
      assertThat(seen)
          .containsExactly(
              "phase 0@1000",
              "phase 1@1010",
              "phase 2@1020",
              "phase 0@1030",
              "phase 1@1040",
              "phase 2@1050");
    }

    @Test
    void shouldSleepUntilAnArrivalComes() throws InterruptedException {
      try (RealtimeThread thread =
          builder("server")
              .release(Aperiodic.ofCapacity(2))
              .body(self -> seen.add("release@" + self.releaseNs()))
              .start()) {
        clock.runUntil(5_000, 1);
        assertThat(seen).isEmpty();
        assertThat(thread.release()).isEqualTo(Arrival.ACCEPTED);
        clock.awaitSleepers(1);
        clock.runUntil(6_000, 1);
        thread.release();
        clock.awaitSleepers(1);
        assertThat(seen).containsExactly("release@5000", "release@6000");
      }
    }

    @Test
    void shouldThrowWhenArrivalIsRefused() throws InterruptedException {
      try (RealtimeThread thread =
          builder("server")
              .release(Sporadic.ofNs(100).withQueue(1, QueuePolicy.EXCEPT))
              .body(self -> {})
              .start()) {
        clock.awaitSleepers(1);
        assertThat(thread.release()).isEqualTo(Arrival.ACCEPTED);
        clock.awaitSleepers(1);
        assertThat(thread.release()).isEqualTo(Arrival.SAVED);
        assertThatThrownBy(thread::release)
            .isInstanceOf(ArrivalException.class)
            .hasMessageContaining("server: arrival REFUSED_FULL")
            .hasMessageContaining("queueCapacity=1");
        assertThat(thread.counts().refused()).isEqualTo(1);
      }
    }
  }

  @Nested
  class Judgement {
    @Test
    void shouldTellHandlersHowMuchTooLateAndTooLong() throws InterruptedException {
      long[] works = {10, 60, 110, 10};
      RealtimeThread thread =
          builder("control")
              .release(Periodic.ofNs(100).withDeadlineNs(70).withBudgetNs(50))
              .body(self -> work(works[(int) self.releaseNumber() - 1]))
              .start();
      clock.runUntil(1_390, 1);
      thread.close();
      // The third ends at 1310, before the deadline of the fourth, which begins late.
      assertThat(seen).containsExactly("overrun 2 by 10", "overrun 3 by 60", "miss 3 by 40");
      assertThat(thread.counts().overruns()).isEqualTo(2);
      assertThat(thread.counts().misses()).isEqualTo(1);
      assertThat(thread.counts().skipped()).isZero();
    }

    @Test
    void shouldCountFromTheFirstNanosecondOn() throws InterruptedException {
      long[] works = {50, 51, 70, 71, 401, 10, 171, 0};
      RealtimeThread thread =
          builder("exact")
              .release(Periodic.ofNs(100).withDeadlineNs(70).withBudgetNs(50))
              .body(
                  self -> {
                    seen.add(self.releaseNumber() + "@" + self.releaseNs());
                    work(works[(int) self.releaseNumber() - 1]);
                    if (self.releaseNumber() == works.length) {
                      self.stop();
                    }
                  })
              .start();
      clock.runToEnd(thread.thread());
      assertThat(seen)
          .containsExactly(
              "1@1000",
              "2@1100",
              "overrun 2 by 1",
              "3@1200",
              "overrun 3 by 20",
              "4@1300",
              "overrun 4 by 21",
              "miss 4 by 1",
              "5@1400",
              "overrun 5 by 351",
              "miss 5 by 331",
              "6@1800",
              "7@1900",
              "overrun 7 by 121",
              "miss 7 by 101",
              "8@2100");
      assertThat(thread.counts().skipped()).as("three and one").isEqualTo(4);
      assertThat(thread.counts().overruns()).isEqualTo(5);
      assertThat(thread.counts().misses()).isEqualTo(3);
    }

    @Test
    void shouldReturnFalseWhenLateByOneNanosecondAndNotWhenJustInTime()
        throws InterruptedException {
      long[] works = {100, 101, 0};
      List<Boolean> returns = new ArrayList<>();
      RealtimeThread thread =
          RealtimeThread.builder("rtsj")
              .clock(clock)
              .release(Periodic.ofNs(100).withLatePolicy(LatePolicy.CATCH_UP))
              .program(
                  self -> {
                    while (self.releaseNumber() < works.length) {
                      boolean released = self.waitForNextPeriod();
                      returns.add(released);
                      work(released ? works[(int) self.releaseNumber() - 1] : 0);
                    }
                  })
              .start();
      clock.runToEnd(thread.thread());
      assertThat(returns).containsExactly(true, true, false, true);
      assertThat(thread.counts().misses()).isOne();
    }

    @Test
    void shouldTellAnotherThreadThatAReleaseIsOverdue() throws InterruptedException {
      CountDownLatch end = new CountDownLatch(1);
      CountDownLatch begun = new CountDownLatch(1);
      RealtimeThread thread =
          builder("stuck")
              .release(Periodic.ofNs(100))
              .body(
                  self -> {
                    begun.countDown();
                    end.await();
                    self.stop();
                  })
              .start();
      begun.await();
      assertThat(thread.overdueNs()).isZero();
      clock.advance(130);
      assertThat(thread.overdueNs()).isEqualTo(30);
      end.countDown();
      thread.join();
      assertThat(thread.overdueNs()).isZero();
      assertThat(seen).containsExactly("miss 1 by 30");
    }

    @Test
    void shouldJudgeTheLastReleaseOfAProgramThatReturns() throws InterruptedException {
      RealtimeThread thread =
          builder("once")
              .release(Periodic.ofNs(100))
              .program(
                  self -> {
                    self.waitForNextPeriod();
                    work(150);
                  })
              .start();
      clock.runToEnd(thread.thread());
      assertThat(seen).containsExactly("miss 1 by 50");
    }

    @Test
    void shouldReturnFalseOnceAfterAMissWhenCatchingUpWithoutHandler() throws InterruptedException {
      List<String> returns = new ArrayList<>();
      RealtimeThread thread =
          RealtimeThread.builder("rtsj")
              .clock(clock)
              .release(Periodic.ofNs(100).withLatePolicy(LatePolicy.CATCH_UP))
              .program(
                  self -> {
                    while (self.releaseNumber() < 4) {
                      boolean released = self.waitForNextPeriod();
                      returns.add(released + "@" + clock.nanoTime());
                      work(released && self.releaseNumber() == 1 ? 250 : 0);
                    }
                  })
              .start();
      clock.runToEnd(thread.thread());
      // The first ends at 1250: the second has missed its deadline then, the third has not.
      assertThat(returns)
          .containsExactly(
              "true@1000", "false@1250", "true@1250", "false@1250", "true@1250", "true@1300");
      assertThat(thread.counts().misses()).isEqualTo(2);
    }

    @Test
    void shouldNotReturnFalseWhenHandlerIsToldOfTheMiss() throws InterruptedException {
      RealtimeThread thread =
          builder("handled")
              .release(Periodic.ofNs(100).withLatePolicy(LatePolicy.CATCH_UP))
              .program(
                  self -> {
                    while (self.releaseNumber() < 3 && self.waitForNextPeriod()) {
                      work(self.releaseNumber() == 1 ? 150 : 0);
                    }
                  })
              .start();
      clock.runToEnd(thread.thread());
      assertThat(seen).containsExactly("miss 1 by 50");
      assertThat(thread.counts().releases()).isEqualTo(3);
    }
  }

  @Nested
  class Failures {
    @Test
    void shouldGoOnWithNextReleaseWhenBodyThrows() throws InterruptedException {
      RealtimeThread thread =
          builder("failing")
              .release(Periodic.ofNs(100))
              .body(
                  self -> {
                    if (self.releaseNumber() == 3) {
                      self.stop();
                    }
                    throw new IllegalStateException("wrong");
                  })
              .start();
      clock.runToEnd(thread.thread());
      assertThat(seen).containsExactly("failure 1: wrong", "failure 2: wrong", "failure 3: wrong");
      assertThat(thread.counts().failures()).isEqualTo(3);
    }

    @Test
    void shouldEndWhenBodyThrowsAnError() throws InterruptedException {
      RealtimeThread thread =
          builder("failing")
              .release(Periodic.ofNs(100))
              .body(
                  self -> {
                    throw new AssertionError("broken");
                  })
              .start();
      thread.join();
      assertThat(seen).containsExactly("failure 1: broken");
    }

    @Test
    void shouldSurviveHandlersThatThrow() throws InterruptedException {
      RealtimeThread thread =
          RealtimeThread.builder("failing")
              .clock(clock)
              .release(Periodic.ofNs(100))
              .onMiss(
                  (self, release, lateNs) -> {
                    throw new IllegalStateException("handler");
                  })
              .onFailure(
                  (self, release, e) -> {
                    throw new IllegalStateException("reporter");
                  })
              .body(
                  self -> {
                    work(150);
                    if (self.releaseNumber() == 2) {
                      self.stop();
                    }
                  })
              .start();
      clock.runToEnd(thread.thread());
      assertThat(thread.counts().releases()).isEqualTo(2);
      assertThat(thread.counts().failures()).isEqualTo(2);
    }
  }

  @Nested
  class Ending {
    @Test
    void shouldEndAtOnceWhenStoppedAsleepOrSpinning() throws InterruptedException {
      for (LeadBounds lead :
          List.of(LeadBounds.NO_SPIN, new LeadBounds(1_000_000, 1_000_000, 0.5))) {
        RealtimeThread thread =
            builder("waiting")
                .lead(lead)
                .release(Periodic.ofNs(1_000_000).withPhaseNs(900_000))
                .body(self -> seen.add("released"))
                .start();
        clock.awaitSleepers(1);
        thread.stop();
        thread.join();
        assertThat(thread.isAlive()).isFalse();
      }
      assertThat(seen).isEmpty();
    }

    @Test
    void shouldEndAtOnceWhenStoppedWhileNoArrivalComes() throws InterruptedException {
      RealtimeThread thread =
          builder("server").release(Aperiodic.ofCapacity(1)).body(self -> {}).start();
      clock.awaitSleepers(1);
      thread.stop();
      thread.join();
      assertThat(thread.counts().releases()).isZero();
    }

    @Test
    void shouldReturnFalseFromWaitAndKeepStatusWhenInterrupted() throws InterruptedException {
      RealtimeThread thread =
          builder("interrupted")
              .release(Periodic.ofNs(1_000).withPhaseNs(500))
              .program(
                  self -> {
                    boolean released = self.waitForNextPeriod();
                    seen.add(released + " " + Thread.interrupted());
                    while (self.waitForNextPeriod()) {
                      seen.add("released@" + clock.nanoTime());
                    }
                  })
              .start();
      clock.awaitSleepers(1);
      thread.interrupt();
      clock.awaitSleepers(1);
      clock.runUntil(2_000, 1);
      thread.close();
      assertThat(seen).containsExactly("false true", "released@1500");
    }

    @Test
    void shouldEndThreadWithBodyWhenInterrupted() throws InterruptedException {
      RealtimeThread thread =
          builder("interrupted").release(Periodic.ofNs(100)).body(self -> {}).start();
      clock.awaitSleepers(1);
      thread.thread().interrupt();
      thread.join();
      assertThat(seen).isEmpty();
    }
  }
}
