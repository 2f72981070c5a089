package dev.takt.rtsj.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.Policy;
import dev.takt.rtsj.monitor.MonitorFixture.Actor;
import dev.takt.rtsj.monitor.MonitorFixture.FakePriorities;
import dev.takt.rtsj.monitor.MonitorFixture.ManualClock;
import dev.takt.rtsj.monitor.MonitorFixture.OtherClock;
import dev.takt.rtsj.monitor.MonitorFixture.ScriptedWord;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/** Time, inversions, and what the kernel may answer, each made up. */
class InheritanceMonitorTest {
  private final FakePriorities priorities = new FakePriorities();

  @Nested
  class Timeouts {
    private final ManualClock clock = new ManualClock();
    private final InheritanceMonitor monitor =
        MonitorFixture.queued("timed", clock, new FakePriorities());

    @ParameterizedTest
    @ValueSource(longs = {1, 5_000, InheritanceMonitor.LOOK_NS, 3 * InheritanceMonitor.LOOK_NS + 7})
    void shouldGiveUpWhenTimeHasComeAndNotBefore(long timeoutNs) {
      try (Actor owner = new Actor("owner")) {
        owner.does(monitor::enter);
        long startNs = clock.nanoTime();
        assertThat(monitor.tryEnter(timeoutNs)).isFalse();
        assertThat(clock.nanoTime() - startNs).isEqualTo(timeoutNs);
        assertThat(monitor.stats().waits()).isEqualTo(1);
        assertThat(monitor.stats().timeouts()).isEqualTo(1);
        assertThat(monitor.stats().longestWaitNs()).isEqualTo(timeoutNs);
        owner.does(monitor::exit);
      }
      assertThat(monitor.tryEnter()).isTrue();
      monitor.exit();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void shouldNotWaitForTimeThatHasPassed(long timeoutNs) {
      try (Actor owner = new Actor("owner")) {
        owner.does(monitor::enter);
        long startNs = clock.nanoTime();
        assertThat(monitor.tryEnter(timeoutNs)).isFalse();
        assertThat(clock.nanoTime()).isEqualTo(startNs);
        assertThat(monitor.stats().waits()).isZero();
        owner.does(monitor::exit);
      }
    }

    @Test
    void shouldTellSinceWhenIfAsked() {
      InheritanceMonitor recorded =
          MonitorFixture.queued(
              MonitorSettings.named("recorded").withClock(clock).withRecordsSince(true),
              priorities);
      clock.parkNanos(234);
      recorded.enter();
      clock.parkNanos(1_000);
      recorded.enter();
      assertThat(recorded.owner().sinceNs()).isEqualTo(1_234);
      recorded.exit();
      recorded.exit();
    }
  }

  @Nested
  class Inversions {
    private final List<String> told = new ArrayList<>();
    private final ManualClock clock = new ManualClock();
    private final InheritanceMonitor monitor =
        MonitorFixture.queued(
            MonitorSettings.named("shared")
                .withClock(clock)
                .withListener(
                    (where, waiter, waiterPriority, owner, ownerPriority, waitNs) ->
                        told.add(
                            waiter.getName()
                                + " "
                                + waiterPriority
                                + " waited "
                                + waitNs
                                + " for "
                                + owner.getName()
                                + " "
                                + ownerPriority
                                + " in "
                                + where.name())),
            priorities);

    private void timeOutBehind(Actor owner, long timeoutNs) {
      owner.does(monitor::enter);
      monitor.tryEnter(timeoutNs);
      owner.does(monitor::exit);
    }

    @Test
    void shouldBeCountedAndTold() {
      Thread.currentThread().setName("main");
      try (Actor low = new Actor("low")) {
        priorities.put(Thread.currentThread(), Policy.FIFO, 30);
        priorities.put(low.self.thread, Policy.FIFO, 10);
        timeOutBehind(low, 700);
        timeOutBehind(low, 300);
        assertThat(told)
            .containsExactly(
                "main 30 waited 700 for low 10 in shared",
                "main 30 waited 300 for low 10 in shared");
        assertThat(monitor.stats().inversions()).isEqualTo(2);
        assertThat(monitor.stats().longestInversionNs()).isEqualTo(700);
      }
    }

