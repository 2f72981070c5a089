package dev.takt.cpu;

import dev.takt.cpu.ManagedTask.State;
import dev.takt.cpu.admission.AdmissionControl;
import dev.takt.cpu.admission.AdmissionTest;
import dev.takt.cpu.admission.Decision;
import dev.takt.cpu.analysis.ResponseTimes;
import dev.takt.cpu.analysis.UtilizationBounds;
import dev.takt.cpu.portable.BatonThread;
import dev.takt.cpu.portable.Turn;
import dev.takt.realtime.Admission;
import dev.takt.realtime.InstalledAdmission;
import dev.takt.realtime.ReleaseListener;
import dev.takt.realtime.Supervised;
import dev.takt.realtime.ThreadMeter;
import dev.takt.realtime.internal.Await;
import dev.takt.realtime.os.ThreadScheduling;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Admits tasks to the processors, measures what they cost, and contains those that exceed it.
 *
 * <p><b>Purpose.</b> Who registers a task is told at once whether it fits beside the others; what
 * runs meets its deadlines, as long as all keep to their costs; who does not keep to it loses its
 * priority, or its releases, and not the others theirs.
 *
 * <p><b>Guarantees.</b> (1) Nothing is started that was not admitted. (2) The admitted tasks of
 * each processor pass the {@linkplain CpuScheduler#analysis analysis} with the costs that they were
 * admitted with, always, and with the E of the moment when the last of them came. (3) A release
 * that exceeds its cost is found within a period of looking and what the supervisor's thread itself
 * is late. (4) A task is policed once: then it has left the admission, and its share is there for
 * others.
 *
 * <p><b>Assumptions.</b> Blocking, jitter and what interrupts the processors are in the factors E
 * and alpha. A runtime whose tasks are admitted here goes by the same clock.
 *
 * <p><b>Thread rule:</b> any thread. Deciding holds a lock; releases and looks never take it.
 *
 * <p><b>Cost.</b> A release costs two reads of the clock and a search of some nanoseconds; a
 * measured one (each in a trial, then one of 64) two reads of the thread's processor time, some 400
 * ns each. One thread looks each 0.8 ms.
 *
 * {@snippet :
 * try (CpuManager manager = CpuManager.start(ManagerSettings.defaults())) {
 *   ManagedTask task = manager.register(Profile.of("control", 1_000_000), () -> control());
 *   if (!task.state().isAdmitted()) {
 *     System.err.println(task.decision().reason());
 *   }
 * }
 * }
 *
 * <p>Source: CPU control 2.
 */
public final class CpuManager implements AutoCloseable {
  /** For what does not end. */
  private static final Duration JOIN = Duration.ofSeconds(1);

  private final ManagerSettings settings;
  private final AdmissionControl control;
  private final Supervisor supervisor;
  private final List<ManagedTask> tasks = new CopyOnWriteArrayList<>();

  /** Those of tasks and those that contain one; those that have ended go when another begins. */
  private final List<Thread> threads = new CopyOnWriteArrayList<>();

  private final ReentrantLock deciding = new ReentrantLock();
  private final LookThread looks;
  private final CostLearning learning;
  private final ManagerCounters counters;
  private final Readmission readmission;
  private final @Nullable CostStore store;

  /** Null: there is nothing that it would do. */
  private final @Nullable CpuMonitorThread monitor;

  /** One of each processor, where tasks take turns; empty: the operating system decides. */
  private final List<BatonThread> batons;

  private boolean closed;
  private @Nullable InstalledAdmission installed;

  private final SchedulerChoice choice;
  private final ProcessorsApart places;
  private final Containment containment;

  private CpuManager(ManagerSettings asked) {
    choice = asked.choice();
    settings = asked.withScheduler(choice.scheduler());
    places = new ProcessorsApart(settings);
    containment = new Containment(this, settings, places);
    control = new AdmissionControl(settings.test(), settings.processors());
    supervisor = new Supervisor(settings.threadTimes(), settings.lookPeriodNs(), containment);
    looks = new LookThread(settings, places, this::look);
    counters = new ManagerCounters(tasks, settings, control);
    store =
        CostStore.of(settings.learnedCosts(), why -> report("", ManagerEvent.Kind.UNLEARNED, why));
    learning = new CostLearning(this, control, containment, settings.probability(), store);
    readmission = new Readmission(this, control);
    monitor = CpuMonitorThread.of(this, settings, control, looks, store);
    batons =
        IntStream.range(0, settings.processors())
            .mapToObj(settings::newBaton)
            .filter(Objects::nonNull)
            .toList();
  }

  /**
   * Starts one, with its threads.
   *
   * @throws IllegalStateException if one is {@linkplain #installed installed} in this JVM: it
   *     decides about all tasks
   */
  public static CpuManager start(ManagerSettings settings) {
    if (InstalledManager.present() != null) {
      throw new IllegalStateException(
          "this JVM has a CPU manager, which decides about all tasks; use CpuManager.installed()");
    }
    CpuManager manager = new CpuManager(settings);
    manager.containment.start();
    manager.looks.start();
    if (manager.monitor != null) {
      manager.monitor.start();
    }
    manager.batons.forEach(Thread::start);
    manager.counters.begin();
    return manager;
  }

  /** Returns the manager of this JVM, for programs that did not start one. */
  public static Optional<CpuManager> installed() {
    return Optional.ofNullable(InstalledManager.present());
  }

  /**
   * Asks for a task's admission, and starts it if it is admitted.
   *
   * @param profile its class counts unless the settings say {@linkplain ManagerSettings#withClasses
   *     which class code has}
   * @param work what a release does; an interrupt asks it to end
   * @return the task; {@link ManagedTask#state} says whether it was admitted
   * @throws IllegalArgumentException if a task of that name is admitted
   * @throws IllegalStateException if this is closed
   */
  public ManagedTask register(Profile profile, Runnable work) {
    Objects.requireNonNull(work, "work");
    CodeClass code = settings.classOf(work.getClass(), profile.authentication());
    return locked(
        () -> start(decide(code.applyTo(profile), work.getClass(), code.reason(), false), work));
  }

  private ManagedTask start(ManagedTask task, Runnable work) {
    if (task.state().isAdmitted()) {
      RunnableTask runnable =
          new RunnableTask(
              task,
              work,
              scheduling(task, 0),
              batons.isEmpty() ? null : batons.get(task.decision().processor()),
              settings,
              new TaskWatch(task, settings.system(), settings.threadNumbers()),
              failure -> failed(task, failure),
              () -> ended(task));
      task.subject(runnable);
      schedule();
      begin(runnable);
    }
    return task;
  }

  /** Returns which scheduler the tasks have, and why. */
  public SchedulerChoice scheduler() {
    return choice;
  }

  private void failed(ManagedTask task, Throwable failure) {
    report(task, ManagerEvent.Kind.FAILED, failure.toString());
    Supervised subject = task.subject();
    if (failure instanceof OutOfMemoryError && subject != null && task.isOutOfMemoryAgain()) {
      containment.demote(task, subject);
      containment.exceeded(
          task,
          subject,
          "%s releases one after the other ran out of memory (%s)"
              .formatted(ManagedTask.MAX_OUT_OF_MEMORY, failure.getMessage()));
    }
  }

  void begin(Thread thread) {
    threads.removeIf(each -> each.getState() == Thread.State.TERMINATED);
    threads.add(thread);
    thread.start();
  }

  /**
   * Returns what admits the tasks of a runtime, all in one class: each periodic one as a task, the
   * passive ones together as one server; what nothing bounds runs as best effort.
   */
  public Admission admission(AuthenticationClass authentication) {
    Objects.requireNonNull(authentication, "authentication");
    return new RuntimeAdmission(
        this, code -> settings.classOf(code, authentication), settings.hasClasses());
  }

  /**
   * Returns what admits the tasks of runtimes, each in a class that depends on its code. Where it
   * is installed it is {@linkplain Admission#isBinding binding}: what needs classes is not trusted
   * to leave them out.
   *
   * @param classes gives the class of each task's Java class; called when it is registered. What
   *     the settings say about {@linkplain ManagerSettings#withClasses code} goes before it
   */
  public Admission admission(Function<Class<?>, AuthenticationClass> classes) {
    Objects.requireNonNull(classes, "classes");
    return new RuntimeAdmission(this, code -> settings.classOf(code, classes.apply(code)), true);
  }

  /**
   * Makes this the manager of this JVM, which programs find by {@link #installed}, and {@linkplain
   * #install(Admission) installs} its admission: of the class that {@linkplain
   * ManagerSettings#withClasses code has}, or else the default one. From now on {@link #close} does
   * nothing: what this returns ends it.
   *
   * @throws IllegalStateException if there is one already
   */
  public InstalledManager install() {
    return InstalledManager.install(this);
  }

  /**
   * {@linkplain Admission#install Installs} an admission of this manager in the JVM, until this is
   * closed: runtimes that are made from now on ask it, unless they were given another one and it is
   * not binding.
   *
   * @param admission of {@link #admission}
   * @throws IllegalStateException if one is installed that is binding, or this is closed
   */
  public void install(Admission admission) {
    locked(
        () -> {
          checkOpen();
          installed = Admission.install(admission);
          return this;
        });
  }

  /**
   * Returns the tasks that have not ended, in the order in which they came: those that were
   * admitted, and those of runtimes that are served or run as best effort.
   */
  public List<ManagedTask> tasks() {
    return List.copyOf(tasks);
  }

  /** Ends a task after its present release, and gives its share to others. */
  public void remove(ManagedTask task) {
    Supervised subject = task.subject();
    if (subject != null) {
      subject.stop("removed from the CPU manager");
    }
    ended(task);
  }

  /**
   * Ends all tasks that were registered here, and the supervision. Tasks of runtimes go on with the
   * scheduling that they have, and take no turns any more: close the runtimes first. Does nothing
   * while it is the manager {@linkplain #install() of this JVM}: then it belongs to all its
   * programs.
   */
  @Override
  public void close() {
    if (InstalledManager.present() == this) {
      return;
    }
    locked(
        () -> {
          closed = true;
          if (installed != null) {
            installed.close();
          }
          return this;
        });
    counters.end();
    looks.end();
    if (monitor != null) {
      monitor.end();
    }
    tasks.forEach(each -> each.turns.forEach(Turn::leave)); // from now on they go by time alone
    for (Thread each : threads) {
      if (each instanceof RunnableTask task) {
        task.end();
      }
    }
    Await.orInterrupt(
        () -> {
          looks.join(JOIN); // first of all: it begins others
          if (monitor != null) {
            monitor.join(JOIN);
          }
          for (Thread each : threads) {
            each.join(JOIN);
          }
          for (BatonThread each : batons) {
            each.end();
            each.join(JOIN);
          }
          containment.end();
          containment.join(JOIN);
        });
    places.close();
    if (store != null) {
      store.write();
    }
  }

  <T extends @Nullable Object> T locked(Supplier<T> decision) {
    deciding.lock();
    try {
      return decision.get();
    } finally {
      deciding.unlock();
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the CPU manager is closed; start another one");
    }
  }

  /**
   * Decides about a task, or a server of passive ones; with the lock.
   *
   * @param code its class; null: nothing is learned of it
   * @param fault why it must not be admitted, whatever it asks for; empty: nothing
   */
  ManagedTask decide(Profile profile, @Nullable Class<?> code, String fault, boolean isServer) {
    checkOpen();
    AuthenticationClass authentication = profile.authentication();
    String refusal = fault.isEmpty() ? authentication.refusal(profile) : fault;
    String identity = store == null || code == null ? null : store.identity(profile, code);
    long learnedNs = store == null ? 0 : store.costNs(identity).orElse(0);
    boolean known = learnedNs > 0 && learnedNs <= profile.trialCostNs();
    long costNs = known ? learnedNs : profile.trialCostNs();
    Decision decision =
        refusal != null
            ? new Decision(-1, List.of(), refusal, OptionalLong.empty(), OptionalLong.empty())
            : control.admit(
                profile.model(costNs, isServer && !isReserved()),
                authentication.rank(),
                authentication.displaces());
    State state =
        !decision.isAdmitted()
            ? State.REJECTED
            : profile.budgetNs() == 0 && !known ? State.TRIAL : State.ADMITTED;
    ManagedTask task = newTask(profile, isServer, decision, state, costNs, identity);
    if (decision.isAdmitted()) {
      decision.displaced().forEach(name -> find(name).ifPresent(each -> displace(each, profile)));
      tasks.add(task);
      looks.look();
    }
    report(
        task,
        ManagerEvent.Kind.valueOf(state.name()),
        known && decision.isAdmitted()
            ? "with a cost of %s ns, as learned before".formatted(costNs)
            : decision.reason());
    return task;
  }

  /** The kernel holds a reservation to its budget, so that it is as any other. */
  private boolean isReserved() {
    return settings.scheduler().analysis() == AdmissionTest.Kind.DEMAND;
  }

  private ManagedTask newTask(
      Profile profile,
      boolean isServer,
      Decision decision,
      State state,
      long costNs,
      @Nullable String identity) {
    int releases =
        switch (state) {
          case SERVED -> 100; // there may be thousands of them, and no admission goes by it
          case BEST_EFFORT, REJECTED -> 1;
          default -> settings.trialReleases();
        };
    return new ManagedTask(
        profile,
        isServer && !isReserved(),
        decision,
        state,
        new CostSamples(releases, ThreadMeter.of(settings.clock()), state == State.TRIAL),
        costNs,
        identity);
  }

  /**
   * Enters a task that takes no part in the admission; with the lock.
   *
   * @param processor where it runs; -1: anywhere
   */
  ManagedTask enter(Profile profile, State state, int processor, String reason) {
    checkOpen();
    Decision decision =
        new Decision(processor, List.of(), reason, OptionalLong.empty(), OptionalLong.empty());
    ManagedTask task = newTask(profile, false, decision, state, profile.trialCostNs(), null);
    tasks.add(task);
    looks.look();
    report(task, ManagerEvent.Kind.valueOf(state.name()), reason);
    return task;
  }

  /** Ties an entered task to what is released, which is given its scheduling. */
  void bind(ManagedTask task, Supervised subject) {
    locked(
        () -> {
          task.subject(subject);
          if (task.state().isAdmitted()) {
            schedule();
          } else if (!task.state().isSupervised()) {
            subject.demote(); // it was displaced meanwhile, or never was more than best effort
          }
          return task;
        });
  }

  /** Returns a new turn for a thread of a task; null: the operating system decides who runs. */
  @Nullable Turn newTurn(ManagedTask task) {
    return locked(
        () -> {
          if (batons.isEmpty() || closed || !task.state().isAdmitted()) {
            return null;
          }
          Turn turn = batons.get(task.decision().processor()).newTurn();
          task.turns.add(turn);
          schedule();
          return turn;
        });
  }

  ReleaseListener newWatch(ManagedTask task) {
    return new TaskWatch(task, settings.system(), settings.threadNumbers());
  }

  /** Returns whether a task of that name has not ended; with the lock. */
  boolean hasTask(String name) {
    return tasks.stream().anyMatch(each -> each.name().equals(name));
  }

  private Optional<ManagedTask> find(String name) {
    return tasks.stream()
        .filter(each -> each.state().isAdmitted() && each.name().equals(name))
        .findFirst();
  }

  private void displace(ManagedTask task, Profile winner) {
    leaveLocked(task, State.DISPLACED);
    Supervised subject = task.subject();
    if (subject != null) {
      subject.demote();
    }
    report(task, ManagerEvent.Kind.DISPLACED, "for " + winner.name());
  }

  /** Admits those again that were displaced and for which there is room. With the lock. */
  void readmit() {
    if (!closed && readmission.readmitsAny(tasks)) {
      schedule();
      looks.look();
    }
  }

  /** Gives the share of a task to others; returns false if it had none any more. */
  boolean leave(ManagedTask task, State state) {
    return locked(
        () -> {
          boolean was = leaveLocked(task, state);
          if (was) {
            readmit();
          }
          return was;
        });
  }

  private boolean leaveLocked(ManagedTask task, State state) {
    State was = task.state();
    if (was.isAdmitted()) {
      task.become(state);
      control.remove(task.name());
      schedule();
    } else if (was.isSupervised() || was == State.BEST_EFFORT) {
      task.become(state);
    } else {
      return false;
    }
    return true;
  }

  void ended(ManagedTask task) {
    if (leave(task, State.ENDED)) {
      report(task, ManagerEvent.Kind.ENDED, "");
    }
    locked(
        () -> {
          tasks.remove(task);
          task.turns.forEach(turn -> batons.get(task.decision().processor()).remove(turn));
          return task;
        });
  }

  /** Gives each thread the scheduling of its place among those of its processor. */
  void schedule() {
    for (int i = 0; i < settings.processors(); i++) {
      int processor = i;
      List<ManagedTask> there =
          tasks.stream()
              .filter(each -> each.state().isAdmitted() && each.decision().processor() == processor)
              .sorted(Comparator.comparing(ManagedTask::model, ResponseTimes.DEADLINE_MONOTONIC))
              .toList();
      for (int place = 0; place < there.size(); place++) {
        ManagedTask task = there.get(place);
        task.first = place == 0;
        task.schedule(
            scheduling(task, place),
            UtilizationBounds.extendedCostNs(task.model(), control.test().extensum()));
      }
    }
  }

  private ThreadScheduling scheduling(ManagedTask task, int place) {
    ThreadScheduling asked = settings.scheduler().scheduling(task.model(), place);
    return settings.cpus() == null || asked.runtimeNs() != 0
        ? places.realtime(asked)
        : asked.withCpus(settings.cpu(task.decision().processor()));
  }

  /** Called on the supervisor's thread; returns whether there is something to look at. */
  private boolean look(long nowNs) {
    boolean any = false;
    counters.looked();
    for (ManagedTask each : tasks) {
      if (each.state().isSupervised()) {
        any = true;
        supervisor.look(each, nowNs);
        if (each.samples.full() && deciding.tryLock()) {
          // Never waits: who holds the lock may need the processor of a release that runs away.
          try {
            learning.learn(each);
          } finally {
            deciding.unlock();
          }
        }
      }
    }
    return any;
  }

  void report(ManagedTask task, ManagerEvent.Kind kind, String detail) {
    counters.reported(task, kind, detail);
    report(task.name(), kind, detail);
  }

  /** What the receiver throws must not end the thread that found something to report. */
  void report(String task, ManagerEvent.Kind kind, String detail) {
    Thread caller = Thread.currentThread();
    try {
      settings.events().accept(new ManagerEvent(settings.clock().nanoTime(), task, kind, detail));
    } catch (RuntimeException | Error thrown) {
      try {
        caller.getUncaughtExceptionHandler().uncaughtException(caller, thrown);
      } catch (RuntimeException | Error twice) {
        // the handler was told; no other is left to call
      }
    }
  }
}
