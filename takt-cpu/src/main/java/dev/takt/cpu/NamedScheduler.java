package dev.takt.cpu;

import dev.takt.cpu.admission.AdmissionTest;
import dev.takt.cpu.analysis.TaskModel;
import dev.takt.realtime.os.ThreadScheduling;

/** A scheduler of the operating system's; the name is for people. */
record NamedScheduler(String name, AdmissionTest.Kind analysis, Rule rule) implements CpuScheduler {
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
  public String toString() {
    return name;
  }
}
