package dev.takt.cpu;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.Supervised;
import dev.takt.realtime.TimeText;
import dev.takt.realtime.flight.TaktEvents;
import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.Sleeper;
import dev.takt.realtime.os.ThreadScheduling;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What is done about a task that exceeds its cost, by its class: its priority goes at once, by the
 * thread that has found it; what needs a lock or has to wait is done on this thread.
 *
 * <p>The thread is there before it is needed, because a caller may have no memory left to make one,
 * and it has a priority above all tasks where that is granted, so that it does not wait for those
 * that it protects. It needs little of the processor: most of the time it waits for the release to
 * come by a stop site. Several tasks are contained side by side, in short steps, so that none waits
 * for one that cannot be stopped; while there is one alone its steps are longer, and end when
 * another is found.
 *
 * <p><b>Guarantee.</b> What a step throws, for want of memory too, ends neither the thread nor the
 * containment of others: where memory was missing the step is taken again. What is being contained
 * is a list without nodes, because there may be no memory left for one.
 *
 * <p><b>Priorities.</b> A demoted thread shares fairly, with nice value 0, at once. Flipping its
 * stop sites brings all threads of the JVM to a safepoint, and the other tasks stand still until
 * the demoted one has got the processor to come to its own. On a busy machine that can take as long
 * as all others have a turn. So for the first steps it has the lowest real-time priority, on the
 * processors of real-time threads, if the JVM's own thread has a higher one and there are other
 * processors for all the rest; else it gets the processor in short slices.
 *
 * <p><b>Where.</b> Only what ends the release is done above the tasks, by whose processors it is.
 * What comes after that (the share is given back, people are told, which writes to logs) is done
 * where there is a processor for all other threads, with the greatest share that a nice value gives
 * there. A real-time priority would be wrong there: it preempts compiler threads, and then waits
 * for them by spinning.
 *
 * <p><b>Rehearsal.</b> All this is {@linkplain Rehearsal done once} before it is needed.
 *
 * <p><b>Order.</b> Quarantine, abort, and only then what needs the manager's lock: its holder may
 * be waiting for the processor of the release that runs away.
 *
 * <p><b>Thread rule:</b> any thread.
 */
final class Containment extends Thread implements Supervisor.Findings {
  /** Below the supervisor, above all tasks. */
  private static final int PRIORITY = CpuScheduler.HIGHEST_PRIORITY + 4;

  /**
   * How long the release of a task that is dropped may take to end, in nanoseconds: one that has
   * the heap collected again and again comes by its stop sites rarely.
   */
  private static final long ABORT_NS = 3_000_000_000L;

  /**
   * How long one is waited for before the next one is looked at, in nanoseconds; each time twice as
   * long, because one that comes by a stop site rarely has to find it flipped.
   */
  private static final long ABORT_STEP_NS = 5_000_000;

  /**
   * Up to steps of this length, one that is to end comes before all but tasks; while there are
   * others that are to end, no step is longer.
   */
  private static final long HURRY_STEP_NS = 4 * ABORT_STEP_NS;

  /**
   * What the end of one release takes of the processor of tasks, and so how long they have it
   * before the end of the next one, in nanoseconds.
   */
  private static final long BETWEEN_NS = 2_000_000;

  /** How long to wait after the heap was full. */
  private static final long RETRY_NS = 1_000_000;

  private final ManagedTasks tasks;
  private final ManagerSettings settings;
  private final OperatingSystem system;
  private final NanoClock clock;
  private final ThreadScheduling scheduling;
  private final ProcessorsApart places;
  private final Sleeper sleeper;
  private final ColdCode cold;
  private final ConcurrentLinkedQueue<Runaway> found = new ConcurrentLinkedQueue<>();

  /** The first of those that are being contained; of this thread. */
  private @Nullable Runaway open;

  /** Whether there is a place beside the processors of tasks. */
  private boolean hasAside;

  /** Whether it waits for the end of a release; an interrupt ends that wait. */
  private volatile boolean waits;

  private volatile boolean ended;

  /**
   * Makes one.
   *
   * @param places gives threads of the manager the processors that they may use
   */
  Containment(ManagedTasks tasks, ManagerSettings settings, ProcessorsApart places) {
    super(null, null, "takt-cpu-contain", 0, false);
    setDaemon(true);
    this.tasks = tasks;
    this.settings = settings;
    this.system = settings.system();
    this.clock = settings.clock();
    this.places = places;
    this.scheduling = places.realtime(ThreadScheduling.fifo(PRIORITY));
    this.sleeper = clock.newSleeper();
    this.cold = new ColdCode(clock.nanoTime());
  }

  /** Returns whether code is cold because its stop sites were flipped. */
  ColdCode cold() {
    return cold;
  }

  @Override
  public void overrun(ManagedTask task, long usedNs) {
    Supervised subject = task.subject();
    if (subject == null || subject.parameters().budgetNs() == 0) { // else its engine tells it
      TaktEvents.overrun(task.name(), task.costNs(), usedNs);
    }
    tasks.report(
        task,
        ManagerEvent.Kind.OVERRUN,
        "%s used (limit: %s)".formatted(TimeText.of(usedNs), TimeText.of(task.costNs())));
  }

