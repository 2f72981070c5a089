package dev.takt.cpu.admission;

import dev.takt.cpu.analysis.Sensitivity;
import dev.takt.cpu.analysis.TaskModel;
import dev.takt.realtime.TimeText;
import dev.takt.realtime.internal.Ranges;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks are on which processor. A task is admitted if a processor is there whose tasks pass
 * the {@linkplain AdmissionTest test} with it, and stays there. Of several it is the first, which
 * leaves most room for large tasks on the others; of {@linkplain AdmissionTest.Kind#NON_PREEMPTIVE
 * those that take turns} the one that is used least, so that a task waits for few others.
 *
 * <p><b>Guarantees.</b> (1) The tasks of each processor have passed the test together, with the E
 * that was in force when the last of them came; when E grows beyond what they pass with they stay,
 * and no other comes. (2) A task is never displaced for one whose rank is not higher; of those that
 * can be, the lowest ranks go first, and none goes that could stay beside the rest; fewer of other
 * sizes might have done. (3) What is refused changes nothing.
 *
 * <p><b>Thread rule:</b> one thread at a time. It has no thread and reads no clock.
 *
 * <p><b>Cost:</b> a test for each processor; with displacement one more for each task that might
 * go; a refusal finds what would fit by some fifty tests of each processor for the cost, and as
 * many for the period.
 */
public final class AdmissionControl {
  /** The most processors. */
  public static final int MAX_PROCESSORS = 1_024;

  /**
   * An admitted task.
   *
   * @param rank which others it may displace, and be displaced by
   */
  public record Admitted(TaskModel task, int rank) {
    /** Checks that there is a task. */
    public Admitted {
      Objects.requireNonNull(task, "task");
    }
  }

  /**
   * How a task would be analysed if it asked for something else; what would fit is looked for among
   * these.
   */
  public interface Alternatives {
    /** Returns the model with another cost, 1 to {@link #maxCostNs}. */
    TaskModel withCostNs(long costNs);

    /** Returns the model with another period, from its own to {@link #maxPeriodNs}. */
    TaskModel withPeriodNs(long periodNs);

    /** Returns the longest cost that it may ask for. */
    long maxCostNs();

    /** Returns the longest period that it may ask for; shorter than its own: there is no other. */
    long maxPeriodNs();
  }

  /** Of a task that nothing else is known of. A deadline that is not the period stays. */
  private record Plain(TaskModel task) implements Alternatives {
    @Override
    public TaskModel withCostNs(long costNs) {
      return task.withCostNs(costNs);
    }

    @Override
    public TaskModel withPeriodNs(long periodNs) {
      long deadlineNs = task.deadlineNs() == task.periodNs() ? periodNs : task.deadlineNs();
      return new TaskModel(
          task.name(),
          task.costNs(),
          periodNs,
          deadlineNs,
          task.jitterNs(),
          task.blockingNs(),
          task.suspensionNs());
    }

    @Override
    public long maxCostNs() {
      return Math.max(task.deadlineNs(), task.periodNs());
    }

    @Override
    public long maxPeriodNs() {
      return TaskModel.MAX_NS;
    }
  }

  private record Choice(int processor, List<Admitted> leaving) {
    int highestRank() {
      return leaving.stream().mapToInt(Admitted::rank).max().orElse(Integer.MIN_VALUE);
    }
  }

  /**
   * The order of leaving: the lowest rank first; of these the largest utilization, so that few go.
   */
  private static final Comparator<Admitted> LEAVING_FIRST =
      Comparator.comparingInt(Admitted::rank).thenComparing(each -> -each.task().utilization());

  private static final Comparator<Choice> BEST =
      Comparator.comparingInt(Choice::highestRank).thenComparing(choice -> choice.leaving().size());

  private final List<List<Admitted>> processors = new ArrayList<>();

  /** Read by counters, too, which hold no lock. */
  private volatile AdmissionTest test;

  /**
   * Makes one that has admitted nothing.
   *
   * @param processors how many processors are for the tasks, 1 to {@value #MAX_PROCESSORS}
   */
  public AdmissionControl(AdmissionTest test, int processors) {
    this.test = Objects.requireNonNull(test, "test");
    Ranges.check("processors", processors, 1, MAX_PROCESSORS);
    for (int i = 0; i < processors; i++) {
      this.processors.add(new ArrayList<>());
    }
  }

