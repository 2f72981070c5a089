package dev.takt.realtime.os.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.PausePriority;
import dev.takt.realtime.os.Policy;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The priorities of threads that are made up, and of the JVM's own. */
class LinuxPausePriorityTest {
  private static final int ANY = 1;

  /** And above. */
  private static final int PAUSE_WORKER = 1_000;

  /** 0: it shares fairly. */
  private final Map<Integer, Integer> priorities = new TreeMap<>(Map.of(ANY, 0, PAUSE_WORKER, 0));

  private int limit = 99;

  private final LinuxPausePriority pauses =
      new LinuxPausePriority(
          () -> priorities.keySet().stream().mapToInt(Integer::intValue).toArray(),
          thread -> thread >= PAUSE_WORKER,
          this::set);

  private Errno set(int thread, Policy policy, int priority) {
    assertThat(policy).isEqualTo(priority == 0 ? Policy.OTHER : Policy.FIFO);
    if (priority > limit) {
      return Errno.EPERM;
    }
    priorities.put(thread, priority);
    return Errno.NONE;
  }

  @Test
  void shouldRaiseTheThreadsOfPausesAloneUntilItIsClosed() {
    PausePriority held = pauses.raise(86);
    assertThat(held.isGranted()).isTrue();
    assertThat(priorities).containsEntry(PAUSE_WORKER, 86).containsEntry(ANY, 0);

    priorities.put(PAUSE_WORKER + 1, 86); // started by the first one
    held.close();
    held.close();
    assertThat(priorities.values()).containsOnly(0);
  }

  @Test
  void shouldKeepTheHighestPriorityOfThoseThatAreHeld() {
    PausePriority low = pauses.raise(50);
    PausePriority high = pauses.raise(91);
    PausePriority middle = pauses.raise(86);
    assertThat(priorities).containsEntry(PAUSE_WORKER, 91);

    high.close();
    assertThat(priorities).containsEntry(PAUSE_WORKER, 86);
    low.close();
    assertThat(priorities).containsEntry(PAUSE_WORKER, 86);
    middle.close();
    assertThat(priorities).containsEntry(PAUSE_WORKER, 0);
  }

  @Test
  void shouldLeaveAllAsItIsWhereItIsNotPermitted() {
    limit = 60;
    PausePriority granted = pauses.raise(50);
    PausePriority refused = pauses.raise(86);

    assertThat(refused.shortfalls()).singleElement().asString().contains("86", "EPERM");
    assertThat(priorities).containsEntry(PAUSE_WORKER, 50);
    refused.close();
    assertThat(priorities).containsEntry(PAUSE_WORKER, 50);
    granted.close();
    assertThat(priorities).containsEntry(PAUSE_WORKER, 0);
  }

  /** As which user and on which system ever. */
  @Test
  void shouldRaiseTheThreadsOfThisJvmOrSayWhyNot() {
    OperatingSystem system = OperatingSystems.current();
    try (PausePriority held = system.raisePauses(7)) {
      assertThat(isAnyAt(system, 7)).isEqualTo(held.isGranted());
    }
    assertThat(isAnyAt(system, 7)).isFalse();
    assertThatThrownBy(() -> system.raisePauses(100)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> OperatingSystems.portable().raisePauses(0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static boolean isAnyAt(OperatingSystem system, int priority) {
    return IntStream.of(ProcessThreads.all())
        .filter(ProcessThreads::worksInPauses)
        .anyMatch(thread -> system.priority(thread) == priority);
  }
}