  /**
   * What a release takes beyond its cost is not at the priority that it was admitted with: until it
   * ends, its thread shares fairly, away from the processors of real-time threads. So others are
   * held up by what was admitted and one or two looks, whatever its grace, and however many do that
   * at once.
   */
  @Override
  public void spent(ManagedTask task, Supervised subject) {
    int threadId = task.threadId();
    if (policy(task) == OverrunPolicy.COUNT) {
      return;
    }
    if (task.state() == ManagedTask.State.SERVED) {
      subject.lower(); // the thread that serves it takes its priority back by itself
      places.expel(threadId);
    } else if (task.mayLosePriority()) {
      task.losesPriority(true);
      if (system.setPolicy(threadId, Policy.OTHER, 0) == Errno.NONE) {
        places.expel(threadId);
      }
      task.losesPriority(true); // again: the release may have ended and taken it back in between
    }
  }

  @Override
  public void demote(ManagedTask task, Supervised subject) {
    if (policy(task) != OverrunPolicy.COUNT && !task.isContained()) {
      subject.demote();
      places.expel(task.threadId());
    }
  }

  @Override
  public void exceeded(ManagedTask task, Supervised subject, String reason) {
    OverrunPolicy policy = policy(task);
    int life = task.life();
    if (policy != OverrunPolicy.COUNT && task.beginContainment()) {
      try {
        found.add(new Runaway(task, life, subject, policy, reason));
      } catch (OutOfMemoryError e) {
        task.notContained();
        throw e;
      }
      if (policy == OverrunPolicy.DROP) {
        cold.begin();
      }
      if (waits) {
        interrupt();
      }
      sleeper.wake();
    }
  }

  /**
   * Returns what is done with a task. A passive one has no thread of its own that could go on as
   * best effort: it would keep the worker of all others, so it is dropped instead.
   */
  private static OverrunPolicy policy(ManagedTask task) {
    OverrunPolicy policy = task.onOverrun();
    return policy == OverrunPolicy.DEMOTE && task.state() == ManagedTask.State.SERVED
        ? OverrunPolicy.DROP
        : policy;
  }

  /** Lets it end. */
  void end() {
    ended = true;
    sleeper.wake();
  }

  @Override
  public void run() {
    hasAside = places.favour();
    system.schedule(scheduling);
    Rehearsal.once(settings, places);
    while (!ended) {
      interrupted(); // an interrupt means nothing here, and would keep it from sleeping
      if (!step()) {
        sleeper.sleep();
      }
    }
  }

  /** Does something about what was found; returns whether there was anything. This thread alone. */
  boolean step() {
    Runaway next = found.poll();
    if (next != null) {
      next.after = open;
      open = next;
      return true;
    }
    if (open == null) {
      return false;
    }
    if (!abortAll(true)) { // so that none of these waits for those that do not end
      abortAll(false);
    }
    return true;
  }

  /** Takes one step with each, or with those alone that are new; returns whether there are any. */
  private boolean abortAll(boolean onlyNew) {
    boolean any = false;
    boolean anyIsOver = false;
    for (Runaway each = open; each != null; each = each.after) {
      if (!onlyNew || each.stepNs == ABORT_STEP_NS) {
        if (any) {
          clock.parkNanos(BETWEEN_NS);
        }
        any = true;
        anyIsOver |= abort(each);
      }
    }
    if (anyIsOver) {
      concludeAside();
    }
    return any;
  }

  /** Takes one step to end a release; returns whether there is no other. Throws nothing. */
  private boolean abort(Runaway runaway) {
    try {
      runaway.isOver = runaway.isOver || runaway.step();
    } catch (OutOfMemoryError e) {
      awaitMemory();
    } catch (RuntimeException | Error e) {
      // Of its own code: it must not end the containment of all others.
      runaway.isOver = true;
      runaway.failure = e;
    }
    return runaway.isOver;
  }

  /** Likely the runaway has used up the heap: its own request fails too, then there is room. */
  private void awaitMemory() {
    clock.parkNanos(RETRY_NS);
  }

  /** Takes those out that are over. */
  private void concludeAside() {
    if (hasAside) {
      places.slow(system.threadId());
    }
    Runaway before = null;
    for (Runaway each = open; each != null; each = each.after) {
      if (!each.isOver || !conclude(each)) {
        before = each;
      } else if (before == null) {
        open = each.after;
      } else {
        before.after = each.after;
      }
    }
    if (hasAside) {
      places.raise(system.threadId(), PRIORITY);
    }
  }

  /** Returns whether that was all; else there was no memory. Throws nothing. */
  private boolean conclude(Runaway runaway) {
    try {
      if (runaway.failure == null) {
        runaway.conclude();
      }
    } catch (OutOfMemoryError e) {
      awaitMemory();
      return false;
    } catch (RuntimeException | Error e) {
      runaway.failure = e;
    }
    if (runaway.failure != null) {
      tellThatItCannot(runaway, runaway.failure);
    }
    if (runaway.policy == OverrunPolicy.DROP) {
      cold.end(clock.nanoTime());
    }
    return true;
  }

