package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.takt.cpu.ManagedTask.State;
import dev.takt.cpu.ManagerEvent.Kind;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.RunningRelease;
import dev.takt.realtime.Supervised;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How tasks are dropped side by side, and what happens when something of that fails. */
class ContainmentStepTest {
  private static final long MS = 1_000_000;

  private final List<ManagerEvent> events = new CopyOnWriteArrayList<>();
  private volatile long nowNs = 1;
  private boolean full;

  /** Time passes while somebody waits. */
  private final class WaitedClock implements NanoClock {
    @Override
    public long nanoTime() {
      return nowNs;
    }

    @Override
    public void parkNanos(long durationNs) {
      nowNs += durationNs;
    }
  }

  private final ManagerSettings settings =
      ManagerSettings.defaults()
          .withScheduler(CpuScheduler.none())
          .withCounters(false)
          .withClock(new WaitedClock())
          .withEvents(events::add);

  private final ProcessorsApart places = new ProcessorsApart(settings);
  private final ManagedTasks tasks = new ManagedTasks(settings, places, this::changed);
  private final Containment containment = new Containment(tasks, settings, places);

  private void changed() {
    if (full) {
      full = false;
      throw new OutOfMemoryError("made up by a test");
    }
  }

  /** What runs until its release is aborted, if that is possible. */
  private class Endless extends IdleSubject {
    private final boolean isStoppable;
    private volatile boolean runs = true;
    private volatile boolean quarantined;
    private long stoppedNs;

    Endless(boolean isStoppable) {
      this.isStoppable = isStoppable;
    }

    @Override
    public boolean abortRelease(Duration timeout) {
      if (isStoppable) {
        runs = false;
      } else {
        nowNs += timeout.toNanos();
      }
      return isStoppable;
    }

    @Override
    public void demote() {}

    @Override
    public void quarantine(boolean quarantined) {
      this.quarantined = quarantined;
    }

    @Override
    public boolean isQuarantined() {
      return quarantined;
    }

    @Override
    public void stop(String reason) {
      stoppedNs = nowNs;
    }

    @Override
    public RunningRelease running() {
      return runs ? new RunningRelease(1, 0, 0, Thread.currentThread()) : null;
    }
  }

  private ManagedTask task(String name, Supervised subject) {
    return task(name, subject, OverrunPolicy.DROP);
  }

  private ManagedTask task(String name, Supervised subject, OverrunPolicy policy) {
    Profile profile =
        Profile.of(name, 100 * MS)
            .withBudgetNs(10 * MS)
            .in(AuthenticationClass.DEFAULT.withOnOverrun(policy));
    ManagedTask task = tasks.locked(() -> tasks.decide(profile, null, ""));
    task.subject(subject);
    assertThat(task.state()).isEqualTo(State.ADMITTED);
    return task;
  }

  private ManagedTask runsAway(String name, Supervised subject) {
    ManagedTask task = task(name, subject);
    containment.exceeded(task, subject, "made up by a test");
    return task;
  }

  private void stepUntil(ManagedTask task, State state) {
    for (int i = 0; i < 10_000 && task.state() != state; i++) {
      assertThat(containment.step()).isTrue();
    }
    assertThat(task.state()).isEqualTo(state);
  }

  private boolean isCold() {
    return containment.cold().isCold(nowNs + ColdCode.WARM_NS);
  }

  @Test
  void shouldGiveUpAfterThreeSecondsWhatCannotBeStopped() {
    ManagedTask loop = runsAway("loop", new Endless(false));

    stepUntil(loop, State.UNSTOPPABLE);

    assertThat(nowNs / MS).isBetween(2_999L, 3_010L);
    assertThat(events)
        .last()
        .satisfies(each -> assertThat(each.kind()).isEqualTo(Kind.UNSTOPPABLE))
        .satisfies(each -> assertThat(each.detail()).contains("give it @Stoppable"));
    assertThat(isCold()).isFalse();
  }

  @Test
  void shouldDropATaskSoonBesideOneThatCannotBeStopped() {
    ManagedTask loop = runsAway("loop", new Endless(false));
    while (nowNs < 1_000 * MS) {
      containment.step();
    }
    assertThat(loop.state()).as("it runs on, without its share").isEqualTo(State.DEMOTED);
    assertThat(tasks.control().find("loop")).isEmpty();

    assertIsDroppedSoon("other");
    ManagedTask endless = runsAway("endless", new Endless(false));
    for (int i = 0; i < 3; i++) {
      assertIsDroppedSoon("next" + i);
    }
    stepUntil(endless, State.UNSTOPPABLE);
    assertThat(isCold()).isFalse();
  }