  /** Returns the test. */
  public AdmissionTest test() {
    return test;
  }

  /** Returns how many processors are for the tasks. */
  public int processors() {
    return processors.size();
  }

  /** Returns the tasks of a processor, in the order in which they came. */
  public List<Admitted> tasks(int processor) {
    return List.copyOf(processors.get(processor));
  }

  /** Returns how much of a processor its tasks take, with their extra time: 0 to 1. */
  public double utilization(int processor) {
    return processors.get(processor).stream()
        .mapToDouble(each -> each.task().utilization() * test.extensum())
        .sum();
  }

  /**
   * Admits a task, if it fits.
   *
   * @param rank its rank
   * @param displaces whether it may displace tasks of a lower rank
   * @throws IllegalArgumentException if a task of that name is admitted
   */
  public Decision admit(TaskModel task, int rank, boolean displaces) {
    return admit(task, rank, displaces, new Plain(task));
  }

  /**
   * The same.
   *
   * @param alternatives how it would be analysed if it asked for something else
   */
  public Decision admit(TaskModel task, int rank, boolean displaces, Alternatives alternatives) {
    checkIsNew(task);
    Admitted admitted = new Admitted(task, rank);
    Choice choice = choose(task, displaces ? rank : Integer.MIN_VALUE);
    if (choice == null) {
      return refused(task, alternatives);
    }
    List<Admitted> processor = processors.get(choice.processor());
    processor.removeAll(choice.leaving());
    processor.add(admitted);
    return Decision.admitted(
        choice.processor(), choice.leaving().stream().map(each -> each.task().name()).toList());
  }

  /**
   * Admits a task that was there before on its processor again, if it fits without displacing any.
   *
   * @return whether it is admitted
   * @throws IllegalArgumentException if a task of that name is admitted
   */
  public boolean readmit(TaskModel task, int rank, int processor) {
    checkIsNew(task);
    boolean fits = fits(processors.get(processor), task);
    if (fits) {
      processors.get(processor).add(new Admitted(task, rank));
    }
    return fits;
  }

  private void checkIsNew(TaskModel task) {
    if (find(task.name()).isPresent()) {
      throw new IllegalArgumentException(
          "a task named " + task.name() + " is admitted already; give each its own name");
    }
  }

  /** Returns the best processor and the tasks that have to leave it; null: there is none. */
  private @Nullable Choice choose(TaskModel task, int rank) {
    boolean spreads = test.kind() == AdmissionTest.Kind.NON_PREEMPTIVE;
    Comparator<Choice> better =
        spreads ? BEST.thenComparing(choice -> utilization(choice.processor())) : BEST;
    Choice best = null;
    for (int i = 0; i < processors.size(); i++) {
      List<Admitted> leaving = leaving(processors.get(i), task, rank);
      if (leaving != null) {
        Choice choice = new Choice(i, leaving);
        if (leaving.isEmpty() && !spreads) {
          return choice;
        }
        best = best == null || better.compare(choice, best) < 0 ? choice : best;
      }
    }
    return best;
  }

  /** Returns which tasks below a rank must leave, so that a task fits; null: that is not enough. */
  private @Nullable List<Admitted> leaving(List<Admitted> processor, TaskModel task, int rank) {
    List<Admitted> staying = new ArrayList<>(processor);
    List<Admitted> leaving = new ArrayList<>();
    List<Admitted> below =
        processor.stream().filter(each -> each.rank() < rank).sorted(LEAVING_FIRST).toList();
    for (int i = 0; !fits(staying, task); i++) {
      if (i == below.size()) {
        return null;
      }
      staying.remove(below.get(i));
      leaving.add(below.get(i));
    }
    // One that left early may not have had to: the highest ranks are asked first.
    for (Admitted each : leaving.reversed()) {
      staying.add(each);
      if (!fits(staying, task)) {
        staying.remove(each);
      }
    }
    leaving.removeAll(staying);
    return leaving;
  }

