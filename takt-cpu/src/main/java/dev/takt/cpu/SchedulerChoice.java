package dev.takt.cpu;

import dev.takt.realtime.internal.Await;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Shortfall;
import dev.takt.realtime.os.ThreadScheduling;
import java.util.List;
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
   * without the right to {@linkplain CpuScheduler#NEEDED_PRIORITY all that are needed} the
   * {@linkplain CpuScheduler#portable portable} scheduler. Reservations of the kernel must be asked
   * for: a thread with one cannot be bound to processors, so others cannot be kept off it.
   */
  public static SchedulerChoice best(OperatingSystem system) {
    String shortfall = shortfall(trial(system));
    return shortfall == null
        ? new SchedulerChoice(CpuScheduler.fixedPriority(), "real-time priorities are granted")
        : new SchedulerChoice(CpuScheduler.portable(), shortfall);
  }

  /** Returns what a thread is granted that asks for the highest priority that is needed. */
  static Grant trial(OperatingSystem system) {
    Trial trial = new Trial(system);
    trial.start();
    Await.orInterrupt(trial::join);
    return trial.grant;
  }

  /** Returns why there are no real-time priorities for a manager and its tasks; null: there are. */
  static @Nullable String shortfall(Grant grant) {
    if (grant.scheduling().priority() == CpuScheduler.NEEDED_PRIORITY) {
      return null;
    }
    return grant.shortfalls().isEmpty()
        ? "no real-time priority was granted"
        : grant.shortfalls().getFirst().toString();
  }

  /** Asks for itself, since no thread can ask for less afterwards without having had more. */
  private static final class Trial extends Thread {
    private final OperatingSystem system;
    private volatile Grant grant =
        new Grant(
            0,
            ThreadScheduling.OTHER,
            List.of(
                new Shortfall(
                    "policy",
                    ThreadScheduling.fifo(CpuScheduler.NEEDED_PRIORITY).toString(),
                    "the thread that asks was not waited for",
                    "start the manager on a thread that is not interrupted")));

    Trial(OperatingSystem system) {
      super(null, null, "takt-cpu-trial", 0, false);
      setDaemon(true);
      this.system = system;
    }

    @Override
    public void run() {
      grant = system.schedule(ThreadScheduling.fifo(CpuScheduler.NEEDED_PRIORITY));
    }
  }
}
