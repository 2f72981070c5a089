package dev.takt.rtsj.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.Capability;
import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.Resource;
import dev.takt.realtime.os.ResourceLimit;
import dev.takt.rtsj.monitor.MonitorFixture.Actor;
import dev.takt.rtsj.monitor.MonitorFixture.FakePriorities;
import dev.takt.rtsj.monitor.MonitorFixture.FakePriorities.Level;
import dev.takt.rtsj.monitor.MonitorFixture.ManualClock;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ceilings, with priorities that are only written down. */
class CeilingMonitorTest {
  private final FakePriorities priorities = new FakePriorities();
  private final Thread me = Thread.currentThread();

  private CeilingMonitor monitor(int ceiling) {
    return MonitorFixture.ceiling("ceiling " + ceiling, ceiling, priorities);
  }

  @ParameterizedTest
  @CsvSource({"OTHER, 0", "RR, 20", "FIFO, 39"})
  void shouldRaiseWhileInsideAndPutBack(Policy policy, int priority) {
    priorities.put(me, policy, priority);
    CeilingMonitor monitor = monitor(40);
    monitor.enter();
    assertThat(priorities.level(me)).isEqualTo(new Level(Policy.FIFO, 40));
    monitor.enter();
    monitor.exit();
    assertThat(priorities.level(me)).isEqualTo(new Level(Policy.FIFO, 40));
    monitor.exit();
    assertThat(priorities.level(me)).isEqualTo(new Level(policy, priority));
    assertThat(monitor.guarantee().kind()).isEqualTo(Guarantee.Kind.CEILING);
  }

  @Test
  void shouldBeRaisedBeforeItIsInsideAndLoweredAfterwards() {
    CeilingMonitor monitor = monitor(40);
    List<String> steps = new ArrayList<>();
    priorities.onSet =
        priority -> steps.add(priority + (monitor.owner() == null ? " outside" : " inside"));
    monitor.enter();
    monitor.exit();
    MonitorCondition condition = monitor.newCondition("never");
    monitor.enter();
    condition.await(1);
    monitor.exit();
    assertThat(steps)
        .containsExactly(
            "40 outside", "0 outside", "40 outside", "0 outside", "40 outside", "0 outside");
  }

  @Test
  void shouldLeaveThreadOfCeilingsPriorityAsItIs() {
    priorities.put(me, Policy.RR, 40);
    CeilingMonitor monitor = monitor(40);
    monitor.enter();
    assertThat(priorities.level(me)).isEqualTo(new Level(Policy.RR, 40));
    monitor.exit();
    assertThat(priorities.level(me)).isEqualTo(new Level(Policy.RR, 40));
  }

  @ParameterizedTest
  @CsvSource({"FIFO, 41, 41", "RR, 99, 99", "DEADLINE, 0, 100"})
  void shouldRefuseThreadAboveCeiling(Policy policy, int priority, int named) {
    priorities.put(me, policy, priority);
    CeilingMonitor monitor = monitor(40);
    assertThatThrownBy(monitor::enter)
        .isInstanceOf(CeilingViolationException.class)
        .hasMessageContaining(me.getName())
        .hasMessageContaining("priority " + named)
        .hasMessageContaining("ceiling 40 of monitor ceiling 40");
    assertThatThrownBy(monitor::tryEnter).isInstanceOf(CeilingViolationException.class);
    assertThatThrownBy(() -> monitor.tryEnter(1)).isInstanceOf(CeilingViolationException.class);
    assertThat(monitor.owner()).isNull();
    assertThat(priorities.level(me)).isEqualTo(new Level(policy, priority));
    assertThat(MonitorThread.current().ceilings.isEmpty()).isTrue();
  }

  @Test
  void shouldJudgeThreadByItsOwnPriorityNotByOuterCeiling() {
    CeilingMonitor outer = monitor(60);
    CeilingMonitor inner = monitor(30);
    outer.enter();
    inner.enter();
    assertThat(priorities.level(me)).isEqualTo(new Level(Policy.FIFO, 60));
    inner.exit();
    outer.exit();
    assertThat(priorities.level(me)).isEqualTo(new Level(Policy.OTHER, 0));
  }

  /** All orders of ten enters and exits of three monitors, two of which have the same ceiling. */
  @ParameterizedTest
  @CsvSource({"OTHER, 0", "FIFO, 20", "RR, 40"})
  void shouldHaveHighestOfCeilingsAndItsOwnInAnyOrderOfExits(Policy policy, int priority) {
    priorities.put(me, policy, priority);
    CeilingMonitor[] monitors = {monitor(40), monitor(40), monitor(60)};
    int checked = walk(monitors, new int[3], 10, new Level(policy, priority));
    assertThat(checked).isGreaterThan(50_000);
  }