    @Test
    void shouldRankDeadlineFirstAndOrdinaryThreadsLast() {
      try (Actor other = new Actor("other")) {
        priorities.put(Thread.currentThread(), Policy.DEADLINE, 0);
        priorities.put(other.self.thread, Policy.FIFO, 99);
        timeOutBehind(other, 10);
        priorities.put(Thread.currentThread(), Policy.FIFO, 1);
        priorities.put(other.self.thread, Policy.OTHER, 0);
        timeOutBehind(other, 10);
        assertThat(monitor.stats().inversions()).isEqualTo(2);
      }
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 31})
    void shouldNotBeCountedForOwnerOfSameOrHigherPriority(int ownerPriority) {
      try (Actor owner = new Actor("owner")) {
        priorities.put(Thread.currentThread(), Policy.FIFO, 30);
        priorities.put(owner.self.thread, Policy.FIFO, ownerPriority);
        timeOutBehind(owner, 700);
        assertThat(told).isEmpty();
        assertThat(monitor.stats().inversions()).isZero();
        assertThat(monitor.stats().longestInversionNs()).isZero();
        assertThat(monitor.stats().longestWaitNs()).isEqualTo(700);
      }
    }

    @Test
    void shouldJudgeOwnerUnderCeilingByItsOwnPriority() {
      CeilingMonitor ceiling = MonitorFixture.ceiling("ceiling", 50, priorities);
      try (Actor low = new Actor("low")) {
        priorities.put(Thread.currentThread(), Policy.FIFO, 30);
        priorities.put(low.self.thread, Policy.FIFO, 10);
        low.does(ceiling::enter);
        timeOutBehind(low, 700);
        low.does(ceiling::exit);
        assertThat(monitor.stats().inversions()).isEqualTo(1);
      }
    }

