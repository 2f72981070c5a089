package dev.takt.rtsj.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.Policy;
import dev.takt.rtsj.monitor.MonitorFixture.FakePriorities;
import dev.takt.rtsj.monitor.MonitorFixture.FakePriorities.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ceilings that come and go in any order, some of them refused, beside a list of them. */
class CeilingStackTest {
  private final FakePriorities priorities = new FakePriorities();
  private final Thread me = Thread.currentThread();
  private final MonitorThread self = MonitorThread.current();
  private final CeilingStack stack = new CeilingStack();
  private final List<Integer> sets = new ArrayList<>();

  private Errno add(int ceiling) {
    return stack.add(self, ceiling, priorities);
  }

  private Errno remove(int ceiling) {
    return stack.remove(self, ceiling, priorities);
  }

  private Level level() {
    return priorities.level(me);
  }

  private void begin(Policy policy, int priority) {
    priorities.put(me, policy, priority);
    assertThat(stack.lookUp(self, priorities)).isEqualTo(priority);
    priorities.onSet = sets::add;
  }

  @ParameterizedTest
  @CsvSource({
    "OTHER, 0, 99",
    "FIFO, 1, 99",
    "RR, 50, 99",
    "OTHER, 0, 60",
    "RR, 20, 1",
    "FIFO, 30, 0"
  })
  void shouldHaveTheHighestCeilingThatIsGranted(Policy policy, int own, int limit) {
    begin(policy, own);
    priorities.limit = Math.max(limit, own);
    Random random = new Random(own * 100 + limit);
    List<Integer> model = new ArrayList<>();
    for (int step = 0; step < 5_000; step++) {
      Level before = level();
      sets.clear();
      boolean adds = model.isEmpty() || model.size() < 8 && random.nextBoolean();
      int ceiling =
          adds
              ? Math.max(1, own) + random.nextInt(100 - Math.max(1, own))
              : model.remove(random.nextInt(model.size()));
      Errno answer;
      if (adds) {
        model.add(ceiling);
        answer = add(ceiling);
      } else {
        answer = remove(ceiling);
      }
      int granted =
          model.stream()
              .filter(each -> each <= priorities.limit)
              .mapToInt(each -> each)
              .max()
              .orElse(0);
      Level expected = granted > own ? new Level(Policy.FIFO, granted) : new Level(policy, own);
      boolean inForce = !adds || Math.max(granted, own) >= ceiling;
      String what =
          "seed %d, step %d: %s %d, now %s"
              .formatted(own * 100 + limit, step, adds, ceiling, model);
      if (!level().equals(expected) || answer != (inForce ? Errno.NONE : Errno.EPERM)) {
        assertThat(level()).as(what).isEqualTo(expected);
        assertThat(answer).as(what).isEqualTo(inForce ? Errno.NONE : Errno.EPERM);
      }
      assertThat(stack.isEmpty()).as(what).isEqualTo(model.isEmpty());
      if (level().equals(before)) {
        assertThat(sets).as(what).allMatch(set -> set > priorities.limit);
      } else {
        assertThat(sets.stream().filter(set -> set <= priorities.limit)).as(what).hasSize(1);
      }
    }
    for (int ceiling : model) {
      remove(ceiling);
    }
    assertThat(level()).isEqualTo(new Level(policy, own));
    assertThat(stack.isEmpty()).isTrue();
    assertThat(stack.ownPriority()).isEqualTo(own);
  }

  @Test
  void shouldSayWhyTheCeilingThatCameIsNotInForceAndTheHighestIsTriedFirst() {
    begin(Policy.FIFO, 10);
    priorities.limit = 50;
    assertThat(add(70)).isEqualTo(Errno.EPERM);
    assertThat(add(40)).as("in force").isEqualTo(Errno.NONE);
    assertThat(add(30)).as("below what is in force").isEqualTo(Errno.NONE);
    assertThat(add(10)).as("its own").isEqualTo(Errno.NONE);
    assertThat(sets)
        .as("refused ones are tried again at each change")
        .containsExactly(70, 70, 40, 70, 70);
    assertThat(level()).isEqualTo(new Level(Policy.FIFO, 40));
    priorities.limit = 99;
    assertThat(remove(30)).isEqualTo(Errno.NONE);
    assertThat(level()).as("granted meanwhile").isEqualTo(new Level(Policy.FIFO, 70));
  }