  private int walk(CeilingMonitor[] monitors, int[] held, int steps, Level own) {
    int highest = Math.max(held[0] + held[1] > 0 ? 40 : 0, held[2] > 0 ? 60 : 0);
    Level expected = highest > own.priority() ? new Level(Policy.FIFO, highest) : own;
    if (!priorities.level(me).equals(expected)) {
      assertThat(priorities.level(me))
          .as("%s %s %s", held[0], held[1], held[2])
          .isEqualTo(expected);
    }
    int checked = 1;
    for (int i = 0; i < 3 && steps > 0; i++) {
      if (held[i] < 2) {
        monitors[i].enter();
        held[i]++;
        checked += walk(monitors, held, steps - 1, own);
        held[i]--;
        monitors[i].exit();
      }
      if (held[i] > 0) {
        monitors[i].exit();
        held[i]--;
        checked += walk(monitors, held, steps - 1, own);
        held[i]++;
        monitors[i].enter();
      }
    }
    return checked;
  }

  @Test
  void shouldLowerThreadThatDidNotGetIn() {
    CeilingMonitor monitor = monitor(40);
    try (Actor owner = new Actor("owner")) {
      owner.does(monitor::enter);
      assertThat(monitor.tryEnter()).isFalse();
      assertThat(monitor.stats().waits()).isZero();
      assertThat(priorities.level(me)).isEqualTo(new Level(Policy.OTHER, 0));
      assertThat(monitor.tryEnter(1_000)).isFalse();
      assertThat(priorities.level(me)).isEqualTo(new Level(Policy.OTHER, 0));
      owner.does(monitor::exit);
    }
  }

  @Test
  void shouldBeRaisedWhileItWaits() {
    CeilingMonitor monitor = monitor(40);
    try (Actor other = new Actor("other")) {
      monitor.enter();
      Future<?> waiting = other.blocksIn(monitor::enter);
      assertThat(priorities.level(other.self.thread)).isEqualTo(new Level(Policy.FIFO, 40));
      monitor.exit();
      Actor.get(waiting);
      other.does(monitor::exit);
      assertThat(priorities.level(other.self.thread)).isEqualTo(new Level(Policy.OTHER, 0));
    }
  }

  @Test
  void shouldSayThatCeilingWasRefusedAndWorkAllTheSame() {
    CeilingMonitor monitor = monitor(40);
    priorities.answer = Errno.EPERM;
    monitor.enter();
    assertThat(monitor.isHeld()).isTrue();
    monitor.exit();
    assertThat(monitor.stats().priorityFailures()).isEqualTo(1);
    assertThat(monitor.guarantee().kind()).isEqualTo(Guarantee.Kind.NONE);
    assertThat(monitor.guarantee().reason()).contains("40").contains("EPERM");
    assertThat(priorities.level(me)).isEqualTo(new Level(Policy.OTHER, 0));
  }

  @Test
  void shouldKeepItsGuaranteeWhenAVirtualThreadCannotBeRaised() throws Exception {
    CeilingMonitor monitor = monitor(40);
    priorities.answer = Errno.ESRCH;
    Thread.startVirtualThread(
            () -> {
              monitor.enter();
              monitor.exit();
            })
        .join();
    assertThat(monitor.stats().priorityFailures()).isEqualTo(1);
    assertThat(monitor.guarantee().kind()).isEqualTo(Guarantee.Kind.CEILING);
  }