  private boolean fits(List<Admitted> others, TaskModel task) {
    List<TaskModel> models = new ArrayList<>(others.size() + 1);
    others.forEach(each -> models.add(each.task()));
    models.add(task);
    return test.passes(models);
  }

  private Decision refused(TaskModel task, Alternatives others) {
    OptionalLong mostNs = OptionalLong.empty();
    OptionalLong leastNs = OptionalLong.empty();
    for (List<Admitted> each : processors) {
      OptionalLong cost =
          Sensitivity.largest(others.maxCostNs(), costNs -> fits(each, others.withCostNs(costNs)));
      if (cost.isPresent() && cost.getAsLong() > mostNs.orElse(0)) {
        mostNs = cost;
      }
      OptionalLong period =
          Sensitivity.smallest(
              task.periodNs(),
              others.maxPeriodNs(),
              periodNs -> fits(each, others.withPeriodNs(periodNs)));
      if (period.isPresent() && period.getAsLong() < leastNs.orElse(Long.MAX_VALUE)) {
        leastNs = period;
      }
    }
    String reason = test.refusal(withTask(emptiest(), task)) + remedy(mostNs, leastNs);
    return new Decision(-1, List.of(), reason, mostNs, leastNs);
  }

  private static String remedy(OptionalLong costNs, OptionalLong periodNs) {
    StringBuilder text = new StringBuilder("; ");
    if (costNs.isPresent()) {
      text.append("it would fit with a cost of ")
          .append(TimeText.of(costNs.getAsLong()))
          .append(" at most");
    }
    if (periodNs.isPresent()) {
      text.append(costNs.isPresent() ? ", or with" : "it would fit with")
          .append(" a period of ")
          .append(TimeText.of(periodNs.getAsLong()))
          .append(" at least");
    }
    return costNs.isEmpty() && periodNs.isEmpty()
        ? "; nothing more fits: give a budget (budgetNs) to each task that has none, remove a task,"
            + " or add a processor"
        : text.toString();
  }

  private List<Admitted> emptiest() {
    int least = 0;
    for (int i = 1; i < processors.size(); i++) {
      least = utilization(i) < utilization(least) ? i : least;
    }
    return processors.get(least);
  }

  private static List<TaskModel> withTask(List<Admitted> others, TaskModel task) {
    List<TaskModel> models = new ArrayList<>();
    others.forEach(each -> models.add(each.task()));
    models.add(task);
    return models;
  }

  /**
   * Changes the cost of an admitted task to one that has been measured.
   *
   * @return false: with that cost the tasks of its processor do not pass, so nothing is changed
   * @throws IllegalArgumentException if no such task is admitted
   */
  public boolean changeCost(String name, long costNs) {
    for (List<Admitted> processor : processors) {
      for (int i = 0; i < processor.size(); i++) {
        Admitted present = processor.get(i);
        if (present.task().name().equals(name)) {
          List<Admitted> others = new ArrayList<>(processor);
          others.remove(i);
          TaskModel changed = present.task().withCostNs(costNs);
          boolean fits = costNs <= present.task().costNs() || fits(others, changed);
          if (fits) {
            processor.set(i, new Admitted(changed, present.rank()));
          }
          return fits;
        }
      }
    }
    throw new IllegalArgumentException("no task named " + name + " is admitted");
  }

  /**
   * Changes how much more time than its cost each task is given, from now on. Admitted tasks stay.
   *
   * @return the processors whose tasks do not pass with that: nothing more is admitted there,
   *     unless it displaces enough of them
   */
  public List<Integer> changeExtensum(double extensum) {
    test = test.withExtensum(extensum);
    return IntStream.range(0, processors.size())
        .filter(each -> !test.passes(processors.get(each).stream().map(Admitted::task).toList()))
        .boxed()
        .toList();
  }

  /** Returns an admitted task. */
  public Optional<Admitted> find(String name) {
    return processors.stream()
        .flatMap(List::stream)
        .filter(each -> each.task().name().equals(name))
        .findAny();
  }

  /** Removes a task, and returns whether it was admitted. */
  public boolean remove(String name) {
    return processors.stream()
            .filter(each -> each.removeIf(task -> task.task().name().equals(name)))
            .count()
        > 0;
  }
}