    @Test
    void shouldAllocateNothing() {
      long[] longest = new long[1];
      InheritanceMonitor quiet =
          MonitorFixture.queued(
              MonitorSettings.named("quiet")
                  .withClock(clock)
                  .withListener(
                      (_, _, _, _, _, waitNs) -> longest[0] = Math.max(longest[0], waitNs)),
              priorities);
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      try (Actor low = new Actor("low")) {
        priorities.put(Thread.currentThread(), Policy.FIFO, 30);
        low.does(quiet::enter);
        long allocated = Long.MAX_VALUE;
        for (int round = 0; round < 1_000 && allocated != 0; round++) {
          long before = threads.getCurrentThreadAllocatedBytes();
          for (int i = 0; i < 100; i++) {
            quiet.tryEnter(5);
          }
          allocated = threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(allocated).isZero();
        assertThat(longest[0]).isEqualTo(5);
        assertThat(quiet.stats().longestInversionNs()).isEqualTo(5);
        low.does(quiet::exit);
      }
    }

    @Test
    void shouldDropWhatListenerThrows() {
      InheritanceMonitor failing =
          MonitorFixture.queued(
              MonitorSettings.named("failing")
                  .withClock(new OtherClock())
                  .withListener(
                      (_, _, _, _, _, _) -> {
                        throw new IllegalStateException("a listener's");
                      }),
              priorities);
      try (Actor high = new Actor("high")) {
        priorities.put(high.self.thread, Policy.FIFO, 30);
        for (int round = 1; round <= 2; round++) {
          failing.enter();
          Future<?> waiting = high.blocksIn(failing::enter);
          failing.exit();
          Actor.get(waiting);
          high.does(failing::exit);
          assertThat(failing.stats().listenerFailures()).isEqualTo(round);
          assertThat(failing.stats().inversions()).isEqualTo(round);
        }
      }
    }

    @Test
    void shouldBeToldByWaiterWhenItHasLeft() {
      List<String> held = new ArrayList<>();
      InheritanceMonitor waited =
          MonitorFixture.queued(
              MonitorSettings.named("waited")
                  .withClock(new OtherClock())
                  .withListener(
                      (where, _, _, _, _, _) -> held.add(Boolean.toString(where.isHeld()))),
              priorities);
      try (Actor high = new Actor("high")) {
        priorities.put(high.self.thread, Policy.FIFO, 30);
        waited.enter();
        Future<?> waiting =
            high.blocksIn(
                () -> {
                  waited.enter();
                  waited.enter();
                });
        waited.exit();
        Actor.get(waiting);
        high.does(waited::exit);
        assertThat(waited.stats().waits()).isZero();
        high.does(waited::exit);
        assertThat(waited.stats().waits()).isEqualTo(1);
        assertThat(held).containsExactly("false");
        high.does(waited::enter);
        high.does(waited::exit);
        assertThat(waited.stats().waits()).as("each wait once").isEqualTo(1);
      }
    }

    @Test
    void shouldBeCountedBehindOwnerThatHasEndedSinceWithoutAskingForIt() {
      InheritanceMonitor waited = MonitorFixture.queued("waited", new OtherClock(), priorities);
      try (Actor high = new Actor("high")) {
        priorities.put(high.self.thread, Policy.FIFO, 30);
        Future<?> waiting;
        try (Actor low = new Actor("low")) {
          priorities.put(low.self.thread, Policy.FIFO, 10);
          low.does(waited::enter);
          waiting = high.blocksIn(waited::enter);
          low.does(waited::exit);
          Actor.get(waiting);
          // As the system does: somebody else may have got the number.
          priorities.put(low.self.thread, Policy.FIFO, 90);
        }
        int readBefore = priorities.readCount;
        high.does(waited::exit);
        assertThat(waited.stats().inversions()).isEqualTo(1);
        assertThat(priorities.readCount - readBefore).as("reads, of high").isEqualTo(1);
      }
    }

    @Test
    void shouldBeToldUnderNoCeiling() {
      List<String> heard = new ArrayList<>();
      MonitorSettings settings =
          MonitorSettings.named("raising")
              .withClock(new OtherClock())
              .withListener(
                  (where, waiter, _, _, _, _) ->
                      heard.add(
                          where.guarantee().kind() + " at " + priorities.level(waiter).priority()));
      CeilingMonitor raising =
          new CeilingMonitor(
              MonitorFixture.queued(settings, priorities),
              50,
              new Guarantee(Guarantee.Kind.CEILING, "a test"));
      MonitorCondition condition = raising.newCondition("ready");
      try (Actor low = new Actor("low");
          Actor high = new Actor("high")) {
        priorities.put(low.self.thread, Policy.FIFO, 10);
        priorities.put(high.self.thread, Policy.FIFO, 30);
        int leaves = 0;
        for (Runnable leave : List.<Runnable>of(raising::exit, () -> condition.await(0))) {
          low.does(raising::enter);
          Future<?> waiting = high.blocksIn(raising::enter);
          low.does(raising::exit);
          Actor.get(waiting);
          high.does(leave::run);
          assertThat(raising.stats().waits()).as("told at once").isEqualTo(heard.size());
          assertThat(heard).hasSize(leaves++ + 1);
        }
        high.does(raising::exit);
        low.does(raising::enter);
        high.does(() -> assertThat(raising.tryEnter(1)).isFalse());
        low.does(raising::exit);
        assertThat(heard).containsExactly("CEILING at 30", "CEILING at 30", "CEILING at 30");
        assertThat(raising.stats().inversions()).isEqualTo(3);
      }
    }

    @Test
    void shouldRefuseListenerThatWaits() {
      InheritanceMonitor other = MonitorFixture.queued("other", new OtherClock(), priorities);
      MonitorCondition never = other.newCondition("never");
      List<String> thrown = new ArrayList<>();
      InheritanceMonitor waited =
          MonitorFixture.queued(
              MonitorSettings.named("waited")
                  .withClock(new OtherClock())
                  .withListener(
                      (_, _, _, _, _, _) -> {
                        try (var _ = other.hold()) {
                          never.await();
                        } catch (IllegalStateException e) {
                          thrown.add(e.getMessage());
                        }
                      }),
              priorities);
      MonitorCondition ready = waited.newCondition("ready");
      try (Actor high = new Actor("high")) {
        priorities.put(high.self.thread, Policy.FIFO, 30);
        waited.enter();
        Future<?> waiting = high.blocksIn(waited::enter);
        waited.exit();
        Actor.get(waiting);
        high.does(() -> assertThat(ready.await(1)).isFalse());
        high.does(waited::exit);
        assertThat(thrown).singleElement().asString().contains("in an inversion listener");
        assertThat(other.owner()).isNull();
        high.does(other::enter);
        high.does(() -> assertThat(never.await(1)).isFalse());
        high.does(other::exit);
      }
    }

    @Test
    void shouldLetInHighestPriorityFirst() {
      InheritanceMonitor queued = MonitorFixture.queued("queued", new OtherClock(), priorities);
      List<String> order = new ArrayList<>();
      List<Actor> actors = new ArrayList<>();
      List<Future<?>> works = new ArrayList<>();
      queued.enter();
      for (int priority : new int[] {10, 30, 20, 30}) {
        Actor actor = new Actor(priority + " came as " + actors.size());
        actors.add(actor);
        priorities.put(actor.self.thread, Policy.FIFO, priority);
        works.add(
            actor.blocksIn(
                () -> {
                  queued.enter();
                  order.add(Thread.currentThread().getName());
                  queued.exit();
                }));
        MonitorFixture.until(
            () -> actor.self.thread.getState() == Thread.State.TIMED_WAITING); // in the queue
      }
      queued.exit();
      works.forEach(Actor::get);
      actors.forEach(Actor::close);
      assertThat(order)
          .containsExactly("30 came as 1", "30 came as 3", "20 came as 2", "10 came as 0");
    }
  }

