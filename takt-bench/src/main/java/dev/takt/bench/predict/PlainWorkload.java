package dev.takt.bench.predict;

import dev.takt.bench.measure.LatenessRecorder;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.space.Event;
import dev.takt.space.SpaceTransaction;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The same work in plain Java: by a {@link ScheduledThreadPoolExecutor}, which catches up with what
 * it has missed, or in a loop with {@link LockSupport#parkNanos(long)}, which skips it.
 */
final class PlainWorkload implements Workload {
  private final RunConfig setting;
  private final boolean executor;
  private final boolean realtime;
  private final Event book = new Event("type", "book");
  private final Event taken = new Event();
  private final Consumer<SpaceTransaction> takeAndWrite = this::takeAndWrite;
  private volatile boolean stopped;
  private volatile Grant grant;
  private volatile ScheduledFuture<?> schedule;
  private boolean aligned;
  private long dueNs;

  PlainWorkload(RunConfig setting, boolean executor, boolean realtime) {
    this.setting = setting;
    this.executor = executor;
    this.realtime = realtime;
  }

  @Override
  public void run(LatenessRecorder record, long warmup, long count) throws Exception {
    record.begin(warmup, count, () -> 0);
    boolean ended = executor ? execute(record) : loop(record);
    if (!ended) {
      throw new IllegalStateException("the releases do not come to an end");
    }
  }

  private boolean execute(LatenessRecorder record) throws InterruptedException {
    schedule = null;
    aligned = false;
    try (ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(1)) {
      pool.execute(this::enlist);
      long periodNs = setting.periodNs();
      schedule =
          pool.scheduleAtFixedRate(
              () -> releaseOfExecutor(record), periodNs, periodNs, TimeUnit.NANOSECONDS);
      boolean ended = record.await();
      pool.shutdownNow();
      return ended;
    }
  }

  private void releaseOfExecutor(LatenessRecorder record) {
    ScheduledFuture<?> schedule = this.schedule;
    if (schedule != null) {
      if (!aligned) {
        // Its delay is the time until the present run was due, negative, as long as the run lasts.
        dueNs = System.nanoTime() + schedule.getDelay(TimeUnit.NANOSECONDS);
        aligned = true;
      }
      release(record);
    }
  }

  private boolean loop(LatenessRecorder record) throws InterruptedException {
    stopped = false;
    Thread thread = Thread.ofPlatform().daemon().start(() -> loopUntilStopped(record));
    boolean ended = record.await();
    stopped = true;
    thread.join();
    return ended;
  }

  private void loopUntilStopped(LatenessRecorder record) {
    enlist();
    dueNs = System.nanoTime() + setting.periodNs();
    while (!stopped) {
      long nowNs = System.nanoTime();
      while (nowNs - dueNs < 0) {
        LockSupport.parkNanos(dueNs - nowNs);
        nowNs = System.nanoTime();
      }
      release(record);
      while (nowNs - dueNs > 0) {
        dueNs += setting.periodNs();
      }
    }
  }

  /** Serves the present due time, and goes on to the next. */
  private void release(LatenessRecorder record) {
    long startNs = System.nanoTime();
    setting.space().transact(takeAndWrite);
    record.released(dueNs, startNs, System.nanoTime());
    dueNs += setting.periodNs();
  }

  private void takeAndWrite(SpaceTransaction transaction) {
    if (transaction.take(book, taken)) {
      transaction.write(taken);
    }
  }

  private void enlist() {
    ThreadScheduling asked = realtime ? setting.fifo() : setting.anywhere();
    grant = OperatingSystems.current().schedule(asked);
  }

  @Override
  public Map<String, Double> facts() {
    return RunConfig.facts(grant);
  }
}
