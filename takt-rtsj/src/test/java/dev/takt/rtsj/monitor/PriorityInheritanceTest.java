package dev.takt.rtsj.monitor;

import static dev.takt.rtsj.monitor.MonitorFixture.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.Resource;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.rtsj.monitor.MonitorFixture.Actor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * What the kernel does about priorities, as far as it grants them here; where it does not, that is
 * what must be told, and everything else works all the same.
 */
class PriorityInheritanceTest {
  private final OperatingSystem system = OperatingSystems.current();

  /** Asks for a priority, and returns whether it was granted. */
  private boolean schedule(Actor actor, int priority) {
    Grant[] grant = new Grant[1];
    actor.does(() -> grant[0] = system.schedule(ThreadScheduling.fifo(priority)));
    return grant[0].isComplete();
  }

  /** The priority that a thread runs with at the moment, with what it has inherited. */
  private static int effectivePriority(Actor actor) {
    try {
      String stat = Files.readString(Path.of("/proc/self/task/" + actor.self.threadId + "/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      return -1 - Integer.parseInt(fields[15]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void shouldBoostOwnerWhileHigherThreadWaits() {
    Monitor monitor = Monitor.inheritance("shared");
    try (Actor low = new Actor("low");
        Actor high = new Actor("high")) {
      boolean granted = schedule(low, 10) && schedule(high, 30);
      low.does(monitor::enter);
      Future<?> waiting = high.blocksIn(monitor::enter);
      if (granted) {
        until(() -> effectivePriority(low) == 30);
        assertThat(system.priority(low.self.threadId)).isEqualTo(10);
      }
      low.does(monitor::exit);
      Actor.get(waiting);
      if (granted) {
        assertThat(effectivePriority(low)).isEqualTo(10);
      }
      high.does(monitor::exit);
      assertThat(monitor.stats().inversions()).isEqualTo(granted ? 1 : 0);
    }
  }

  @Test
  void shouldEndBoostWhenWaiterGivesUp() {
    Monitor monitor = Monitor.inheritance("shared");
    try (Actor low = new Actor("low");
        Actor high = new Actor("high")) {
      boolean granted = schedule(low, 10) && schedule(high, 30);
      low.does(monitor::enter);
      high.does(() -> assertThat(monitor.tryEnter(1_000_000)).isFalse());
      if (granted) {
        assertThat(effectivePriority(low)).isEqualTo(10);
      }
      assertThat(monitor.stats().timeouts()).isEqualTo(1);
      low.does(monitor::exit);
    }
  }

  @Test
  void shouldBoostAlongChainOfOwners() {
    Monitor first = Monitor.inheritance("first");
    Monitor second = Monitor.inheritance("second");
    try (Actor low = new Actor("low");
        Actor medium = new Actor("medium");
        Actor high = new Actor("high")) {
      boolean granted = schedule(low, 10) && schedule(medium, 20) && schedule(high, 30);
      low.does(first::enter);
      medium.does(second::enter);
      Future<?> mediumWaits = medium.blocksIn(first::enter);
      Future<?> highWaits = high.blocksIn(second::enter);
      if (granted) {
        until(() -> effectivePriority(low) == 30);
        until(() -> effectivePriority(medium) == 30);
      }
      low.does(first::exit);
      Actor.get(mediumWaits);
      if (granted) {
        assertThat(effectivePriority(low)).isEqualTo(10);
      }
      medium.does(first::exit);
      medium.does(second::exit);
      Actor.get(highWaits);
      high.does(second::exit);
    }
  }

  @Test
  void shouldRunWithCeilingWhileInside() {
    Monitor monitor = Monitor.ceiling("shared", 40);
    try (Actor low = new Actor("low")) {
      boolean granted = schedule(low, 40) && schedule(low, 10);
      low.does(monitor::enter);
      assertThat(system.priority(low.self.threadId)).isEqualTo(granted ? 40 : 0);
      low.does(monitor::exit);
      assertThat(system.priority(low.self.threadId)).isEqualTo(granted ? 10 : 0);
      assertThat(monitor.guarantee().kind() == Guarantee.Kind.CEILING).isEqualTo(granted);
    }
  }

  @Test
  void shouldPutOrdinaryThreadBackToOrdinary() {
    Monitor monitor = Monitor.ceiling("shared", 40);
    try (Actor ordinary = new Actor("ordinary")) {
      ordinary.does(monitor::enter);
      boolean granted = system.priority(ordinary.self.threadId) == 40;
      assertThat(monitor.guarantee().kind() == Guarantee.Kind.CEILING).isEqualTo(granted);
      ordinary.does(monitor::exit);
      assertThat(system.policy(ordinary.self.threadId)).isEqualTo(Policy.OTHER);
    }
  }

  /** Where it cannot have such a priority it is not above the ceiling either. */
  @Test
  void shouldRefuseThreadAboveCeiling() {
    Monitor monitor = Monitor.ceiling("shared", 5);
    try (Actor high = new Actor("high")) {
      if (schedule(high, 10)) {
        high.does(
            () ->
                assertThatThrownBy(monitor::enter)
                    .isInstanceOf(CeilingViolationException.class)
                    .hasMessageContaining("priority 10")
                    .hasMessageContaining("tid " + high.self.threadId));
      } else {
        high.does(monitor::enter);
        high.does(monitor::exit);
      }
    }
  }

  /** The highest ceiling there is, which only those get who may do all. */
  @Test
  void shouldTellWhyThereIsNoCeiling() {
    Monitor monitor = Monitor.ceiling("shared", 99);
    monitor.enter();
    boolean raised = system.priority(system.threadId()) == 99;
    monitor.exit();
    Guarantee guarantee = monitor.guarantee();
    if (raised) {
      assertThat(guarantee.kind()).isEqualTo(Guarantee.Kind.CEILING);
      assertThat(guarantee.reason()).contains("99");
    } else if (system.isNative()) {
      assertThat(guarantee.kind()).isEqualTo(Guarantee.Kind.INHERITANCE);
      assertThat(guarantee.reason())
          .contains("RLIMIT_RTPRIO=" + system.limit(Resource.RTPRIO).soft(), "99", "CAP_SYS_NICE");
    } else {
      assertThat(guarantee.kind()).isEqualTo(Guarantee.Kind.NONE);
      assertThat(guarantee.reason()).contains(system.whyNotNative());
    }
    assertThat(monitor.stats().priorityFailures()).isEqualTo(raised ? 0 : 1);
  }

  @Test
  void shouldRefuseVirtualThreadUnlessNothingIsInherited() throws Exception {
    Monitor monitor = Monitor.inheritance("shared");
    Throwable[] thrown = new Throwable[1];
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                monitor.enter();
                monitor.exit();
              } catch (IllegalMonitorStateException e) {
                thrown[0] = e;
              }
            })
        .join();
    if (monitor.guarantee().kind() == Guarantee.Kind.INHERITANCE) {
      assertThat(thrown[0]).hasMessageContaining("platform thread");
    } else {
      assertThat(thrown[0]).isNull();
    }
    assertThat(monitor.owner()).isNull();
  }
}
