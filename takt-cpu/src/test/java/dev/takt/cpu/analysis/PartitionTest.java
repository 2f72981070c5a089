package dev.takt.cpu.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import dev.takt.testsupport.NeedsNoRights;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Partitions and sensitivity beside all that there is to try. */
@NeedsNoRights
class PartitionTest {
  private static final long SEED = Seeds.seed();

  private static final Predicate<List<TaskModel>> FITS =
      tasks ->
          ResponseTimes.areDeadlinesMet(
              tasks.stream().sorted(ResponseTimes.DEADLINE_MONOTONIC).toList());

  private static List<TaskModel> randomSet(Random random, int most) {
    List<TaskModel> tasks = new ArrayList<>();
    for (int i = random.nextInt(1, most + 1); i > 0; i--) {
      long period = random.nextLong(2, 20);
      long cost = random.nextLong(1, period / 2 + 2);
      tasks.add(TaskModel.of("t" + i, cost, period, Math.max(cost, period - random.nextInt(3))));
    }
    return tasks;
  }

  @Test
  void shouldFindAPartitionWheneverThereIsOne() {
    Random random = new Random(SEED);
    int found = 0;
    for (int i = 0; i < 3_000; i++) {
      List<TaskModel> tasks = randomSet(random, 7);
      int processors = random.nextInt(1, 4);
      String set = "seed=%s %s on %s".formatted(SEED, tasks, processors);
      Optional<Partition> partition = Partition.of(tasks, processors, FITS);
      assertThat(partition.isPresent()).as(set).isEqualTo(anyFits(tasks, processors));
      if (partition.isPresent()) {
        List<List<TaskModel>> placed = partition.get().processors();
        assertThat(placed).as(set).hasSize(processors).allMatch(FITS);
        assertThat(placed.stream().flatMap(List::stream))
            .containsExactlyInAnyOrderElementsOf(tasks);
        found++;
      }
    }
    assertThat(found).as("both kinds are there").isBetween(300, 2_700);
  }

  private static boolean anyFits(List<TaskModel> tasks, int processors) {
    int ways = (int) Math.pow(processors, tasks.size());
    for (int way = 0; way < ways; way++) {
      List<List<TaskModel>> placed = new ArrayList<>();
      for (int i = 0; i < processors; i++) {
        placed.add(new ArrayList<>());
      }
      int rest = way;
      for (TaskModel each : tasks) {
        placed.get(rest % processors).add(each);
        rest /= processors;
      }
      if (placed.stream().allMatch(FITS)) {
        return true;
      }
    }
    return false;
  }

  @Test
  void shouldFindTheLongestCostThatFits() {
    Random random = new Random(SEED);
    for (int i = 0; i < 2_000; i++) {
      List<TaskModel> tasks = randomSet(random, 4);
      int task = random.nextInt(tasks.size());
      OptionalLong cost = Sensitivity.maxCostNs(tasks, task, FITS);
      long most = cost.orElse(0);
      String set = "seed=%s %s, task %s".formatted(SEED, tasks, task);
      assertThat(most == 0 || FITS.test(changed(tasks, task, most))).as(set).isTrue();
      assertThat(FITS.test(changed(tasks, task, most + 1))).as(set).isFalse();
    }
  }

  private static List<TaskModel> changed(List<TaskModel> tasks, int task, long cost) {
    List<TaskModel> changed = new ArrayList<>(tasks);
    changed.set(task, tasks.get(task).withCostNs(cost));
    return changed;
  }

  @Test
  void shouldPlaceManyTasksByFirstFit() {
    List<TaskModel> tasks = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      tasks.add(TaskModel.of("t" + i, 1 + i % 3, 10));
    }
    Partition partition = Partition.of(tasks, 64, FITS).orElseThrow();
    assertThat(partition.processors().stream().filter(each -> !each.isEmpty()).count())
        .as("199 of 10 each")
        .isEqualTo(20);
  }
}