  @Nested
  class Answers {
    private final ScriptedWord word = new ScriptedWord();
    private final ManualClock clock = new ManualClock();
    private final InheritanceMonitor monitor =
        new InheritanceMonitor(
            MonitorSettings.named("scripted").withClock(clock),
            word,
            priorities,
            MonitorFixture.NONE);

    @Test
    void shouldCallAgainWhenKernelAsks() {
      word.locks.addAll(List.of(Errno.EAGAIN, Errno.EINTR, Errno.ETIMEDOUT, Errno.NONE));
      word.unlocks.addAll(List.of(Errno.EAGAIN, Errno.EINTR));
      monitor.enter();
      assertThat(monitor.isHeld()).isTrue();
      monitor.exit();
      assertThat(monitor.isHeld()).isFalse();
      assertThat(word.locks).isEmpty();
      assertThat(word.unlocked).isEqualTo(3);
    }

    @Test
    void shouldCountHowLongItHasWaitedAlsoWhenItWaitsForAConditionThen() {
      MonitorCondition condition = monitor.newCondition("ready");
      word.locks.addAll(List.of(Errno.NONE, Errno.NONE));
      word.onLock = () -> clock.parkNanos(700);
      monitor.enter();
      word.onLock = () -> assertThat(monitor.stats().waits()).as("told outside").isOne();
      condition.await(0);
      assertThat(monitor.stats().longestWaitNs()).isEqualTo(700);
      monitor.exit();
      assertThat(monitor.stats().waits()).isEqualTo(2);
    }

    @Test
    void shouldWaitNoLongerThanTheLongestTime() {
      word.locks.add(Errno.ETIMEDOUT);
      word.onLock = () -> clock.parkNanos(Long.MAX_VALUE / 2);
      assertThat(monitor.tryEnter(Long.MAX_VALUE - 1)).isFalse();
    }

    @Test
    void shouldGiveBackWhatItGotOfADeadThread() {
      word.locks.add(Errno.NONE);
      word.word = LockWord.OWNER_DIED | 8;
      assertThatThrownBy(monitor::enter).isInstanceOf(OwnerDiedException.class);
      word.word = 0;
      assertThatThrownBy(monitor::enter).isInstanceOf(OwnerDiedException.class);
      assertThat(word.word).isZero();
    }

    @Test
    void shouldReadThePriorityOfAnOwnerBeforeItWaitsUnlessItWasEverRead() {
      int[] reads = {0};
      word.onLock =
          () -> {
            reads[0] = priorities.readCount - reads[0];
            clock.parkNanos(1);
          };
      word.word = 0;
      try (Actor owner = new Actor("owner")) {
        owner.does(monitor::enter);
        for (int expected : new int[] {2, 0}) { // priority and policy
          priorities.put(Thread.currentThread(), Policy.FIFO, 30); // so that all are read again
          word.locks.add(Errno.ETIMEDOUT);
          reads[0] = priorities.readCount;
          assertThat(monitor.tryEnter(1)).isFalse();
          assertThat(reads[0]).isEqualTo(expected);
        }
        owner.does(monitor::exit);
      }
    }

