package dev.takt.cpu.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The analyses beside published figures, other analyses, and a simulation of each unit of time. */
class AnalysisTest {
  private static final int SETS = 100_000;

  private static List<Object> cases(String file) throws IOException {
    try (InputStream in = AnalysisTest.class.getResourceAsStream(file)) {
      return JSON.std.listFrom(in);
    }
  }

  private static List<TaskModel> tasks(Map<?, ?> set) {
    List<?> rows = (List<?>) set.get("tasks");
    List<TaskModel> tasks = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      List<?> row = (List<?>) rows.get(i);
      long period = number(row.get(1));
      long deadline = row.get(2) == null ? TaskModel.MAX_NS : number(row.get(2));
      tasks.add(
          TaskModel.of("task " + i, number(row.getFirst()), period, deadline)
              .withJitterNs(at(set, "jitter", i))
              .withBlockingNs(at(set, "blocking", i))
              .withSuspensionNs(at(set, "self_suspension", i)));
    }
    return tasks;
  }

  private static long at(Map<?, ?> set, String key, int index) {
    return set.get(key) instanceof List<?> values ? number(values.get(index)) : 0;
  }

  private static long number(Object value) {
    return ((Number) value).longValue();
  }

  @Test
  void shouldFindThePublishedResponseTimes() throws IOException {
    int compared = 0;
    for (Object each : cases("published_cases.json")) {
      Map<?, ?> set = (Map<?, ?>) each;
      if (!set.containsKey("tasks")) {
        continue; // a chain over two processors
      }
      List<TaskModel> tasks = tasks(set);
      ResponseTimes found = ResponseTimes.of(tasks);
      List<?> published = (List<?>) set.get("R");
      boolean withoutJitter = set.get("name").toString().startsWith("pycpa");
      for (int i = 0; i < tasks.size(); i++) {
        if (published.get(i) == null) {
          assertThat(found.meets(i)).as("%s, task %s", set.get("name"), i).isFalse();
        } else {
          assertThat(found.responseNs(i) - (withoutJitter ? tasks.get(i).jitterNs() : 0))
              .as("%s, task %s", set.get("name"), i)
              .isEqualTo(number(published.get(i)));
        }
        compared++;
      }
      if (set.get("schedulable") instanceof Boolean schedulable) {
        assertThat(found.isSchedulable()).as("%s", set.get("name")).isEqualTo(schedulable);
      }
    }
    assertThat(compared).isEqualTo(4 + 3 + 3 + 3 + 18 + 2);
  }

  @Test
  void shouldFindTheSameAsTheRecordedAnalyses() throws IOException {
    List<Object> sets = cases("rta_random_dev.json");
    assertThat(sets).hasSize(300);
    for (Object each : sets) {
      Map<?, ?> set = (Map<?, ?>) each;
      List<TaskModel> tasks = tasks(set);
      ResponseTimes found = ResponseTimes.of(tasks);
      assertThat(found.isSchedulable()).as("%s", set).isEqualTo(set.get("fp_schedulable"));
      if (set.get("R") instanceof List<?> recorded) {
        for (int i = 0; i < tasks.size(); i++) {
          assertThat(found.responseNs(i)).as("%s", set).isEqualTo(number(recorded.get(i)));
        }
      }
      assertThat(ProcessorDemand.isSchedulable(tasks))
          .as("%s", set)
          .isEqualTo(set.get("edf_schedulable"));
    }
  }

  @Test
  void shouldAgreeWithSimulationWhateverTheDeadlines() {
    long seed = Seeds.seed();
    System.out.println("AnalysisTest: seed " + seed);
    Random random = new Random(seed);
    int schedulable = 0;
    for (int i = 0; i < SETS; i++) {
      List<TaskModel> tasks = randomSet(random);
      boolean overloaded = Utilization.isAboveOne(tasks);
      long limit = overloaded ? 400 : 100_000;
      Simulator byPriority = Simulator.byPriority(tasks, limit);
      ResponseTimes found = ResponseTimes.of(tasks);
      assertThat(found.isSchedulable())
          .as("seed=%s %s", seed, tasks)
          .isEqualTo(!overloaded && !byPriority.missed);
      assertThat(ResponseTimes.areDeadlinesMet(tasks)).isEqualTo(found.isSchedulable());
      if (!overloaded) {
        for (int task = 0; task < tasks.size(); task++) {
          assertThat(found.responseNs(task))
              .as("seed=%s %s", seed, tasks)
              .isEqualTo(byPriority.response[task]);
        }
      }
      assertThat(ProcessorDemand.isSchedulable(tasks))
          .as("seed=%s %s", seed, tasks)
          .isEqualTo(!overloaded && !Simulator.byDeadline(tasks, limit).missed);
      schedulable += found.isSchedulable() ? 1 : 0;
    }
    assertThat(schedulable).as("both kinds are there").isBetween(SETS / 10, SETS * 9 / 10);
  }

  /**
   * One to five tasks; a deadline in two is the period, in the others from the cost to twice it.
   */
  private static List<TaskModel> randomSet(Random random) {
    List<TaskModel> tasks = new ArrayList<>();
    int size = random.nextInt(1, 6);
    double each = random.nextDouble(0.3, 1.1) / size;
    for (int i = 0; i < size; i++) {
      long period = random.nextLong(2, 31);
      long cost = Math.max(1, Math.round(period * each * random.nextDouble(0.2, 1.8)));
      long deadline =
          random.nextBoolean() ? period : random.nextLong(cost, Math.max(cost, 2 * period) + 1);
      tasks.add(TaskModel.of("t" + i, cost, period, deadline));
    }
    return tasks;
  }

  @Test
  void shouldNotPassByUtilizationWhatMissesItsDeadline() {
    long seed = Seeds.seed();
    System.out.println("AnalysisTest: seed " + seed);
    Random random = new Random(seed);
    int passed = 0;
    for (int i = 0; i < 20_000; i++) {
      List<TaskModel> tasks =
          randomSet(random).stream()
              .map(each -> TaskModel.of(each.name(), each.costNs(), each.periodNs()))
              .sorted(ResponseTimes.RATE_MONOTONIC)
              .toList();
      boolean schedulable = ResponseTimes.of(tasks).isSchedulable();
      boolean liuLayland = UtilizationBounds.passLiuLayland(tasks);
      boolean hyperbolic = UtilizationBounds.passHyperbolic(tasks);
      assertThat(!hyperbolic || schedulable).as("seed=%s %s", seed, tasks).isTrue();
      assertThat(!liuLayland || hyperbolic).as("seed=%s %s", seed, tasks).isTrue();
      assertThat(!UtilizationBounds.passExtended(tasks, 1.2, 0.7) || liuLayland).isTrue();
      passed += liuLayland ? 1 : 0;
    }
    assertThat(passed).isGreaterThan(1_000);
  }
}
