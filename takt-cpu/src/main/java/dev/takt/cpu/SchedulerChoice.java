package dev.takt.cpu;

import dev.takt.realtime.internal.Await;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.ThreadScheduling;
import org.jspecify.annotations.Nullable;

/**
 * Which scheduler there is, and why.
 *
 * @param scheduler how tasks get the processor
 * @param reason why this one, for people
 */
public record SchedulerChoice(CpuScheduler scheduler, String reason) {
  /**
   * Chooses by what is granted: {@linkplain CpuScheduler#fixedPriority fixed priorities}, and
   * without the right to use them the {@linkplain CpuScheduler#portable portable} scheduler.
   * Reservations of the kernel must be asked for: a thread with one cannot be bound to processors,
   * so others cannot be kept off it.
   */
  public static SchedulerChoice best(OperatingSystem system) {
    String shortfall = shortfall(system);
    return shortfall == null
        ? new SchedulerChoice(CpuScheduler.fixedPriority(), "real-time priorities are granted")
        : new SchedulerChoice(CpuScheduler.portable(), shortfall);
  }

  /**
   * Returns why there are no real-time priorities for the threads of a manager; null: there are.
   */
  static @Nullable String shortfall(OperatingSystem system) {
    Trial trial = new Trial(system);
    trial.start();
    Await.orInterrupt(trial::join);
    return trial.shortfall;
  }

  /** Asks for itself, since no thread can ask for less afterwards without having had more. */
  private static final class Trial extends Thread {
    private final OperatingSystem system;
    private volatile @Nullable String shortfall = "nothing is known about real-time priorities";

    Trial(OperatingSystem system) {
      super(null, null, "takt-cpu-trial", 0, false);
      setDaemon(true);
      this.system = system;
    }

    @Override
    public void run() {
      Grant grant = system.schedule(ThreadScheduling.fifo(CpuScheduler.HIGHEST_PRIORITY + 5));
      shortfall =
          grant.scheduling().policy().isRealtime()
              ? null
              : grant.shortfalls().isEmpty()
                  ? "no real-time priority was granted"
                  : grant.shortfalls().getFirst().toString();
    }
  }
}
