package dev.takt.cpu;

import dev.takt.cpu.admission.AdmissionTest;
import dev.takt.cpu.analysis.UtilizationBounds;
import dev.takt.cpu.cost.CostBound;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.internal.Ranges;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.OperatingSystem;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link CpuManager}.
 *
 * @param scheduler how tasks get the processor, and so by which analysis they are admitted
 * @param extensum E, by how much more time than its cost each task is given, 1 to 1,000
 * @param alpha the share of each processor that tasks may take, above 0, at most 1
 * @param cpus the processors of the tasks, each task on one of them; null: the tasks are admitted
 *     as if there were one processor, and run on any
 * @param trialReleases of how many releases a cost is learned, 100 to 1,000,000
 * @param probability with which a release may exceed the cost that was learned, 1e-12 to 0.01
 * @param lookPeriodNs how often running releases are looked at, in nanoseconds, 100,000 to
 *     1,000,000,000: an overrun is detected so much after the cost at most
 * @param events is called with what happens, on any thread; it must not block for long
 * @param clock the time
 * @param system what schedules the threads
 */
public record ManagerSettings(
    CpuScheduler scheduler,
    double extensum,
    double alpha,
    @Nullable CpuSet cpus,
    int trialReleases,
    double probability,
    long lookPeriodNs,
    Consumer<ManagerEvent> events,
    NanoClock clock,
    OperatingSystem system) {
  /** The usual time between two looks: 0.8 ms, so that an overrun is detected within 1 ms. */
  public static final long DEFAULT_LOOK_PERIOD_NS = 800_000;

  /** Checks each value. */
  public ManagerSettings {
    Objects.requireNonNull(scheduler, "scheduler");
    Objects.requireNonNull(events, "events");
    Objects.requireNonNull(clock, "clock");
    Objects.requireNonNull(system, "system");
    UtilizationBounds.checkFactors(extensum, alpha);
    Ranges.check("trialReleases", trialReleases, 100, 1_000_000);
    Ranges.check("lookPeriodNs", lookPeriodNs, 100_000, 1_000_000_000);
    CostBound.checkProbability(probability);
  }

  /** Returns the settings by default, on this machine. */
  public static ManagerSettings defaults() {
    return new ManagerSettings(
        CpuScheduler.fixedPriority(),
        1,
        AdmissionTest.DEFAULT_ALPHA,
        null,
        CostBound.MIN_RELEASES,
        CostBound.DEFAULT_PROBABILITY,
        DEFAULT_LOOK_PERIOD_NS,
        event -> {},
        NanoClock.system(),
        OperatingSystems.current());
  }

  /** Returns this, with another scheduler. */
  public ManagerSettings withScheduler(CpuScheduler scheduler) {
    return new ManagerSettings(
        scheduler,
        extensum,
        alpha,
        cpus,
        trialReleases,
        probability,
        lookPeriodNs,
        events,
        clock,
        system);
  }

  /** Returns this, with other factors of the admission. */
  public ManagerSettings withFactors(double extensum, double alpha) {
    return new ManagerSettings(
        scheduler,
        extensum,
        alpha,
        cpus,
        trialReleases,
        probability,
        lookPeriodNs,
        events,
        clock,
        system);
  }

  /** Returns this, on processors. */
  public ManagerSettings withCpus(@Nullable CpuSet cpus) {
    return new ManagerSettings(
        scheduler,
        extensum,
        alpha,
        cpus,
        trialReleases,
        probability,
        lookPeriodNs,
        events,
        clock,
        system);
  }

  /** Returns this, with another length of trials. */
  public ManagerSettings withTrialReleases(int trialReleases) {
    return new ManagerSettings(
        scheduler,
        extensum,
        alpha,
        cpus,
        trialReleases,
        probability,
        lookPeriodNs,
        events,
        clock,
        system);
  }

  /** Returns this, with another time between looks. */
  public ManagerSettings withLookPeriodNs(long lookPeriodNs) {
    return new ManagerSettings(
        scheduler,
        extensum,
        alpha,
        cpus,
        trialReleases,
        probability,
        lookPeriodNs,
        events,
        clock,
        system);
  }

  /** Returns this, with a receiver of events. */
  public ManagerSettings withEvents(Consumer<ManagerEvent> events) {
    return new ManagerSettings(
        scheduler,
        extensum,
        alpha,
        cpus,
        trialReleases,
        probability,
        lookPeriodNs,
        events,
        clock,
        system);
  }

  int processors() {
    return cpus == null ? 1 : cpus.size();
  }

  AdmissionTest test() {
    return new AdmissionTest(scheduler.analysis(), extensum, alpha);
  }
}
