package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.Collector;
import dev.takt.realtime.os.CpuPartition;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.MemoryLock;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.Shortfall;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.reflex.RuntimeScheduling.Service;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RuntimeSchedulingTest {
  private static final long PERIOD_NS = 1_000_000;

  /** Does nothing, in every period. */
  static final class Idle extends ReflexTask {
    @Override
    public void execute() {}
  }

  /** Takes what it gets. */
  static final class Taker extends ReflexTask {
    @Override
    public void initialize() {
      subscribe(new Event("tick", null));
    }

    @Override
    public void execute() {
      take(new Event("tick", null));
    }
  }

  @AfterEach
  void forgetListener() {
    RuntimeStarts.listen(null);
  }

  private static RuntimeSettings asking(RuntimeScheduling scheduling) {
    return Settings.FOR_TESTS.withScheduling(scheduling).withWorkers(2);
  }

  @Nested
  class Asking {
    @Test
    void shouldAskForThePriorityOfTheTask() {
      RuntimeScheduling scheduling = RuntimeScheduling.fifo(1, 90).without(Service.OTHERS_APART);
      assertThat(scheduling.forActive(Schedule.periodic(PERIOD_NS).priority(80)))
          .isEqualTo(ThreadScheduling.fifo(80).withTimerSlackNs(1));
      assertThat(scheduling.forWorker(11)).isEqualTo(ThreadScheduling.fifo(11).withTimerSlackNs(1));
    }

    @Test
    void shouldStayInTheRangeOfPriorities() {
      RuntimeScheduling scheduling = RuntimeScheduling.fifo(5, 60);
      assertThat(scheduling.forActive(Schedule.periodic(PERIOD_NS).priority(0)).priority())
          .isEqualTo(5);
      assertThat(scheduling.forActive(Schedule.periodic(PERIOD_NS).priority(99)).priority())
          .isEqualTo(60);
      assertThat(scheduling.forWorker(0).priority()).isEqualTo(5);
    }

    @Test
    void shouldNeverAskForRealtimePolicyForATaskThatSpins() {
      assertThat(RuntimeScheduling.REALTIME.forActive(Schedule.continuous().priority(80)).policy())
          .isEqualTo(Policy.OTHER);
    }

    @Test
    void shouldAskForProcessorsOfEachKindOfThread() {
      RuntimeScheduling scheduling =
          new RuntimeScheduling(Policy.RR, 1, 9, CpuSet.of(0), CpuSet.of(1), 0, Set.of());
      assertThat(scheduling.forActive(Schedule.periodic(PERIOD_NS).priority(7)))
          .isEqualTo(ThreadScheduling.rr(7).withCpus(CpuSet.of(0)));
      assertThat(scheduling.forWorker(7)).isEqualTo(ThreadScheduling.rr(7).withCpus(CpuSet.of(1)));
    }

    @Test
    void shouldKeepThreadsWithAndWithoutRealtimePolicyApart() {
      CpuSet realtime =
          CpuPartition.usual(OperatingSystems.current()).map(CpuPartition::realtime).orElse(null);
      RuntimeScheduling scheduling = RuntimeScheduling.fifo(1, 90);
      assertThat(scheduling.forActive(Schedule.periodic(PERIOD_NS)).cpus()).isEqualTo(realtime);
      assertThat(scheduling.forWorker(11).cpus()).isEqualTo(realtime);
      assertThat(scheduling.forActive(Schedule.continuous()).cpus()).isNull();
    }

    @Test
    void shouldAskForNothingByDefault() {
      assertThat(RuntimeScheduling.NONE.forActive(Schedule.periodic(PERIOD_NS)))
          .isEqualTo(ThreadScheduling.OTHER);
      assertThat(RuntimeScheduling.NONE.forWorker(50)).isEqualTo(ThreadScheduling.OTHER);
      assertThat(RuntimeSettings.DEFAULTS.scheduling()).isEqualTo(RuntimeScheduling.NONE);
    }

    @Test
    void shouldRefuseWhatCannotBe() {
      assertThatThrownBy(() -> RuntimeScheduling.fifo(20, 10))
          .hasMessage(
              "minPriority=20, maxPriority=10 (expected: 1 <= minPriority <= maxPriority <= 99 with"
                  + " policy FIFO)");
      assertThatThrownBy(() -> new RuntimeScheduling(Policy.OTHER, 1, 1, null, null, 0, Set.of()))
          .hasMessageContaining("0 and 0 with policy OTHER");
      assertThatThrownBy(
              () -> new RuntimeScheduling(Policy.DEADLINE, 0, 0, null, null, 0, Set.of()))
          .hasMessageContaining("1 <= minPriority <= maxPriority <= 99 with policy DEADLINE");
      assertThatThrownBy(() -> new RuntimeScheduling(Policy.OTHER, 0, 0, null, null, -1, Set.of()))
          .hasMessageContaining("timerSlackNs=-1");
    }
  }

  @Nested
  class Granting {
    @Test
    void shouldTellWhatEachThreadWasGrantedOnceStarted() {
      try (ReflexRuntime runtime =
          ReflexRuntime.create(EventSpace.create(), asking(RuntimeScheduling.fifo(1, 20)))) {
        TaskControl idle =
            runtime.active("idle", new Idle(), Schedule.periodic(PERIOD_NS).priority(15));
        TaskControl taker = runtime.passive("taker", new Taker(), 12);
        assertThat(idle.grant()).isNull();
        assertThat(runtime.grants().threads()).isEmpty();

        runtime.start();

        assertThat(idle.grant()).isNotNull();
        assertThat(taker.grant()).isNull();
        RuntimeGrants grants = runtime.grants();
        assertThat(grants.threads())
            .extracting(ThreadGrant::thread)
            .containsExactly("takt-idle", "takt-worker-0", "takt-worker-1");
        assertThat(grants.threads())
            .extracting(thread -> thread.asked().priority())
            .containsExactly(15, 12, 12);
        for (ThreadGrant thread : grants.threads()) {
          assertThat(thread.hasPolicy() || !thread.grant().shortfalls().isEmpty())
              .as("%s: granted, or said why not", thread)
              .isTrue();
        }
        assertThat(grants.toString()).startsWith("FIFO 12 to 15 granted on ").contains("memory");
      }
    }

    @Test
    void shouldReleaseTasksWhateverWasGranted() {
      try (ReflexRuntime runtime =
          ReflexRuntime.create(EventSpace.create(), asking(RuntimeScheduling.fifo(1, 20)))) {
        TaskControl idle = runtime.active("idle", new Idle(), Schedule.periodic(PERIOD_NS));
        runtime.start();
        Await.until("ten releases", () -> idle.stats().commits() > 10);
      }
    }

    @Test
    void shouldTellGrantOfATaskThatIsRegisteredLater() {
      try (ReflexRuntime runtime =
          ReflexRuntime.create(EventSpace.create(), asking(RuntimeScheduling.NONE))) {
        runtime.start();
        runtime.active("late", new Idle(), Schedule.periodic(PERIOD_NS));
        assertThat(runtime.grants().threads())
            .extracting(ThreadGrant::thread)
            .containsExactly("takt-late");
        assertThat(runtime.grants().isComplete()).isTrue();
      }
    }

    @Test
    void shouldTellTheListenerOfEachStart() {
      List<RuntimeGrants> told = new ArrayList<>();
      RuntimeStarts.listen(runtime -> told.add(runtime.grants()));
      try (ReflexRuntime runtime =
          ReflexRuntime.create(EventSpace.create(), asking(RuntimeScheduling.NONE))) {
        runtime.active("idle", new Idle(), Schedule.periodic(PERIOD_NS));
        runtime.start();
        assertThat(told).containsExactly(runtime.grants());
      }
    }
  }

  @Nested
  class InOneLine {
    private static final Shortfall REFUSED =
        new Shortfall("policy", "FIFO 80", "not permitted", "raise the limit rtprio");

    private static ThreadGrant thread(ThreadScheduling asked, boolean granted) {
      return new ThreadGrant(
          "takt-x",
          asked,
          granted
              ? new Grant(1, asked, List.of())
              : new Grant(1, ThreadScheduling.OTHER, List.of(REFUSED)));
    }

    private static String line(boolean locked, ThreadGrant... threads) {
      MemoryLock memory = new MemoryLock(locked, true, -1, -1, List.of());
      RuntimeScheduling asked =
          RuntimeScheduling.REALTIME.without(Service.OTHERS_APART).without(Service.STAYS_AWAKE);
      return new RuntimeGrants(asked, List.of(threads), memory, null, null, null).toString();
    }

    /** What is said of the collector that this JVM has. */
    private static String collector() {
      return Collector.stoppingTheWorld()
          .map(
              name ->
                  "; "
                      + name
                      + " stops all threads while it collects, real-time ones, too; ZGC hardly"
                      + " does: -XX:+UseZGC")
          .orElse("");
    }

    @Test
    void shouldSayWhatWasGranted() {
      assertThat(
              line(
                  true,
                  thread(ThreadScheduling.fifo(80), true),
                  thread(ThreadScheduling.fifo(80), true)))
          .isEqualTo("FIFO 80 granted on 2 of 2 threads; memory locked" + collector());
      assertThat(
              line(
                  false,
                  thread(ThreadScheduling.fifo(10), true),
                  thread(ThreadScheduling.fifo(80), true)))
          .isEqualTo("FIFO 10 to 80 granted on 2 of 2 threads; memory not locked" + collector());
    }

    @Test
    void shouldSayOnceWhatWasNotAndTheRemedy() {
      assertThat(
              line(
                  true,
                  thread(ThreadScheduling.fifo(80), false),
                  thread(ThreadScheduling.fifo(80), false)))
          .isEqualTo(
              "FIFO 80 granted on 0 of 2 threads; memory locked; policy FIFO 80 not granted: not"
                  + " permitted; raise the limit rtprio"
                  + collector());
    }

    @Test
    void shouldNotCountThreadsThatNeverAskForRealtime() {
      assertThat(line(true, thread(ThreadScheduling.OTHER.withTimerSlackNs(1), true)))
          .isEqualTo("no thread asked for a real-time policy; memory locked" + collector());
    }

    @Test
    void shouldSayWhenNothingWasAskedFor() {
      assertThat(
              new RuntimeGrants(RuntimeScheduling.NONE, List.of(), null, null, null, null)
                  .toString())
          .contains("nothing was asked");
    }

    @Test
    void shouldSayWhenNoOverrunsAreCounted() {
      Shortfall budget = new Shortfall("budget", "task", "why", "remedy");
      RuntimeGrants grants =
          new RuntimeGrants(RuntimeScheduling.NONE, List.of(), null, null, null, budget);
      assertThat(grants.shortfalls()).containsExactly(budget);
      assertThat(grants.toString()).endsWith("; " + budget);
    }
  }
}