  @Test
  void shouldSayThatItCouldNotBeLoweredAndTryAtTheNextChange() {
    begin(Policy.OTHER, 0);
    assertThat(add(40)).isEqualTo(Errno.NONE);
    assertThat(add(40)).isEqualTo(Errno.NONE);
    priorities.answer = Errno.ESRCH;
    assertThat(remove(40)).as("there is another one").isEqualTo(Errno.NONE);
    assertThat(remove(40)).isEqualTo(Errno.ESRCH);
    assertThat(stack.isEmpty()).as("raised, though under no ceiling").isFalse();
    assertThat(stack.lookUp(self, priorities)).as("its own").isZero();
    assertThat(add(40)).as("is in force already").isEqualTo(Errno.NONE);
    assertThat(remove(40)).isEqualTo(Errno.ESRCH);
    priorities.answer = Errno.NONE;
    assertThat(add(20)).isEqualTo(Errno.NONE);
    assertThat(remove(20)).isEqualTo(Errno.NONE);
    assertThat(level()).isEqualTo(new Level(Policy.OTHER, 0));
    assertThat(stack.isEmpty()).isTrue();
  }

  @Test
  void shouldNameTheFirstRefusalWhenAllAreRefused() {
    begin(Policy.OTHER, 0);
    add(40);
    sets.clear();
    priorities.onSet =
        priority -> {
          sets.add(priority);
          priorities.answer = priority == 60 ? Errno.EPERM : Errno.ESRCH;
        };
    assertThat(add(50)).isEqualTo(Errno.ESRCH);
    assertThat(add(60)).isEqualTo(Errno.EPERM);
    assertThat(sets).containsExactly(50, 60, 50);
    sets.clear();
    assertThat(remove(40)).as("cannot be lowered to its own").isEqualTo(Errno.EPERM);
    assertThat(sets).containsExactly(60, 50, 0);
    assertThat(level()).isEqualTo(new Level(Policy.FIFO, 40));
  }

  /** What it has set itself it need not ask for. */
  @ParameterizedTest
  @CsvSource({"OTHER, 0", "RR, 20"})
  void shouldKnowItsOwnPriorityAfterwards(Policy policy, int priority) {
    priorities.put(me, policy, priority);
    assertThat(self.ceilings.isEmpty()).isTrue();
    begin(policy, priority);
    add(40);
    assertThat(MonitorThread.priorityIn(self.known(), priorities.changes())).isEqualTo(priority);
    remove(40);
    int reads = priorities.readCount;
    assertThat(priorities.own(self)).isEqualTo(priority);
    assertThat(priorities.readCount).isEqualTo(reads);
  }

  @Test
  void shouldNotThinkItKnowsItsOwnPriorityWhenAnotherOneWasSetMeanwhile() {
    begin(Policy.FIFO, 20);
    Thread other = new Thread(() -> {});
    priorities.onSet = _ -> priorities.put(other, Policy.FIFO, 5);
    add(40);
    assertThat(MonitorThread.priorityIn(self.known(), priorities.changes())).isNegative();
    remove(40);
    priorities.onSet = _ -> {};
    priorities.put(me, Policy.FIFO, 33);
    assertThat(priorities.own(self)).isEqualTo(33);
  }

  @ParameterizedTest
  @CsvSource({"OTHER", "FIFO", "RR"})
  void shouldLookUpOnlyWhenItIsUnderNone(Policy policy) {
    begin(policy, policy == Policy.OTHER ? 0 : 30);
    add(40);
    int reads = priorities.readCount;
    assertThat(stack.lookUp(self, priorities)).isEqualTo(policy == Policy.OTHER ? 0 : 30);
    assertThat(priorities.readCount).isEqualTo(reads);
    remove(40);
    priorities.put(me, policy, policy == Policy.OTHER ? 0 : 31);
    assertThat(stack.lookUp(self, priorities)).isEqualTo(policy == Policy.OTHER ? 0 : 31);
  }
}
