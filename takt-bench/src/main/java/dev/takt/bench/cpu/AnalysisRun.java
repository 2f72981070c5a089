package dev.takt.bench.cpu;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;
import dev.takt.cpu.admission.AdmissionControl;
import dev.takt.cpu.admission.AdmissionTest;
import dev.takt.cpu.analysis.ResponseTimes;
import dev.takt.cpu.analysis.TaskModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.HdrHistogram.Histogram;

/**
 * How long it takes to analyse 1,000 tasks of one processor, and to admit one task beside 100.
 *
 * @param times how often each is done that counts, after the first time, which is told apart
 */
public record AnalysisRun(int times) implements ChildRun.Body<AnalysisRun.Analysed> {
  private static final int TASKS = 1_000;
  private static final int ADMITTED = 100;
  private static final double UTILIZATION = 0.65;
  private static final long SEED = 16;
  private static final double MIN_PERIOD_NS = 1e6;
  private static final double MAX_PERIOD_NS = 1e9;

  /**
   * What was found, in nanoseconds.
   *
   * @param analysisNs of 1,000 tasks, each time others
   * @param firstAnalysisNs the first one, in a JVM that has just begun
   * @param admissionNs of one task that fits
   * @param firstAdmissionNs the first one of them, after 100 others
   * @param refusalNs of one task that does not fit, with what would
   */
  public record Analysed(
      Histogram analysisNs,
      long firstAnalysisNs,
      Histogram admissionNs,
      long firstAdmissionNs,
      Histogram refusalNs) {}

  @Override
  public Analysed run() {
    Random random = new Random(SEED);
    long firstAnalysisNs = analysisNs(random);
    Histogram analysisNs = Measurement.histogram();
    for (int i = 0; i < times; i++) {
      analysisNs.recordValue(analysisNs(random));
    }
    AdmissionControl control =
        new AdmissionControl(AdmissionTest.of(AdmissionTest.Kind.RESPONSE_TIMES), 1);
    List<TaskModel> tasks = tasks(random, ADMITTED + 1);
    tasks.subList(0, ADMITTED).forEach(each -> control.admit(each, 0, false));
    TaskModel small = tasks.getLast();
    long firstAdmissionNs = admissionNs(control, small);
    Histogram admissionNs = Measurement.histogram();
    Histogram refusalNs = Measurement.histogram();
    TaskModel large = TaskModel.of("large", 900_000, 1_000_000, 1_000_000);
    for (int i = 0; i < times; i++) {
      admissionNs.recordValue(admissionNs(control, small));
      refusalNs.recordValue(admissionNs(control, large));
    }
    return new Analysed(analysisNs, firstAnalysisNs, admissionNs, firstAdmissionNs, refusalNs);
  }

  private static long analysisNs(Random random) {
    List<TaskModel> tasks = tasks(random, TASKS);
    long beforeNs = System.nanoTime();
    ResponseTimes analysis = ResponseTimes.of(tasks);
    long tookNs = System.nanoTime() - beforeNs;
    if (analysis.tasks().size() != TASKS) {
      throw new IllegalStateException("tasks were lost: " + analysis.tasks().size());
    }
    return tookNs;
  }

  private static long admissionNs(AdmissionControl control, TaskModel task) {
    long beforeNs = System.nanoTime();
    boolean admitted = control.admit(task, 0, false).isAdmitted();
    long tookNs = System.nanoTime() - beforeNs;
    if (admitted) {
      control.remove(task.name());
    }
    return tookNs;
  }

  /** Makes tasks whose periods are spread over three decades, in the order of their deadlines. */
  private static List<TaskModel> tasks(Random random, int count) {
    List<TaskModel> tasks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double spread = Math.pow(MAX_PERIOD_NS / MIN_PERIOD_NS, random.nextDouble());
      long periodNs = Math.round(MIN_PERIOD_NS * spread);
      long costNs = Math.max(1, (long) (2 * random.nextDouble() * UTILIZATION / count * periodNs));
      tasks.add(TaskModel.of("task-" + i, costNs, periodNs, periodNs));
    }
    tasks.sort(Comparator.comparingLong(TaskModel::deadlineNs));
    return tasks;
  }
}
