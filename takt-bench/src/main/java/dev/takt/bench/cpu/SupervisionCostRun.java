package dev.takt.bench.cpu;

import dev.takt.bench.measure.ChildRun;
import dev.takt.cpu.AuthenticationClass;
import dev.takt.cpu.CpuManager;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.OverrunPolicy;
import dev.takt.realtime.AdmissionAnswer;
import dev.takt.realtime.AdmissionRequest;
import dev.takt.realtime.Periodic;
import dev.takt.realtime.ReleaseEngine;
import dev.takt.realtime.ReleaseListener;
import dev.takt.realtime.ReleaseOutcome;
import dev.takt.realtime.ReleaseParameters;
import dev.takt.realtime.RunningRelease;
import dev.takt.realtime.Supervised;
import dev.takt.realtime.ThreadMeter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * What the CPU manager adds to a release of an admitted task: the same releases of nothing, back to
 * back, with and without the manager's listener, in turns. Each pair of turns gives one difference.
 *
 * @param pairs how many pairs count, after as many that do not
 */
public record SupervisionCostRun(int pairs) implements ChildRun.Body<SupervisionCostRun.Cost> {
  /** The task, for {@code takt top} to see. */
  public static final String TASK = "watched";

  private static final int RELEASES = 20_000;
  private static final long PERIOD_NS = 1_000_000;

  /**
   * What was found, in nanoseconds a release.
   *
   * @param differenceNs the median of the differences
   * @param leastNs the fifth percentile of the differences
   * @param mostNs the 95th percentile of the differences
   * @param withoutNs the median without the listener
   * @param withNs the median with it
   */
  public record Cost(
      double differenceNs, double leastNs, double mostNs, double withoutNs, double withNs) {}

  @Override
  public Cost run() {
    AuthenticationClass counted = AuthenticationClass.DEFAULT.withOnOverrun(OverrunPolicy.COUNT);
    try (CpuManager manager = CpuManager.start(ManagerSettings.defaults())) {
      AdmissionAnswer answer =
          manager
              .admission(counted)
              .decide(new AdmissionRequest(TASK, Subject.class, Subject.PARAMETERS, 1));
      ReleaseListener listener = answer.listener();
      if (listener == null) {
        throw new IllegalStateException("the task is not admitted: " + answer.refusal());
      }
      Subject watched = new Subject(TASK, List.of(listener));
      answer.bind(watched);
      Subject alone = new Subject("alone", List.of());
      return measured(alone, watched);
    }
  }

  private Cost measured(Subject alone, Subject watched) {
    double[] differences = new double[pairs];
    double[] without = new double[pairs];
    double[] with = new double[pairs];
    for (int i = -pairs; i < pairs; i++) {
      // Who begins changes, so that what grows or falls all the time does not count.
      boolean first = i % 2 == 0;
      double before = (first ? alone : watched).nsPerRelease();
      double after = (first ? watched : alone).nsPerRelease();
      if (i >= 0) {
        without[i] = first ? before : after;
        with[i] = first ? after : before;
        differences[i] = with[i] - without[i];
      }
    }
    Arrays.sort(differences);
    Arrays.sort(without);
    Arrays.sort(with);
    return new Cost(
        differences[pairs / 2],
        differences[pairs / 20],
        differences[pairs - 1 - pairs / 20],
        without[pairs / 2],
        with[pairs / 2]);
  }

  /** Releases nothing. */
  private static final class Subject implements Supervised {
    static final Periodic PARAMETERS = Periodic.ofNs(PERIOD_NS);

    private final String name;
    private final ReleaseEngine engine;

    Subject(String name, List<ReleaseListener> listeners) {
      this.name = name;
      engine =
          new ReleaseEngine(
              this,
              PARAMETERS,
              null,
              ThreadMeter.system(),
              listeners,
              thrown -> {
                throw new IllegalStateException(thrown);
              });
      engine.start(System.nanoTime());
    }

    double nsPerRelease() {
      long beforeNs = System.nanoTime();
      for (int i = 0; i < RELEASES; i++) {
        engine.next();
        engine.begin(System.nanoTime());
        engine.end(System.nanoTime(), ReleaseOutcome.COMPLETED);
      }
      return (System.nanoTime() - beforeNs) / (double) RELEASES;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public int priority() {
      return 1;
    }

    @Override
    public ReleaseParameters parameters() {
      return PARAMETERS;
    }

    @Override
    public RunningRelease running() {
      return engine.running();
    }

    @Override
    public boolean abortRelease(Duration timeout) {
      return false;
    }

    @Override
    public void demote() {}

    @Override
    public void quarantine(boolean quarantined) {}

    @Override
    public boolean isQuarantined() {
      return false;
    }

    @Override
    public void stop(String reason) {}
  }
}
