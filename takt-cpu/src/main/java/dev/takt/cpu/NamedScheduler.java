package dev.takt.cpu;

import dev.takt.cpu.admission.AdmissionTest;
import dev.takt.cpu.analysis.TaskModel;
import dev.takt.cpu.portable.RealTimeFilter;
import dev.takt.realtime.os.ThreadScheduling;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler made of its parts.
 *
 * @param name for people
 * @param filters null: the operating system decides
 */
record NamedScheduler(
    String name,
    AdmissionTest.Kind analysis,
    Rule rule,
    @Nullable Supplier<List<RealTimeFilter>> filters)
    implements CpuScheduler {
  NamedScheduler(String name, AdmissionTest.Kind analysis, Rule rule) {
    this(name, analysis, rule, null);
  }

  /** How a thread asks to be scheduled. */
  @FunctionalInterface
  interface Rule {
    ThreadScheduling scheduling(TaskModel task, int place);
  }

  @Override
  public ThreadScheduling scheduling(TaskModel task, int place) {
    return rule.scheduling(task, place);
  }

  @Override
  public @Nullable List<RealTimeFilter> newFilters() {
    return filters == null ? null : filters.get();
  }

  @Override
  public String toString() {
    return name;
  }
}