    @Test
    void shouldWaitWithoutDeadlineIfWaitersAreTold() {
      word.tellsWaiters = true;
      word.locks.addAll(List.of(Errno.EINTR, Errno.NONE, Errno.NONE));
      monitor.enter();
      monitor.newCondition("ready").await(0); // and enters again
      monitor.exit();
      assertThat(word.deadlinesNs).containsOnly(LockWord.NEVER_NS).hasSize(3);
    }

    @Test
    void shouldLookAgainIfWaitersAreNotTold() {
      word.locks.addAll(List.of(Errno.ETIMEDOUT, Errno.NONE));
      monitor.enter();
      monitor.exit();
      long lookNs = clock.nanoTime() + InheritanceMonitor.LOOK_NS;
      assertThat(word.deadlinesNs).containsExactly(lookNs, lookNs);
    }

    @Test
    void shouldWaitUntilDeadlineAlsoIfWaitersAreTold() {
      word.tellsWaiters = true;
      word.locks.add(Errno.NONE);
      assertThat(monitor.tryEnter(5_000)).isTrue();
      monitor.exit();
      assertThat(word.deadlinesNs).containsExactly(clock.nanoTime() + 5_000);
    }

    @Test
    void shouldReportCircleThatKernelSees() {
      word.locks.add(Errno.EDEADLK);
      assertThatThrownBy(monitor::enter)
          .isInstanceOf(DeadlockException.class)
          .hasMessageContaining("monitor scripted");
      assertThat(MonitorThread.current().waitsFor).isNull();
    }

    @Test
    void shouldCloseWhenKernelFindsNoOwner() {
      word.locks.add(Errno.ESRCH);
      assertThatThrownBy(monitor::enter)
          .isInstanceOf(OwnerDiedException.class)
          .hasMessageContaining("monitor scripted");
      assertThat(word.unlocked).isZero();
      assertThatThrownBy(monitor::enter).isInstanceOf(OwnerDiedException.class);
      assertThatThrownBy(monitor::tryEnter).isInstanceOf(OwnerDiedException.class);
    }

    @Test
    void shouldGiveBackAndCloseWhenKernelMakesItHeirOfDead() {
      word.locks.add(Errno.NONE);
      word.word = LockWord.OWNER_DIED | 8;
      assertThatThrownBy(monitor::enter).isInstanceOf(OwnerDiedException.class);
      assertThat(word.unlocked).isEqualTo(1);
      assertThat(monitor.owner()).isNull();
      assertThatThrownBy(monitor::tryEnter).isInstanceOf(OwnerDiedException.class);
    }

    @ParameterizedTest
    @EnumSource(
        names = {"NONE", "EAGAIN", "EINTR", "ETIMEDOUT", "EDEADLK", "ESRCH"},
        mode = Mode.EXCLUDE)
    void shouldNameAnswerThatMakesNoSense(Errno answer) {
      word.locks.add(answer);
      assertThatThrownBy(monitor::enter)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("monitor scripted")
          .hasMessageContaining(answer.name());
      assertThat(MonitorThread.current().waitsFor).isNull();
    }
  }

  @Test
  void shouldSayWhyItInheritsNothing() {
    Guarantee portable =
        InheritanceMonitor.on(OperatingSystems.portable(), MonitorSettings.named("portable"))
            .guarantee();
    assertThat(portable.kind()).isEqualTo(Guarantee.Kind.NONE);
    assertThat(portable.reason()).contains(OperatingSystems.portable().whyNotNative());
    assertThat(
            Monitor.inheritance(MonitorSettings.named("own clock").withClock(new OtherClock()))
                .guarantee()
                .kind())
        .isEqualTo(Guarantee.Kind.NONE);
  }

  @Test
  void shouldSaySameAsSystem() {
    boolean isNative = OperatingSystems.current().isNative();
    assertThat(Monitor.inheritance("here").guarantee().kind())
        .isEqualTo(isNative ? Guarantee.Kind.INHERITANCE : Guarantee.Kind.NONE);
  }
}