  @Test
  void shouldLeaveTasksTheirProcessorBetweenTheEndsOfSeveral() {
    List<Long> abortedNs = new CopyOnWriteArrayList<>();
    for (String name : List.of("first", "second", "third")) {
      runsAway(
          name,
          new Endless(true) {
            @Override
            public boolean abortRelease(Duration timeout) {
              abortedNs.add(nowNs);
              return super.abortRelease(timeout);
            }
          });
    }
    while (containment.step()) {}

    assertThat(abortedNs).hasSize(3);
    assertThat(abortedNs.get(1) - abortedNs.get(0)).isGreaterThanOrEqualTo(2 * MS);
    assertThat(abortedNs.get(2) - abortedNs.get(1)).isGreaterThanOrEqualTo(2 * MS);
  }

  private void assertIsDroppedSoon(String name) {
    long fromNs = nowNs;
    Endless subject = new Endless(true);
    stepUntil(runsAway(name, subject), State.DROPPED);
    assertThat(subject.stoppedNs - fromNs).isLessThan(50 * MS);
  }

  @Test
  void shouldEndItsWaitForOneThatCannotBeStoppedWhenAnotherIsFound() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    CountDownLatch forEver = new CountDownLatch(1);
    CountDownLatch stopped = new CountDownLatch(1);
    Supervised unstoppable =
        new Endless(false) {
          @Override
          public boolean abortRelease(Duration timeout) {
            waits.countDown();
            try {
              forEver.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            return false;
          }
        };
    Supervised stoppable =
        new Endless(true) {
          @Override
          public void stop(String reason) {
            stopped.countDown();
          }
        };
    containment.start();
    try {
      runsAway("loop", unstoppable);
      assertThat(waits.await(20, TimeUnit.SECONDS)).isTrue();
      runsAway("other", stoppable);

      assertThat(stopped.await(20, TimeUnit.SECONDS)).isTrue();
    } finally {
      containment.end();
      forEver.countDown();
      containment.join();
    }
  }

  @Test
  void shouldDropATaskThoughThereWasNoMemoryToTakeItsShareTheFirstTime() {
    Endless subject = new Endless(true);
    ManagedTask task = runsAway("monster", subject);
    full = true;

    stepUntil(task, State.DROPPED);
    while (containment.step()) {}

    assertThat(full).isFalse();
    assertThat(subject.quarantined).as("it is released no more").isTrue();
    assertThat(tasks.control().find("monster")).isEmpty();
    assertThat(events).extracting(ManagerEvent::kind).contains(Kind.DROPPED);
    assertThat(isCold()).isFalse();
  }

  @Test
  void shouldGoOnWithOthersWhenOneThrowsWhatCannotSayWhatItIs() {
    runsAway(
        "hostile",
        new Endless(false) {
          @Override
          public void quarantine(boolean quarantined) {
            throw new IllegalStateException() {
              private static final long serialVersionUID = 1;

              @Override
              public String toString() {
                throw new IllegalStateException("made up by a test");
              }
            };
          }
        });
    ManagedTask other = runsAway("other", new Endless(true));

    assertThatCode(() -> stepUntil(other, State.DROPPED)).doesNotThrowAnyException();
    while (containment.step()) {}

    assertThat(events)
        .filteredOn(each -> each.kind() == Kind.FAILED)
        .singleElement()
        .satisfies(each -> assertThat(each.detail()).contains("cannot be contained"));
    assertThat(isCold()).isFalse();
  }

  /** It was displaced, and there is room for it again, before what it did was seen to. */
  @ParameterizedTest
  @EnumSource(
      value = OverrunPolicy.class,
      names = {"DROP", "DEMOTE"})
  void shouldLeaveATaskAloneThatWasAdmittedAgainMeanwhile(OverrunPolicy policy) {
    Endless subject =
        new Endless(true) {
          @Override
          public boolean restore() {
            return true;
          }
        };
    ManagedTask low = task("low", subject, policy);
    containment.exceeded(low, subject, "made up by a test");
    Profile profile =
        Profile.of("high", 100 * MS)
            .withBudgetNs(65 * MS)
            .in(
                new AuthenticationClass(
                    "high", 9, 100 * MS, 100 * MS, 1, true, OverrunPolicy.COUNT, 0));
    ManagedTask high = tasks.locked(() -> tasks.decide(profile, null, ""));
    assertThat(low.state()).isEqualTo(State.DISPLACED);
    tasks.ended(high);
    assertThat(low.state()).isEqualTo(State.ADMITTED);

    while (containment.step()) {}

    assertThat(low.state()).isEqualTo(State.ADMITTED);
    assertThat(tasks.control().find("low")).isPresent();
    assertThat(subject.runs).as("its release goes on").isTrue();
    assertThat(subject.quarantined).isFalse();
    assertThat(subject.stoppedNs).isZero();
    assertThat(isCold()).isFalse();
    containment.exceeded(low, subject, "again");
    stepUntil(low, policy == OverrunPolicy.DROP ? State.DROPPED : State.DEMOTED);
  }
}