  @Test
  void shouldRefuseAVirtualThreadBeforeRaisingIt() throws Exception {
    OperatingSystem system = OperatingSystems.current();
    CeilingMonitor monitor = CeilingMonitor.on(system, MonitorSettings.named("system's"), 40);
    Guarantee before = monitor.guarantee();
    boolean[] refused = new boolean[1];
    Thread.startVirtualThread(
            () -> {
              try {
                monitor.tryEnter();
                monitor.exit();
              } catch (IllegalMonitorStateException e) {
                refused[0] = true;
              }
            })
        .join();
    assertThat(refused[0]).isEqualTo(system.newPiFutex().isPresent());
    assertThat(monitor.stats().priorityFailures()).isEqualTo(refused[0] ? 0 : 1);
    assertThat(monitor.guarantee()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource({"OTHER, 0, 2", "FIFO, 20, 2"})
  void shouldReadWhatTheThreadHasOnce(Policy policy, int priority, int reads) {
    priorities.put(me, policy, priority);
    CeilingMonitor outer = monitor(40);
    CeilingMonitor inner = monitor(60);
    outer.enter();
    inner.enter();
    inner.exit();
    outer.exit();
    assertThat(priorities.readCount).isEqualTo(reads);
  }

  @ParameterizedTest
  @CsvSource({"FIFO", "RR"})
  void shouldReadOnlyThePriorityOfAThreadThatNoCeilingRaises(Policy policy) {
    priorities.put(me, policy, 40);
    priorities.onSet =
        priority -> {
          throw new AssertionError("set to " + priority);
        };
    CeilingMonitor monitor = monitor(40);
    for (int i = 0; i < 3; i++) {
      monitor.enter();
      monitor.exit();
    }
    assertThat(priorities.readCount).isEqualTo(1);
  }

  @Test
  void shouldReadThePriorityAgainWhenOneWasSet() {
    CeilingMonitor monitor = monitor(40);
    for (int priority = 10; priority <= 30; priority += 10) {
      priorities.put(me, Policy.FIFO, priority);
      monitor.enter();
      assertThat(priorities.level(me)).isEqualTo(new Level(Policy.FIFO, 40));
      monitor.exit();
      assertThat(priorities.level(me)).isEqualTo(new Level(Policy.FIFO, priority));
    }
    priorities.put(me, Policy.FIFO, 50);
    assertThatThrownBy(monitor::enter).isInstanceOf(CeilingViolationException.class);
  }

  @Test
  void shouldPutBackPolicyAndPriorityThatGoTogetherThoughChangedMeanwhile() {
    priorities.put(me, Policy.FIFO, 30);
    CeilingMonitor outer = monitor(30);
    CeilingMonitor inner = monitor(40);
    outer.enter();
    priorities.put(me, Policy.OTHER, 0);
    inner.enter();
    inner.exit();
    outer.exit();
    assertThat(priorities.level(me)).isEqualTo(new Level(Policy.FIFO, 30));
  }

  @Test
  void shouldCountPriorityThatCouldNotBePutBackAndTryAgain() {
    CeilingMonitor monitor = monitor(40);
    monitor.enter();
    priorities.answer = Errno.EPERM;
    monitor.exit();
    assertThat(monitor.stats().priorityFailures()).isEqualTo(1);
    assertThat(priorities.level(me)).isEqualTo(new Level(Policy.FIFO, 40));
    priorities.answer = Errno.NONE;
    CeilingMonitor next = monitor(30);
    next.enter();
    next.exit();
    assertThat(priorities.level(me)).isEqualTo(new Level(Policy.OTHER, 0));
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldGrantTheLowerCeilingWhereTheHigherOneIsRefused() {
    priorities.limit = 50;
    CeilingMonitor refused = monitor(90);
    CeilingMonitor granted = monitor(40);
    refused.enter();
    assertThat(priorities.level(me)).isEqualTo(new Level(Policy.OTHER, 0));
    granted.enter();
    assertThat(priorities.level(me)).isEqualTo(new Level(Policy.FIFO, 40));
    assertThat(granted.guarantee().kind()).isEqualTo(Guarantee.Kind.CEILING);
    assertThat(refused.guarantee().reason()).contains("refused the ceiling 90");
    granted.exit();
    assertThat(priorities.level(me)).isEqualTo(new Level(Policy.OTHER, 0));
    refused.exit();
    assertThat(granted.stats().priorityFailures()).isZero();
    assertThat(refused.stats().priorityFailures()).isEqualTo(1);

    granted.enter();
    refused.enter();
    assertThat(priorities.level(me)).isEqualTo(new Level(Policy.FIFO, 40));
    granted.exit();
    refused.exit();
    assertThat(priorities.level(me)).isEqualTo(new Level(Policy.OTHER, 0));
  }

  /** Who wants to know reads just after the system has raised the thread, before that notes it. */
  @Test
  void shouldNotTakeACeilingForAThreadsOwnPriorityThatAnotherThreadHasRead() throws Exception {
    MonitorThread self = MonitorThread.current();
    CeilingMonitor monitor = monitor(90);
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch raised = new CountDownLatch(1);
    priorities.put(me, Policy.OTHER, 0);
    try (Actor reader = new Actor("reader")) {
      priorities.onRead =
          () -> {
            if (Thread.currentThread() != me) {
              reading.countDown();
              awaitUninterruptibly(raised);
            }
          };
      Future<?> read = reader.begins(() -> priorities.own(self));
      reading.await();
      priorities.onChanges =
          () -> {
            if (Thread.currentThread() == me && priorities.level(me).priority() == 90) {
              raised.countDown();
              Actor.get(read);
            }
          };
      monitor.enter();
      monitor.exit();
      priorities.onChanges = () -> {};
    }
    assertThat(priorities.own(self)).isZero();
    assertThat(priorities.level(me)).isEqualTo(new Level(Policy.OTHER, 0));
  }

  @Test
  void shouldLowerAThreadThatIsRefused() {
    CeilingMonitor monitor = monitor(40);
    try (Actor owner = new Actor("owner")) {
      owner.does(monitor::enter);
    }
    for (Runnable way : List.<Runnable>of(monitor::enter, () -> monitor.tryEnter(1))) {
      assertThatThrownBy(way::run).isInstanceOf(OwnerDiedException.class);
      assertThat(priorities.level(me)).isEqualTo(new Level(Policy.OTHER, 0));
      assertThat(MonitorThread.current().ceilings.isEmpty()).isTrue();
    }
  }

  @Test
  void shouldLowerAThreadThatIsRefusedAfterItHasWaitedForACondition() {
    InheritanceMonitor inner = MonitorFixture.queued("inner", new ManualClock(), priorities);
    CeilingMonitor monitor = new CeilingMonitor(inner, 40, MonitorFixture.NONE);
    MonitorCondition condition = monitor.newCondition("never");
    monitor.enter();
    priorities.onSet =
        priority -> {
          if (Thread.currentThread() == me && priority == 0) { // it has just let others in
            priorities.onSet = _ -> {};
            try (Actor owner = new Actor("owner")) {
              owner.does(monitor::enter);
            }
          }
        };
    assertThatThrownBy(() -> condition.await(1)).isInstanceOf(OwnerDiedException.class);
    assertThat(priorities.level(me)).isEqualTo(new Level(Policy.OTHER, 0));
    assertThat(MonitorThread.current().ceilings.isEmpty()).isTrue();
  }

  private static OperatingSystem system(boolean isNative, long rtPriority, Capability... granted) {
    return (OperatingSystem)
        Proxy.newProxyInstance(
            CeilingMonitorTest.class.getClassLoader(),
            new Class<?>[] {OperatingSystem.class},
            (_, method, arguments) ->
                switch (method.getName()) {
                  case "isNative" -> isNative;
                  case "whyNotNative" -> "a test";
                  case "newPiFutex" -> Optional.empty();
                  case "capabilities" -> Set.of(granted);
                  case "limit" -> {
                    assertThat(arguments).containsExactly(Resource.RTPRIO);
                    yield new ResourceLimit(rtPriority, 99);
                  }
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  @ParameterizedTest
  @CsvSource({
    "true, -1, CEILING, raises threads to 40; RLIMIT_RTPRIO=-1",
    "true, 40, CEILING, raises threads to 40; RLIMIT_RTPRIO=40",
    "true, 39, NONE, RLIMIT_RTPRIO=39 is below the ceiling 40",
    "true, 0, NONE, RLIMIT_RTPRIO=0 is below the ceiling 40",
    "false, 99, NONE, a test",
  })
  void shouldSayWhatTheSystemGrants(
      boolean isNative, long limit, Guarantee.Kind kind, String reason) {
    Guarantee guarantee =
        CeilingMonitor.on(system(isNative, limit), MonitorSettings.named("here"), 40).guarantee();
    assertThat(guarantee.kind()).isEqualTo(kind);
    assertThat(guarantee.reason()).contains(reason);
  }

  @Test
  void shouldSayThatItRaisesWhereThatIsPermitted() {
    OperatingSystem system = system(true, 0, Capability.SYS_NICE);
    assertThat(CeilingMonitor.on(system, MonitorSettings.named("here"), 40).guarantee())
        .isEqualTo(new Guarantee(Guarantee.Kind.CEILING, "raises threads to 40"));
  }

  @ParameterizedTest
  @CsvSource({"1", "99"})
  void shouldTakeTheLowestCeilingAndTheHighest(int ceiling) {
    CeilingMonitor monitor = monitor(ceiling);
    monitor.enter();
    assertThat(priorities.level(me)).isEqualTo(new Level(Policy.FIFO, ceiling));
    monitor.exit();
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "100"})
  void shouldRefuseCeilingOutOfRange(int ceiling) {
    assertThatThrownBy(() -> monitor(ceiling))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ceiling=" + ceiling)
        .hasMessageContaining("1 to 99");
  }
}