  private void tellThatItCannot(Runaway runaway, Throwable thrown) {
    try {
      tasks.report(
          runaway.task,
          ManagerEvent.Kind.FAILED,
          "it cannot be contained: " + FailureText.of(thrown));
    } catch (RuntimeException | Error twice) {
      // for want of memory: it is contained as far as that is possible all the same
    }
  }

  /** One task that is contained; used by this thread alone. */
  private final class Runaway {
    private final ManagedTask task;

    /** That in which it has run away. */
    private final int life;

    private final Supervised subject;
    private final OverrunPolicy policy;
    private final String reason;
    private final long sinceNs = clock.nanoTime();
    private long stepNs = ABORT_STEP_NS;
    private final boolean isServed;
    private boolean quarantines;
    private boolean left;
    private boolean isGone;

    /** Whether all is done to end the release. */
    private boolean isOver;

    /** Why it cannot be contained; null: it can. */
    private @Nullable Throwable failure;

    private @Nullable Runaway after;

    Runaway(ManagedTask task, int life, Supervised subject, OverrunPolicy policy, String reason) {
      this.task = task;
      this.life = life;
      this.isServed = task.state() == ManagedTask.State.SERVED;
      this.subject = subject;
      this.policy = policy;
      this.reason = reason;
    }

    /** Takes one step to end the release; returns whether there is no other. */
    boolean step() {
      if (task.life() != life || policy == OverrunPolicy.DEMOTE) {
        return true;
      }
      quarantines = true;
      subject.quarantine(true);
      isGone = subject.running() == null || abort();
      stepNs = Math.min(2 * stepNs, ABORT_NS);
      if (isGone) {
        return true;
      }
      left = left || leave(); // its share is needed by others long before it can be given up
      return !left || clock.nanoTime() - sinceNs >= ABORT_NS;
    }

    /** Does what is left to do. */
    void conclude() {
      if (task.life() != life || (!left && !leave())) {
        goesOn();
        return;
      }
      left = true;
      if (policy == OverrunPolicy.DEMOTE) {
        return;
      }
      boolean gone = isGone || subject.running() == null;
      // Before its thread ends, which makes it ENDED.
      task.become(gone ? ManagedTask.State.DROPPED : ManagedTask.State.UNSTOPPABLE);
      subject.stop(reason);
      if (gone) {
        tasks.report(task, ManagerEvent.Kind.DROPPED, reason);
      } else {
        tasks.report(
            task,
            ManagerEvent.Kind.UNSTOPPABLE,
            reason
                + "; it keeps a thread busy"
                + place()
                + "; plain code ends where it has stop sites: give it @Stoppable and have it woven,"
                + " or run it by ./takt run");
      }
    }

    /** It has left for another reason; perhaps it was admitted again since. */
    private void goesOn() {
      if (quarantines) {
        subject.quarantine(false);
      }
    }

    private boolean abort() {
      boolean hurries = hurry();
      try {
        waits = true;
        return subject.abortRelease(Duration.ofNanos(waitNs()));
      } finally {
        waits = false;
        interrupted(); // one that was to end the wait
        if (hurries) {
          places.slow(task.threadId());
        }
      }
    }

    /** Returns how long this step waits: no longer than is left, and shortly beside others. */
    private long waitNs() {
      boolean isAlone = found.isEmpty() && open == this && after == null;
      long leftNs = Math.max(0, ABORT_NS - (clock.nanoTime() - sinceNs));
      return Math.min(leftNs, isAlone ? stepNs : Math.min(stepNs, HURRY_STEP_NS));
    }

    /**
     * Has the thread get the processor soon: after all tasks and before all others, for the first
     * steps; where that is not to be had, or the thread is that of others, too, often, in exchange
     * for less of it each time.
     *
     * @return whether it has the lowest real-time priority now
     */
    private boolean hurry() {
      int threadId = task.threadId();
      if (threadId == 0 || system.policy(threadId).isRealtime()) {
        return false;
      }
      if (stepNs <= HURRY_STEP_NS && !isServed && places.hurry(threadId)) {
        return true;
      }
      if (stepNs == ABORT_STEP_NS) {
        system.schedule(
            threadId, ThreadScheduling.OTHER.withSliceNs(ThreadScheduling.MIN_SLICE_NS));
      }
      return false;
    }

    /** Takes its share; returns false if it had lost that before, for another reason. */
    private boolean leave() {
      boolean was =
          tasks.locked(() -> task.life() == life && tasks.leave(task, ManagedTask.State.DEMOTED));
      if (was) {
        tasks.report(task, ManagerEvent.Kind.DEMOTED, reason);
      }
      // The latter if there was no memory for the rest, the time before.
      return was || task.state() == ManagedTask.State.DEMOTED;
    }

    /** Returns where the release that does not end is, for the people that have to mend it. */
    private String place() {
      var release = subject.running();
      Iterator<StackTraceElement> frames =
          release == null
              ? List.<StackTraceElement>of().iterator()
              : List.of(release.thread().getStackTrace()).iterator();
      return frames.hasNext() ? ", at " + frames.next() : "";
    }
  }
}
