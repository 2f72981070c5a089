package dev.takt.reflex;

import dev.takt.realtime.AdmissionAnswer;
import dev.takt.realtime.AdmissionRequest;
import dev.takt.realtime.internal.Names;
import dev.takt.reflex.RuntimePhase.Phase;
import dev.takt.reflex.limit.ReleaseStopped;
import dev.takt.space.EventSpace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Runs tasks over an event space: active tasks by time, each on a thread of its own, passive tasks
 * by their events, on a pool of workers.
 *
 * <p>The life of a runtime goes one way:
 *
 * <pre>
 *   NEW --start--&gt; STARTING -&gt; RUNNING --drain--&gt; DRAINING
 *    |                 |           |                  |
 *    +-----------------+----- stop, abort, close -----+--&gt; STOPPING -&gt; STOPPED
 * </pre>
 *
 * <p>No committed event is lost on the way: what no task has taken stays in the space.
 *
 * <p>A release that does not end by itself is ended by {@link #stop} at the next backward branch of
 * its woven code, and undone. One that hangs elsewhere (in a native method, in code that is not
 * woven) cannot be ended on a stock JVM: {@code stop} then returns false and the thread goes on.
 *
 * <p>The threads of a runtime keep the JVM alive: close it.
 *
 * <p><b>Thread rule:</b> any thread, all methods, at the same time. {@code stop} and {@code drain}
 * called inside a release cannot wait for that release: they have their effect and return false.
 *
 * <p><b>Memory:</b> see {@link RuntimeSettings}; an active task costs a thread, a passive one about
 * a kilobyte, and each what its memory asks for (see {@link dev.takt.reflex.woven}).
 *
 * {@snippet :
 * try (ReflexRuntime runtime = ReflexRuntime.create(space)) {
 *   runtime.active("feed", new Feed(), Schedule.periodic(100_000).priority(20));
 *   runtime.passive("buyer", new StockBuyer(), 10);
 *   runtime.start();
 *   runtime.drain(Duration.ofSeconds(10));
 * }
 * }
 */
public final class ReflexRuntime implements AutoCloseable {
  /** The lowest priority of a task. */
  public static final int MIN_PRIORITY = 0;

  /** The highest priority of a task. */
  public static final int MAX_PRIORITY = 99;

  /** How long {@link #close} waits for running releases. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  /** How long a draining thread sleeps between two looks. */
  private static final long DRAIN_LOOK_NS = 200_000;

  private final EventSpace space;
  private final RuntimeSettings settings;
  private final Registrar registrar;
  private final SetupThread setUp = new SetupThread();
  private final WarmUp warmUp = new WarmUp(this);
  final WorkerPool pool;

  /** Held while tasks are registered and initialized: possibly long. */
  final ReentrantLock registration = new ReentrantLock();

  /** Its monitor guards {@link #threads}, too. */
  final RuntimePhase life = new RuntimePhase();

  /** Changed under both locks, so it may be read under either. */
  private final List<TaskRunner> runners = new ArrayList<>();

  private final List<ActiveRunner> active = new CopyOnWriteArrayList<>();
  private final List<RuntimeThread> threads = new ArrayList<>();
  private final AtomicInteger running = new AtomicInteger();

  /** Whether the caller's threads set tasks up and run them, in {@link #doWork}. */
  final boolean driven;

  private boolean hasWorkers;

  final ProcessReservations machine;
  private final RuntimeCounters counters = new RuntimeCounters(this);

  private ReflexRuntime(
      EventSpace space, RuntimeSettings settings, boolean sweeping, boolean driven) {
    this.driven = driven;
    this.hasWorkers = driven;
    this.space = Objects.requireNonNull(space, "space");
    this.settings = settings;
    this.registrar = new Registrar(this.settings);
    this.machine = new ProcessReservations(settings.scheduling());
    this.pool = new WorkerPool(this, registrar.admission, sweeping);
  }

  /** Makes a runtime with the default settings. */
  public static ReflexRuntime create(EventSpace space) {
    return create(space, RuntimeSettings.DEFAULTS);
  }

  /** Makes a runtime. */
  public static ReflexRuntime create(EventSpace space, RuntimeSettings settings) {
    return new ReflexRuntime(space, settings, true, false);
  }

  /**
   * Makes a runtime whose workers do not look for matches on their own: tests show that none is
   * missed even so.
   */
  static ReflexRuntime withoutSweep(EventSpace space, RuntimeSettings settings) {
    return new ReflexRuntime(space, settings, false, false);
  }

  /**
   * Makes a runtime for passive tasks without threads: they are set up by the thread that registers
   * them or starts the runtime, and released in {@link #doWork}. Each is a {@link
   * dev.takt.reflex.woven.TaskThread}.
   */
  static ReflexRuntime withoutThreads(EventSpace space, RuntimeSettings settings) {
    return new ReflexRuntime(space, settings, true, true);
  }

  /**
   * Releases a passive task, if one is ready: what a worker does between two rests.
   *
   * @param context not in use
   * @return whether a task was ready
   */
  boolean doWork(ReleaseContext context) {
    running.incrementAndGet();
    try {
      PassiveRunner runner = life.mayRelease() ? pool.poll() : null;
      if (runner != null) {
        runner.run(context);
      }
      return runner != null;
    } finally {
      onThreadEnd();
    }
  }

  /** Returns the space of the tasks. */
  public EventSpace space() {
    return space;
  }

  /** Returns the settings. */
  public RuntimeSettings settings() {
    return settings;
  }

  /**
   * Returns what the operating system has granted: after {@link #start}, all of it; of tasks that
   * are registered later, as soon as they are.
   */
  public RuntimeGrants grants() {
    List<ThreadGrant> granted = new ArrayList<>();
    active.forEach(runner -> runner.addGrantTo(granted));
    pool.addGrantsTo(granted);
    return new RuntimeGrants(
        settings.scheduling(),
        granted,
        machine.memory(),
        machine.housekeeping(),
        machine.wakeLatency(),
        allRunners().stream()
            .flatMap(each -> Stream.ofNullable(each.releases.shortfall()))
            .findFirst()
            .orElse(null));
  }

  /** Returns all tasks that are registered, in the order of registration. */
  public List<TaskControl> tasks() {
    return List.copyOf(allRunners());
  }

  /**
   * Registers an active task. While the runtime runs, the task is initialized and started at once.
   *
   * @param name a name that no other task of this runtime has
   * @param task a task that has not been registered before
   * @param schedule when it is released
   * @throws IllegalArgumentException if the task's classes are not woven and verified, or its
   *     stable objects do not fit into its stable size or belong to another task
   * @throws IllegalStateException if the runtime drains or has stopped, or the task is not admitted
   *     or fails to initialize
   */
  public TaskControl active(String name, ReflexTask task, Schedule schedule) {
    schedule.requireActive(true);
    lockRegistration();
    try {
      TaskState state = state(name, task, schedule, registrar.admission::decide);
      ActiveRunner runner = new ActiveRunner(this, name, task, schedule, state);
      active.add(runner);
      register(runner, schedule);
      return runner;
    } finally {
      registration.unlock();
    }
  }

  /**
   * Registers a passive task. While the runtime runs, the task is initialized and may be released
   * at once.
   *
   * @param name a name that no other task of this runtime has
   * @param task a task that has not been registered before, and that subscribes when it is
   *     initialized
   * @param priority {@link #MIN_PRIORITY} to {@link #MAX_PRIORITY}; of the tasks that wait for a
   *     worker, the highest goes first
   * @see #passive(String, ReflexTask, Schedule)
   */
  public TaskControl passive(String name, ReflexTask task, int priority) {
    return passive(name, task, Schedule.onMatch().priority(priority));
  }

  /**
   * Registers a passive task, with a deadline or a budget. While the runtime runs, the task is
   * initialized and may be released at once.
   *
   * @param name a name that no other task of this runtime has
   * @param task a task that has not been registered before, and that subscribes when it is
   *     initialized
   * @param schedule what is expected of a release. A release is due when the commit has made the
   *     match for which it is released; what a release leaves in the space is due for the next one
   *     when that release has ended
   * @throws IllegalArgumentException if the task's classes are not woven and verified, or its
   *     stable objects do not fit into its stable size or belong to another task
   * @throws IllegalStateException if the runtime drains or has stopped, or the task is not admitted
   *     or fails to initialize
   */
  public TaskControl passive(String name, ReflexTask task, Schedule schedule) {
    schedule.requireActive(false);
    lockRegistration();
    try {
      TaskState state =
          state(
              name,
              task,
              schedule,
              request -> driven ? registrar.admission.decide(request) : pool.admit(request));
      PassiveRunner runner =
          new PassiveRunner(this, name, task, schedule, state, pool, pool.size());
      pool.add(runner);
      register(runner, schedule);
      return runner;
    } finally {
      registration.unlock();
    }
  }

  private void lockRegistration() {
    if (setUp.isCurrent()) {
      throw new IllegalStateException(
          "a task cannot start the runtime or register tasks in initialize(); do it in another"
              + " thread, or in execute()");
    }
    registration.lock();
  }

  private TaskState state(
      String name,
      ReflexTask task,
      Schedule schedule,
      Function<AdmissionRequest, AdmissionAnswer> admission) {
    Names.check("a task", Objects.requireNonNull(name, "name"));
    Objects.requireNonNull(task, "task");
    Phase phase = life.phase();
    if (phase != Phase.NEW && phase != Phase.RUNNING) {
      throw tooLate(name, phase);
    }
    return registrar.admit(name, task, registrar.check(name, task, schedule, admission));
  }

  private void register(TaskRunner runner, Schedule schedule) {
    runner.bind(schedule);
    registrar.enter(runner.name());
    synchronized (life) {
      runners.add(runner);
      counters.add(runner);
    }
    if (life.phase() != Phase.RUNNING) {
      return;
    }
    boolean launched = false;
    try {
      setUp(List.of(runner), Phase.RUNNING);
      launched = launch(List.of(runner));
    } finally {
      if (!launched) {
        runner.retire();
      }
    }
    if (!launched) {
      throw tooLate(runner.name(), life.phase());
    }
  }

  private static IllegalStateException tooLate(String name, Phase phase) {
    return new IllegalStateException(
        "cannot register %s: the runtime is %s; register before drain() and stop(), or make a new runtime"
            .formatted(name, phase));
  }

  /** Initializes and warms up tasks, as long as the runtime stays in a phase. */
  private void setUp(List<TaskRunner> fresh, Phase during) {
    try (ReleaseContext context = new ReleaseContext(space, settings)) {
      Runnable all =
          () -> {
            for (int i = 0; i < fresh.size() && life.phase() == during; i++) {
              initialize(fresh.get(i), context);
              warmUp.run(fresh.get(i), context);
            }
          };
      if (driven) {
        all.run();
      } else {
        setUp.run(all, warmUp::endIfOverdue);
      }
    } finally {
      warmUp.rearm();
    }
  }

  private void initialize(TaskRunner runner, ReleaseContext context) {
    runner.initialize(context);
    if (runner instanceof PassiveRunner && runner.subscriptions.count() == 0) {
      throw new IllegalStateException(
          "passive task "
              + runner.name()
              + " has no subscriptions, so it would never be released; subscribe in"
              + " initialize(), or register it as active");
    }
  }

  /**
   * Initializes all tasks, in the order of registration, warms their classes up, and begins to
   * release them. The calling thread waits while another one does that.
   *
   * @throws IllegalStateException if it was started before, a task fails to initialize, or the
   *     runtime is stopped meanwhile; after that the runtime is stopped
   */
  public void start() {
    lockRegistration();
    try {
      if (!life.enter(Phase.STARTING)) {
        throw new IllegalStateException(
            "the runtime is " + life.phase() + "; it starts once, make a new one");
      }
      boolean launched = false;
      try {
        setUp(runners, Phase.STARTING);
        launched = launch(runners);
      } finally {
        if (!launched) {
          requestStop();
          finish();
        }
      }
      if (!launched) {
        throw new IllegalStateException("the runtime was stopped while it started; make a new one");
      }
    } finally {
      registration.unlock();
    }
    RuntimeStarts.announce(this);
    counters.begin();
    if (!driven) {
      Unmatched.lookLater(this);
    }
  }

  /** Lets initialized tasks be released; returns false if the runtime stops meanwhile. */
  private boolean launch(List<? extends TaskRunner> fresh) {
    LaunchedThreads crew = new LaunchedThreads(this);
    boolean needsWorkers = !hasWorkers && pool.size() != 0;
    try {
      crew.make(fresh, needsWorkers ? pool : null);
      if (!admit(crew.threads)) {
        return false;
      }
      crew.start();
    } finally {
      withdraw(crew.dismiss());
    }
    hasWorkers |= needsWorkers;
    for (TaskRunner runner : fresh) {
      if (runner instanceof PassiveRunner passive) {
        passive.activate();
      }
    }
    crew.awaitEnlisted();
    return true;
  }

  /** Enters threads that are about to start, unless the runtime stops. */
  private boolean admit(List<RuntimeThread> fresh) {
    synchronized (life) {
      if (!life.enter(Phase.RUNNING)) {
        return false;
      }
      running.addAndGet(fresh.size());
      threads.addAll(fresh);
      return true;
    }
  }

  /** Takes back threads that were not admitted or could not be started. */
  private void withdraw(List<RuntimeThread> unstarted) {
    synchronized (life) {
      for (RuntimeThread thread : unstarted) {
        if (threads.remove(thread)) {
          running.decrementAndGet();
        }
      }
    }
  }

  /**
   * Ends the active tasks and lets the passive ones work until no subscription has a match and
   * nothing runs. Passive tasks stay ready for what other threads write; call {@link #stop} next.
   * May be called again.
   *
   * @param timeout how long to wait at most
   * @return true if all was done; false if the time was over first, the runtime was stopped, the
   *     caller is inside a release of it, which is not waited for, or events are left that a task
   *     was subscribed to which is active, and so has ended, or which was stopped because it
   *     failed; the log names them
   * @throws IllegalStateException if the runtime has not been started or was stopped before
   */
  public boolean drain(Duration timeout) {
    long deadlineNs = Waits.deadlineNs(timeout);
    boolean isInside = isInside();
    if (setUp.isCurrent() || (!isInside && !Waits.awaitFree(registration, deadlineNs))) {
      return false;
    }
    if (!life.enter(Phase.DRAINING)) {
      throw new IllegalStateException(
          "cannot drain: the runtime is " + life.phase() + "; drain between start() and stop()");
    }
    active.forEach(ActiveRunner::cancel);
    return !isInside && awaitRest(deadlineNs);
  }

  /** Waits until the active tasks have ended and the passive ones have nothing left to do. */
  private boolean awaitRest(long deadlineNs) {
    boolean interrupted = false;
    boolean drained = false;
    while (!drained && life.phase() == Phase.DRAINING && !Waits.isOver(deadlineNs)) {
      drained = isActiveAtRest() && pool.isAtRest();
      if (!drained) {
        Waits.pause(DRAIN_LOOK_NS);
        interrupted |= Thread.interrupted();
      }
    }
    Waits.restoreInterrupt(interrupted);
    Unmatched.look(this);
    if (!drained && life.phase() == Phase.DRAINING) {
      allRunners().forEach(TaskRunner::logLate);
    }
    return drained
        && allRunners().stream().filter(each -> each.subscriptions.leaveMatches()).count() == 0;
  }

  private List<TaskRunner> allRunners() {
    synchronized (life) {
      return List.copyOf(runners);
    }
  }

  private boolean isActiveAtRest() {
    return liveThreads().stream().allMatch(Worker.class::isInstance);
  }

  /**
   * Begins no more releases and waits for those that run. When the time is over, woven releases
   * that still run are ended by force and undone, which takes {@link RuntimeSettings#stopGraceNs}
   * at most; their tasks are then stopped, with a {@link ReleaseStopped} as their failure. May be
   * called again, also before {@link #start}.
   *
   * @param timeout how long to wait for releases to end by themselves
   * @return true if all have ended; false if one goes on that cannot be ended: its thread ends
   *     after it
   */
  public boolean stop(Duration timeout) {
    requestStop();
    boolean isInside = isInside();
    boolean ended = !isInside && awaitEnd(Waits.deadlineNs(timeout));
    if (!ended && !isInside) {
      liveThreads().forEach(thread -> thread.scheduling.demote());
      long deadlineNs = Waits.deadlineNs(settings.stopGraceNs());
      ended = ForcedStop.endAll(allRunners(), deadlineNs, this::awaitEnd);
    }
    if (ended && !registration.isHeldByCurrentThread()) {
      finish();
    }
    return ended && life.phase() == Phase.STOPPED;
  }

  /** Returns whether the calling thread is one of this runtime, inside a release then. */
  private boolean isInside() {
    return setUp.isCurrent() || liveThreads().contains(Thread.currentThread());
  }

  /** Waits until no registration is under way and no thread of the runtime lives any more. */
  private boolean awaitEnd(long deadlineNs) {
    return Waits.awaitFree(registration, deadlineNs) && Waits.joinAll(liveThreads(), deadlineNs);
  }

  /**
   * Begins no more releases and interrupts those that run, without waiting for them. May be called
   * again.
   */
  public void abort() {
    requestStop();
    setUp.interrupt();
    for (Thread thread : liveThreads()) {
      thread.interrupt();
    }
    if (running.get() == 0 && !registration.isHeldByCurrentThread() && registration.tryLock()) {
      try {
        finish();
      } finally {
        registration.unlock();
      }
    }
  }

  /** Stops, waiting for running releases for 10 seconds at most. */
  @Override
  public void close() {
    stop(CLOSE_TIMEOUT);
  }

  private void requestStop() {
    if (!life.enter(Phase.STOPPING)) {
      return;
    }
    active.forEach(ActiveRunner::cancel);
    pool.wakeAll();
  }

  /**
   * Ends the subscriptions and gives back what the runtime holds, once, when no thread of it lives
   * any more.
   */
  private void finish() {
    registration.lock();
    try {
      if (life.phase() != Phase.STOPPING || running.get() != 0) {
        return;
      }
      for (TaskRunner runner : runners) {
        runner.retire();
      }
      pool.retire();
      machine.release();
      counters.end();
      life.enter(Phase.STOPPED);
    } finally {
      registration.unlock();
    }
  }

  void onThreadEnd() {
    if (running.decrementAndGet() == 0 && life.phase() == Phase.STOPPING) {
      finish();
    }
  }

  private List<RuntimeThread> liveThreads() {
    synchronized (life) {
      threads.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
      return List.copyOf(threads);
    }
  }

  boolean isStopped() {
    return life.isStopped();
  }

  /** A conflict is worth a retry unless it stops; when it only starts, tasks are initialized. */
  boolean mayRetry() {
    return !isStopped();
  }

  long nanoTime() {
    return settings.clock().nanoTime();
  }
}
