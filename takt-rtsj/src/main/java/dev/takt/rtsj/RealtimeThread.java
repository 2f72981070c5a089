package dev.takt.rtsj;

import dev.takt.realtime.Arrival;
import dev.takt.realtime.ArrivalException;
import dev.takt.realtime.LatePolicy;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.QueuePolicy;
import dev.takt.realtime.ReleaseParameters;
import dev.takt.realtime.RunningRelease;
import dev.takt.realtime.Schedulable;
import dev.takt.realtime.internal.Await;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Shortfall;
import dev.takt.realtime.os.Sleeper;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.rtsj.local.ThreadWithRecord;
import dev.takt.rtsj.memory.HeapArea;
import dev.takt.rtsj.memory.MemoryArea;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A thread that asks for its scheduling, is released by time or by arrivals, and counts how well
 * that went.
 *
 * <p><b>Purpose.</b> The thread of control loops and servers: what {@code RealtimeThread} and
 * {@code NoHeapRealtimeThread} are in the RTSJ, on a stock JVM. It comes in three {@linkplain
 * ThreadKind kinds}.
 *
 * <p><b>Two ways to write one.</b> A <em>body</em> runs in each release; a <em>program</em> runs
 * once and waits for its releases itself:
 *
 * {@snippet :
 * RealtimeThread control =
 *     RealtimeThread.builder("control")
 *         .scheduling(ThreadScheduling.fifo(50))
 *         .release(Periodic.ofNs(50_000_000).withDeadlineNs(10_000_000))
 *         .onMiss((thread, release, lateNs) -> alarm.fire())
 *         .body(thread -> step())
 *         .start();
 * System.out.println(control.grant());
 *
 * RealtimeThread other =
 *     RealtimeThread.builder("other")
 *         .release(Periodic.ofNs(50_000_000))
 *         .program(
 *             thread -> {
 *               prepare();
 *               while (thread.waitForNextPeriod()) {
 *                 step();
 *               }
 *             })
 *         .start();
 * }
 *
 * <p><b>Guarantees.</b> (1) A release begins at or after its release time, never before, and
 * releases do not overlap. (2) Release times follow from the {@link ReleaseParameters} alone, so a
 * late one does not shift the next. (3) Each release that ends is judged once: on time or a miss,
 * within its budget or an overrun. (4) {@link #stop} and {@link #interrupt} end a wait at once. (5)
 * What a body or a handler throws is counted and reported; an {@link Exception} of a body ends its
 * release only, everything else ends the thread. (6) Nothing is thrown because the operating system
 * does not grant something; {@link #grant} says what.
 *
 * <p><b>Assumption.</b> A Java thread, whatever its priority, stops at the JVM's safepoints.
 *
 * <p><b>Thread rule.</b> {@link #waitForNextPeriod}, {@link #waitForNextRelease}, {@link
 * #releaseNs} and {@link #beginNs} are for the thread itself, everything else for any thread.
 *
 * <p><b>Memory.</b> Waiting, releasing and judging allocate nothing.
 */
public final class RealtimeThread implements Schedulable, AutoCloseable {
  /** The Java thread, with a link to its real-time thread; an interrupt wakes its sleeper. */
  private static final class Carrier extends ThreadWithRecord {
    private final RealtimeThread owner;

    Carrier(RealtimeThread owner, String name) {
      super(owner::run, name);
      this.owner = owner;
    }

    @Override
    public void interrupt() {
      super.interrupt();
      owner.cycle.sleeper.wake();
    }
  }

  private final ThreadKind kind;
  private final ThreadScheduling scheduling;
  private final OperatingSystem system;
  private final NanoClock clock;
  private final MemoryArea area;
  private final @Nullable ThreadBody body;
  private final @Nullable ThreadBody program;
  private final ReleaseCycle cycle;
  private final Carrier carrier;
  private final AtomicBoolean started = new AtomicBoolean();
  private final CountDownLatch scheduled = new CountDownLatch(1);
  private volatile @Nullable Grant grant;

  RealtimeThread(RealtimeThreadBuilder settings) {
    kind = settings.kind;
    scheduling = settings.scheduling;
    system = settings.system;
    clock = settings.clock;
    area = settings.area();
    body = settings.body;
    program = settings.program;
    carrier = new Carrier(this, settings.name);
    carrier.setDaemon(settings.daemon);
    cycle = new ReleaseCycle(this, settings);
  }

  /**
   * Begins to describe a thread.
   *
   * @param name the name of the thread
   */
  public static RealtimeThreadBuilder builder(String name) {
    return new RealtimeThreadBuilder(name);
  }

  /**
   * Starts a thread without release parameters.
   *
   * @param name its name
   * @param scheduling what it asks for
   * @param program what it does, once
   */
  public static RealtimeThread start(String name, ThreadScheduling scheduling, ThreadBody program) {
    return builder(name).scheduling(scheduling).program(program).start();
  }

  /** Returns the calling thread, if it is a real-time thread; otherwise null. */
  public static @Nullable RealtimeThread current() {
    return Thread.currentThread() instanceof Carrier each ? each.owner : null;
  }

  /**
   * Starts it; its time begins now.
   *
   * @return this, when the thread has asked for its scheduling
   * @throws IllegalStateException if it was started before
   */
  public RealtimeThread start() {
    return startAt(clock.nanoTime());
  }

  /**
   * Starts it; its time begins at a moment that it may share with other threads, so that the phases
   * between them are exact. A moment that has passed makes the first release a late one.
   *
   * @param originNs what the phase is counted from, by the clock of the thread
   * @return this, when the thread has asked for its scheduling
   * @throws IllegalStateException if it was started before
   */
  public RealtimeThread startAt(long originNs) {
    if (!started.compareAndSet(false, true)) {
      throw new IllegalStateException("thread " + name() + " was started before (build another)");
    }
    cycle.releases.start(originNs);
    try {
      carrier.start();
    } catch (Throwable e) {
      started.set(false); // the system has no thread to give now; it may have one later
      throw e;
    }
    Await.uninterruptibly(scheduled::await);
    return this;
  }

  private void run() {
    try {
      try {
        grant = askForScheduling();
      } finally {
        scheduled.countDown();
      }
      if (kind == ThreadKind.NO_HEAP) {
        HeapArea.forbid();
      }
      if (area == HeapArea.instance()) {
        work();
      } else {
        area.enter(this::work);
      }
    } catch (Throwable e) {
      cycle.failed(e);
    }
  }

  /** All that it does; what goes wrong with it ends here. */
  private void work() {
    try {
      if (program != null) {
        program.run(this);
      } else if (body != null) {
        runReleases(body);
      }
    } catch (InterruptedException _) {
      // An interrupt asks the thread to end.
    } catch (Throwable e) {
      cycle.end();
      cycle.failed(e);
    } finally {
      cycle.end();
      cycle.releases.closeArrivals();
    }
  }

  private Grant askForScheduling() {
    Grant granted =
        kind == ThreadKind.ORDINARY
            ? system.granted(system.threadId())
            : system.schedule(scheduling);
    List<Shortfall> shortfalls = new ArrayList<>(granted.shortfalls());
    if (cycle.lacksByteMeter()) {
      shortfalls.add(
          new Shortfall(
              "allocation check",
              kind.toString(),
              "this JVM does not measure what a thread allocates",
              "run on a HotSpot JVM"));
    }
    Shortfall cost = cycle.releases.shortfall();
    if (cost != null) {
      shortfalls.add(cost);
    }
    return new Grant(granted.threadId(), granted.scheduling(), shortfalls);
  }

  private void runReleases(ThreadBody each) throws InterruptedException {
    while (true) {
      if (cycle.next()) {
        try {
          each.run(this);
        } catch (InterruptedException e) {
          throw e;
        } catch (Exception e) {
          cycle.end(); // the release is judged without what the failure's handler takes
          cycle.failed(e);
        }
      } else if (isStopped() || carrier.isInterrupted()) {
        return;
      }
    }
  }

  /**
   * Ends the present release, if there is one, and waits for the next period; {@link
   * #waitForNextRelease}, for periodic threads.
   *
   * @throws IllegalStateException if the thread is not periodic, or not the calling one
   */
  public boolean waitForNextPeriod() {
    if (!cycle.isPeriodic()) {
      throw new IllegalStateException(
          "thread " + name() + " is not periodic (remedy: builder(..).release(Periodic.ofNs(..)))");
    }
    return waitForNextRelease();
  }

  /**
   * Ends the present release, if there is one, and waits for the next: judges the one that ends,
   * calls the handlers if it went wrong, and sleeps until the release time of the next, at once if
   * that has passed.
   *
   * @return true when the next release begins; false if the thread is stopped or interrupted (its
   *     interrupt status stays set). With {@link LatePolicy#CATCH_UP} and without a miss handler,
   *     it also returns false, without waiting, once after each release that missed its deadline
   * @throws IllegalStateException if the thread has no release parameters, or is not the calling
   *     one
   */
  public boolean waitForNextRelease() {
    if (Thread.currentThread() != carrier) {
      throw new IllegalStateException(
          "thread " + name() + " waits for its releases itself; this is " + Thread.currentThread());
    }
    return cycle.next();
  }

  /**
   * Brings an arrival: releases a sporadic or aperiodic thread, now or as soon as it may be.
   *
   * @return what becomes of it: {@link Arrival#ACCEPTED}, {@link Arrival#SAVED}, {@link
   *     Arrival#REPLACED} or {@link Arrival#IGNORED}, also after {@link #stop} and when the thread
   *     has ended
   * @throws ArrivalException if it is refused, as {@link QueuePolicy#EXCEPT} asks for
   * @throws IllegalStateException if the thread is neither sporadic nor aperiodic
   */
  public Arrival release() {
    return cycle.arrive();
  }

  /**
   * Makes the present wait, and every later one, return false. A release that runs is not
   * disturbed. Returns at once, see {@link #join}. Cannot be undone.
   */
  public void stop() {
    cycle.releases.closeArrivals();
    cycle.timer.cancel();
  }

  /** Returns whether {@link #stop} was called. */
  public boolean isStopped() {
    return cycle.timer.isCancelled();
  }

  /** Interrupts it, and wakes it if it sleeps. */
  public void interrupt() {
    carrier.interrupt();
  }

  /** Returns whether it has been started and has not ended. */
  public boolean isAlive() {
    return carrier.isAlive();
  }

  /** Waits until it has ended; returns at once if it was never started. */
  public void join() throws InterruptedException {
    carrier.join();
  }

  /**
   * Waits until it has ended, for a limited time; returns at once if it was never started.
   *
   * @return whether it has ended, or was not started; also while {@link #start} is about to
   */
  public boolean join(Duration limit) throws InterruptedException {
    return carrier.getState() == Thread.State.NEW || carrier.join(limit);
  }

  /**
   * Stops it and, unless it is the calling thread, waits until it has ended. An interrupt ends this
   * wait, and stays set.
   */
  @Override
  public void close() {
    stop();
    if (Thread.currentThread() != carrier) {
      Await.orInterrupt(carrier::join);
    }
  }

  /** Returns its name. */
  @Override
  public String name() {
    return carrier.getName();
  }

  /** Returns the priority that it asks for. */
  @Override
  public int priority() {
    return scheduling.priority();
  }

  /**
   * Returns when it is released.
   *
   * @throws IllegalStateException if it has no release parameters
   */
  @Override
  public ReleaseParameters parameters() {
    return cycle.parameterized().parameters();
  }

  @Override
  public @Nullable RunningRelease running() {
    return cycle.releases.running();
  }

  /** Returns its kind. */
  public ThreadKind kind() {
    return kind;
  }

  /** Returns the thread itself. */
  public Thread thread() {
    return carrier;
  }

  /**
   * Returns what the operating system has granted.
   *
   * @throws IllegalStateException if the thread was not started
   */
  public Grant grant() {
    Grant granted = grant;
    if (granted == null) {
      throw new IllegalStateException("thread " + name() + " asks when it starts (call start())");
    }
    return granted;
  }

  /**
   * Returns what the thread sleeps with: a program may sleep by it, and must expect to be woken for
   * no reason; {@link #stop} and {@link #interrupt} wake it.
   */
  public Sleeper sleeper() {
    return cycle.sleeper;
  }

  /** Returns the release time of the present release, or of the last one, by the thread's clock. */
  public long releaseNs() {
    return cycle.releases.dueNs();
  }

  /** Returns when the present release, or the last one, has begun, by the thread's clock. */
  public long beginNs() {
    return cycle.releases.beginNs();
  }

  /** Returns the number of the present release, or of the last one, from 1; 0 before the first. */
  public long releaseNumber() {
    return cycle.releases.releases();
  }

  /**
   * Returns how long the release that runs now is past its deadline, in nanoseconds; 0 if it is
   * not, or none runs. This is how another thread notices a release that does not end.
   */
  public long overdueNs() {
    return cycle.overdueNs();
  }

  /** Returns what has happened so far. */
  public ReleaseCounts counts() {
    return cycle.counts();
  }

  @Override
  public String toString() {
    return "RealtimeThread[" + name() + ", " + kind + ", " + scheduling + "]";
  }
}
