package dev.takt.bench.cpu;

import dev.takt.cpu.CpuScheduler;
import java.util.Locale;
import java.util.function.Supplier;

/** A way to run periodic work. */
public enum Contestant {
  /** A thread that sleeps until absolute times. */
  STANDARD(null),
  /** The same, with a real-time priority of the operating system; nothing else is asked for. */
  RT(null),
  /** The CPU manager without privileges. */
  PORTABLE(CpuScheduler::portable),
  /** The CPU manager with fixed priorities. */
  FIFO(CpuScheduler::fixedPriority),
  /** The CPU manager with reservations of the kernel. */
  DEADLINE(CpuScheduler::deadline);

  private final Supplier<CpuScheduler> scheduler;

  Contestant(Supplier<CpuScheduler> scheduler) {
    this.scheduler = scheduler;
  }

  /** Returns the word in the names of results. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the name of the result of the five tasks of which the fifth does not end. */
  public String endless() {
    return "multi-" + word() + "-endless";
  }

  /** Returns whether the CPU manager runs it. */
  public boolean isManaged() {
    return scheduler != null;
  }

  /** Returns whether it is run by a user without privileges. */
  public boolean isUnprivileged() {
    return this == PORTABLE;
  }

  /** Returns whether its threads are on one processor, and others of its JVM are not. */
  boolean isBound() {
    return this == RT || this == FIFO;
  }

  CpuScheduler scheduler() {
    if (scheduler == null) {
      throw new IllegalStateException(this + " has no CPU manager");
    }
    return scheduler.get();
  }
}
