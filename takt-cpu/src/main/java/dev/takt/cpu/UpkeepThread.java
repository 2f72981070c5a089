package dev.takt.cpu;

import dev.takt.realtime.LeadBounds;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.ReleaseTimer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What is done four times a second and may wait for locks and files, so that the supervisor's looks
 * do not wait for it: what time is to spare, learning of full samples, E, the file with what was
 * learned, and the log.
 *
 * <p>What one of these throws does not keep the others from being done, nor itself the next time.
 *
 * <p><b>Thread rule:</b> {@link #end}: any thread.
 */
final class UpkeepThread extends Thread {
  private static final long PERIOD_NS = 250_000_000;

  private final NanoClock clock;
  private final ReleaseTimer timer;
  private final List<Runnable> work;
  private final Consumer<Throwable> faults;

  /**
   * Makes one.
   *
   * @param work is done in this order
   * @param faults is told what the work has thrown
   */
  UpkeepThread(NanoClock clock, List<Runnable> work, Consumer<Throwable> faults) {
    super(null, null, "takt-cpu-upkeep", 0, false);
    setDaemon(true);
    this.clock = clock;
    this.work = List.copyOf(work);
    this.faults = faults;
    this.timer = new ReleaseTimer(clock, clock.newSleeper(), LeadBounds.NO_SPIN);
  }

  /** Returns the thread for what settings ask for. */
  static UpkeepThread of(
      ManagedTasks tasks, CostLearning learning, ManagerSettings settings, LookThread looks) {
    CostStore store = tasks.store();
    List<Runnable> work = new ArrayList<>();
    work.add(tasks::refreshSpare);
    work.add(learning::learnAll);
    if (settings.mostExtensum() > 0) {
      work.add(new MeasuredExtensum(tasks, settings, looks)::sample);
    }
    if (store != null) {
      work.add(store::write);
    }
    EventLog log = tasks.log();
    if (log != null) {
      work.add(log::print);
    }
    return new UpkeepThread(settings.clock(), work, thrown -> tasks.fault("upkeep", thrown));
  }

  @Override
  public void run() {
    while (timer.await(clock.nanoTime() + PERIOD_NS)) {
      interrupted(); // an interrupt means nothing here, and would keep it from sleeping
      workOnce();
    }
  }

  void workOnce() {
    for (Runnable each : work) {
      try {
        each.run();
      } catch (RuntimeException | Error thrown) {
        told(thrown);
      }
    }
  }

  private void told(Throwable thrown) {
    try {
      faults.accept(thrown);
    } catch (RuntimeException | Error twice) {
      // out of memory, most likely; the work goes on the next time
    }
  }

  /** Lets it end. */
  void end() {
    timer.cancel();
  }
}
