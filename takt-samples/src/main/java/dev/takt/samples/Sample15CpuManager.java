package dev.takt.samples;

import dev.takt.cpu.AuthenticationClass;
import dev.takt.cpu.CpuManager;
import dev.takt.cpu.ManagedTask;
import dev.takt.cpu.ManagerEvent;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.OverrunPolicy;
import dev.takt.cpu.Profile;
import dev.takt.realtime.stop.Stoppable;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A CPU manager admits what fits, and ends what runs away: for plain code, without event space.
 *
 * <p>Each task says how often it is released and how much processor time a release takes. The
 * second one would take more than the 70 % that all may have together, so it is never started. The
 * third one does not keep to its budget: it is ended in the middle of its endless loop, because its
 * class of tasks says so, and because its code has stop sites ({@code @Stoppable}). The first one
 * goes on meanwhile.
 *
 * <p>You will see:
 *
 * <pre>
 * control: ADMITTED
 * greedy: REJECTED
 * runaway: DROPPED
 * control has gone on: true
 * </pre>
 */
public final class Sample15CpuManager {
  private static final long MS = 1_000_000;

  private Sample15CpuManager() {}

  /** Counts its releases. */
  private static final class Control implements Runnable {
    private volatile long releases;

    @Override
    @SuppressWarnings("NonAtomicOperationOnVolatileField") // written by one thread
    public void run() {
      releases++;
    }
  }

  /** Does not end. */
  @Stoppable
  private static final class Runaway implements Runnable {
    private long turns;

    @Override
    public void run() {
      while (turns >= 0) {
        turns = turns + 1 & Long.MAX_VALUE;
      }
    }
  }

  /** Runs the sample. */
  public static void main(String[] args) throws InterruptedException {
    BlockingQueue<ManagerEvent> events = new LinkedBlockingQueue<>();
    AuthenticationClass plugins = AuthenticationClass.DEFAULT.withOnOverrun(OverrunPolicy.DROP);
    Control control = new Control();
    try (CpuManager manager =
        CpuManager.start(ManagerSettings.defaults().withEvents(events::add))) {
      Profile each10Ms = Profile.of("control", 10 * MS).withBudgetNs(3 * MS);
      show(manager.register(each10Ms, control));

      Profile half = Profile.of("greedy", 100 * MS).withBudgetNs(50 * MS);
      ManagedTask greedy = manager.register(half, () -> {});
      show(greedy); // greedy.decision().reason() says why, and what would fit

      Profile plugin = Profile.of("runaway", 10 * MS).withBudgetNs(MS).in(plugins);
      ManagedTask runaway = manager.register(plugin, new Runaway());
      while (events.take().kind() != ManagerEvent.Kind.DROPPED) {
        // what else is reported: admissions, overruns
      }
      show(runaway);
      long before = control.releases;
      while (control.releases < before + 10) {
        Thread.onSpinWait();
      }
      IO.println("control has gone on: " + (control.releases > before));
    }
  }

  private static void show(ManagedTask task) {
    IO.println(task.name() + ": " + task.state());
  }
}
