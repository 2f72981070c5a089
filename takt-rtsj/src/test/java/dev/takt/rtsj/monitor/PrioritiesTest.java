package dev.takt.rtsj.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Policy;
import dev.takt.rtsj.monitor.MonitorFixture.Actor;
import dev.takt.rtsj.monitor.MonitorFixture.FakePriorities;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is known of a thread's own priority, and when the system is asked for it. */
class PrioritiesTest {
  private final FakePriorities priorities = new FakePriorities();
  private final Thread me = Thread.currentThread();
  private final MonitorThread self = MonitorThread.current();

  @ParameterizedTest
  @CsvSource({"OTHER, 0, 0", "FIFO, 1, 1", "RR, 99, 99", "DEADLINE, 0, 100"})
  void shouldReadItOnceUntilOneIsSet(Policy policy, int priority, int own) {
    priorities.put(me, policy, priority);
    assertThat(priorities.own(self)).isEqualTo(own);
    int reads = priorities.readCount;
    assertThat(priorities.own(self)).isEqualTo(own);
    assertThat(priorities.readCount).isEqualTo(reads);

    priorities.put(me, Policy.FIFO, 50);
    assertThat(priorities.own(self)).isEqualTo(50);
    assertThat(priorities.readCount).as("the policy matters only at 0").isEqualTo(reads + 1);
  }

  @Test
  void shouldReadAgainWhatWasSetWhileItWasRead() {
    priorities.put(me, Policy.FIFO, 20);
    priorities.onRead =
        () -> {
          priorities.onRead = () -> {};
          priorities.put(me, Policy.FIFO, 30);
        };
    priorities.own(self);
    assertThat(priorities.own(self)).isEqualTo(30);
  }

  @Test
  void shouldNotTakeACeilingForItsOwn() {
    priorities.put(me, Policy.FIFO, 20);
    self.ceilings.lookUp(self, priorities);
    self.ceilings.add(self, 60, priorities);
    int reads = priorities.readCount;
    priorities.put(new Thread(() -> {}), Policy.FIFO, 5);
    assertThat(priorities.own(self)).isEqualTo(20);
    assertThat(priorities.readCount).isEqualTo(reads);
    self.ceilings.remove(self, 60, priorities);
  }

  /** The system may know another thread by its number. */
  @ParameterizedTest
  @CsvSource({"FIFO, 20", "OTHER, 0"})
  void shouldRememberTheLastOneOfAThreadThatHasDied(Policy policy, int priority) {
    Actor actor = new Actor("dying");
    priorities.put(actor.self.thread, policy, priority);
    assertThat(priorities.own(actor.self)).isEqualTo(priority);
    actor.close();
    priorities.put(actor.self.thread, Policy.FIFO, 77);
    int reads = priorities.readCount;
    assertThat(priorities.own(actor.self)).isEqualTo(priority);
    assertThat(priorities.readCount).as("not even asked").isEqualTo(reads);
  }

  @ParameterizedTest
  @CsvSource({"RR, 20", "OTHER, 0"})
  void shouldRememberTheLastOneOfAThreadThatDiesWhileItIsRead(Policy policy, int priority) {
    Actor actor = new Actor("dying");
    priorities.put(actor.self.thread, policy, priority);
    assertThat(priorities.own(actor.self)).isEqualTo(priority);
    priorities.put(actor.self.thread, Policy.FIFO, 77);
    priorities.onRead = actor::close;
    assertThat(priorities.own(actor.self)).isEqualTo(priority);
    assertThat(MonitorThread.lastPriorityIn(actor.self.known())).isEqualTo(priority);
  }

  @Test
  void shouldReadThatOfALivingThreadAgainAndOfADeadOneThatWasNeverRead() {
    try (Actor actor = new Actor("living")) {
      for (int priority = 0; priority < 3; priority++) {
        priorities.put(actor.self.thread, priority == 0 ? Policy.OTHER : Policy.RR, priority);
        assertThat(priorities.own(actor.self)).isEqualTo(priority);
      }
    }
    Actor unknown = new Actor("unknown");
    assertThat(MonitorThread.lastPriorityIn(unknown.self.known())).isEqualTo(-1);
    unknown.close();
    priorities.put(unknown.self.thread, Policy.FIFO, 33);
    assertThat(priorities.own(unknown.self)).isEqualTo(33);
  }

  // ---- those of a system

  /** Writes down what it is asked for. */
  private static OperatingSystem system(List<String> asked) {
    return (OperatingSystem)
        Proxy.newProxyInstance(
            PrioritiesTest.class.getClassLoader(),
            new Class<?>[] {OperatingSystem.class},
            (_, method, arguments) -> {
              asked.add(method.getName() + (arguments == null ? List.of() : List.of(arguments)));
              return switch (method.getName()) {
                case "policy" -> Policy.DEADLINE;
                case "priority" -> 42;
                case "policyChanges" -> 4_711L;
                case "setPolicy" -> Errno.EINVAL;
                default -> throw new AssertionError(method);
              };
            });
  }

  @Test
  void shouldAskTheSystemForThreadsThatItKnows() {
    List<String> asked = new ArrayList<>();
    Priorities real = Priorities.of(system(asked));
    int id = self.threadId;
    assertThat(real.policy(self)).isEqualTo(id == 0 ? Policy.OTHER : Policy.DEADLINE);
    assertThat(real.priority(self)).isEqualTo(id == 0 ? 0 : 42);
    assertThat(asked)
        .isEqualTo(id == 0 ? List.of() : List.of("policy[" + id + "]", "priority[" + id + "]"));
    asked.clear();
    assertThat(real.changes()).isEqualTo(4_711);
    assertThat(real.set(self, Policy.RR, 17)).isEqualTo(Errno.EINVAL);
    assertThat(asked).containsExactly("policyChanges[]", "setPolicy[" + id + ", RR, 17]");
  }

  @Test
  void shouldNotAskTheSystemForAVirtualThread() throws Exception {
    List<String> asked = new ArrayList<>();
    Priorities real = Priorities.of(system(asked));
    MonitorThread[] virtual = new MonitorThread[1];
    Thread.ofVirtual().start(() -> virtual[0] = MonitorThread.current()).join();
    assertThat(real.policy(virtual[0])).isEqualTo(Policy.OTHER);
    assertThat(real.priority(virtual[0])).isZero();
    assertThat(asked).isEmpty();
  }
}
