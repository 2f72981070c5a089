package dev.takt.cpu.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.takt.testsupport.NeedsNoRights;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The analyses beside published and recorded figures: each case and each member of the files. */
@NeedsNoRights
class PublishedCasesTest {
  private static final Set<String> MEMBERS =
      Set.of(
          "name", "source", "tasks", "schedulable", "R", "jitter", "blocking", "self_suspension");

  /**
   * A chain of tasks over two processors. What the second one is given depends on the shortest
   * times of the tasks on the first, which are not in the file; the analysis is of one processor.
   */
  private static final Map<String, Set<String>> NOT_OF_ONE_PROCESSOR =
      Map.of("pycpa-spp-chain", Set.of("name", "source", "note", "R_R2"));

  private static List<Object> cases(String file) throws IOException {
    String root = System.getProperty("takt.root", "..");
    Path data = Path.of(System.getProperty("takt.data", root + "/../shared/data")).resolve("sched");
    Assumptions.assumeTrue(
        Files.exists(data.resolve(file)), () -> "outside data not there, test skipped: " + file);
    try (InputStream in = Files.newInputStream(data.resolve(file))) {
      return JSON.std.listFrom(in);
    }
  }

  private static List<TaskModel> tasks(Map<?, ?> set) {
    List<?> rows = (List<?>) set.get("tasks");
    List<TaskModel> tasks = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      List<?> row = (List<?>) rows.get(i);
      assertThat(row).as("cost, period, deadline").hasSize(3);
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
    return set.containsKey(key) ? number(((List<?>) set.get(key)).get(index)) : 0;
  }

  private static long number(Object value) {
    return ((Number) value).longValue();
  }

  @Test
  void shouldFindThePublishedResponseTimesAndVerdicts() throws IOException {
    List<Object> sets = cases("published_cases.json");
    int compared = 0;
    for (Object each : sets) {
      Map<?, ?> set = (Map<?, ?>) each;
      String name = (String) set.get("name");
      if (NOT_OF_ONE_PROCESSOR.containsKey(name)) {
        assertThat(set.keySet()).as(name).isEqualTo(NOT_OF_ONE_PROCESSOR.get(name));
        continue;
      }
      assertThat(MEMBERS)
          .as("%s: a member that this test does not know", name)
          .containsAll(keys(set));
      compared += compare(name, set);
      if (set.containsKey("schedulable")) {
        assertThat(ResponseTimes.of(tasks(set)).isSchedulable())
            .as(name)
            .isEqualTo(set.get("schedulable"));
        assertThat(ResponseTimes.areDeadlinesMet(tasks(set)))
            .as(name)
            .isEqualTo(set.get("schedulable"));
      }
    }
    assertThat(sets).hasSize(7);
    assertThat(compared).isEqualTo(4 + 3 + 3 + 3 + 18 + 2);
  }

  private static int compare(String name, Map<?, ?> set) {
    List<TaskModel> tasks = tasks(set);
    ResponseTimes found = ResponseTimes.of(tasks);
    List<?> published = (List<?>) set.get("R");
    assertThat(published).as(name).hasSameSizeAs(tasks);
    // There a response time begins when the task becomes ready, not when it arrives.
    boolean withoutJitter = name.startsWith("pycpa");
    for (int i = 0; i < tasks.size(); i++) {
      if (published.get(i) == null) {
        assertThat(found.meets(i)).as("%s, task %s", name, i).isFalse();
      } else {
        assertThat(found.responseNs(i) - (withoutJitter ? tasks.get(i).jitterNs() : 0))
            .as("%s, task %s", name, i)
            .isEqualTo(number(published.get(i)));
      }
    }
    return tasks.size();
  }

  private static Set<String> keys(Map<?, ?> set) {
    return Set.copyOf(set.keySet().stream().map(Object::toString).toList());
  }

  @Test
  void shouldFindTheSameAsTheRecordedAnalyses() throws IOException {
    List<Object> sets = cases("rta_random_dev.json");
    assertThat(sets).hasSize(300);
    for (Object each : sets) {
      Map<?, ?> set = (Map<?, ?>) each;
      assertThat(keys(set))
          .isEqualTo(Set.of("tasks", "fp_schedulable", "R", "util", "edf_schedulable"));
      List<TaskModel> tasks = tasks(set);
      ResponseTimes found = ResponseTimes.of(tasks);
      assertThat(found.isSchedulable()).as("%s", set).isEqualTo(set.get("fp_schedulable"));
      assertThat(ResponseTimes.areDeadlinesMet(tasks))
          .as("%s", set)
          .isEqualTo(found.isSchedulable());
      assertThat(Utilization.of(tasks))
          .as("%s", set)
          .isEqualTo(((Number) set.get("util")).doubleValue(), within(1e-12));
      assertThat(set.get("R") != null).as("%s", set).isEqualTo(found.isSchedulable());
      if (set.get("R") instanceof List<?> recorded) {
        assertThat(recorded).as("%s", set).hasSameSizeAs(tasks);
        for (int i = 0; i < tasks.size(); i++) {
          assertThat(found.responseNs(i)).as("%s", set).isEqualTo(number(recorded.get(i)));
        }
      }
      assertThat(ProcessorDemand.isSchedulable(tasks))
          .as("%s", set)
          .isEqualTo(set.get("edf_schedulable"));
    }
  }
}
