package dev.takt.cpu;

import dev.takt.realtime.LeadBounds;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.ReleaseTimer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is done four times a second and may wait for locks and files: so the supervisor's looks do
 * not wait for it.
 *
 * <p><b>Thread rule:</b> {@link #end}: any thread.
 */
final class CpuMonitorThread extends Thread {
  private static final long PERIOD_NS = 250_000_000;

  private final NanoClock clock;
  private final ReleaseTimer timer;
  private final Runnable work;

  private CpuMonitorThread(NanoClock clock, Runnable work) {
    super(null, null, "takt-cpu-monitor", 0, false);
    setDaemon(true);
    this.clock = clock;
    this.work = work;
    this.timer = new ReleaseTimer(clock, clock.newSleeper(), LeadBounds.NO_SPIN);
  }

  /** Returns the thread for what settings ask for; null: they ask for nothing of this. */
  static @Nullable CpuMonitorThread of(
      ManagedTasks tasks, ManagerSettings settings, LookThread looks) {
    CostStore store = tasks.store();
    List<Runnable> work = new ArrayList<>();
    if (settings.mostExtensum() > 0) {
      work.add(new MeasuredExtensum(tasks, settings, looks)::sample);
    }
    if (store != null) {
      work.add(store::write);
    }
    return work.isEmpty()
        ? null
        : new CpuMonitorThread(settings.clock(), () -> work.forEach(Runnable::run));
  }

  @Override
  public void run() {
    while (timer.await(clock.nanoTime() + PERIOD_NS)) {
      interrupted(); // an interrupt means nothing here, and would keep it from sleeping
      work.run();
    }
  }

  /** Lets it end. */
  void end() {
    timer.cancel();
  }
}
