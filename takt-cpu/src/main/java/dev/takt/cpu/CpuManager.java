package dev.takt.cpu;

import dev.takt.cpu.portable.BatonThread;
import dev.takt.realtime.Admission;
import dev.takt.realtime.InstalledAdmission;
import dev.takt.realtime.Supervised;
import dev.takt.realtime.internal.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Admits tasks to the processors, measures what they cost, and contains those that exceed it.
 *
 * <p><b>Purpose.</b> Registering a task tells at once whether it fits beside the others. What runs
 * meets its deadlines, as long as all tasks keep to their costs. A task that does not keep to its
 * cost loses its own priority or releases; the others keep theirs.
 *
 * <p><b>Guarantees.</b> (1) Nothing is started that was not admitted. (2) The admitted tasks of
 * each processor pass the {@linkplain CpuScheduler#analysis analysis} with the costs that they were
 * admitted with, always, and with the E of the moment when the last of them came. (3) A release
 * that exceeds its cost is found within a period of looking and what the supervisor's thread itself
 * is late; within four where that harms no other task and tasks are released so often that looks
 * would follow each other. (4) A task is demoted or dropped once: then it has left the admission,
 * and its share is there for others. A task whose class says {@link OverrunPolicy#COUNT} keeps its
 * share.
 *
 * <p><b>Assumptions.</b> Blocking, jitter and what interrupts the processors are in the factors E
 * and alpha. A runtime whose tasks are admitted here goes by the same clock.
 *
 * <p><b>Thread rule:</b> any thread. Deciding holds a lock; releases and looks never take it.
 *
 * <p><b>Cost.</b> A release costs two reads of the clock and a search of some nanoseconds; a
 * measured one (each in a trial, then one of 64) two reads of the thread's processor time, some 400
 * ns each. One thread looks as often as tasks can exceed their costs, 0.8 ms apart at least, and
 * 2.4 where no other task is harmed by that.
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
  /** How long closing waits for all tasks together, and then for all threads of the manager. */
  private static final long JOIN_NS = 1_000_000_000;

  private final ManagerSettings settings;
  private final ManagedTasks tasks;
  private final PlainBudgets budgets;
  private final Supervisor supervisor;

  /** Those of tasks and those that contain one; those that have ended go when another begins. */
  private final List<Thread> threads = new CopyOnWriteArrayList<>();

  private final LookThread looks;
  private final UpkeepThread upkeep;

  private @Nullable InstalledAdmission installed;

  private final SchedulerChoice choice;
  private final ProcessorsApart places;
  private final Containment containment;

  private CpuManager(SchedulerChoice choice, ManagerSettings settings, ProcessorsApart places) {
    this.choice = choice;
    this.settings = settings;
    this.places = places;
    tasks = new ManagedTasks(settings, places, this::lookSoon);
    budgets = new PlainBudgets(tasks, settings, places);
    containment = new Containment(tasks, settings, places);
    supervisor =
        new Supervisor(
            settings.threadTimes(),
            settings.lookPeriodNs(),
            tasks.spare(),
            containment.cold(),
            containment);
    looks = new LookThread(settings, places, this::look);
    CostLearning learning = new CostLearning(tasks, containment, settings.probability());
    upkeep = UpkeepThread.of(tasks, learning, settings, looks);
  }

  private void lookSoon() {
    supervisor.forget();
    looks.look();
  }

  /**
   * Starts one, with its threads.
   *
   * @throws IllegalStateException if one is {@linkplain #installed installed} in this JVM: it
   *     decides about all tasks
   * @throws IllegalArgumentException if the settings name processors that this process may not use
   */
  public static CpuManager start(ManagerSettings settings) {
    checkNoneIsInstalled();
    ProcessorsApart.checkCpus(settings);
    SchedulerChoice choice = settings.choice();
    ManagerSettings chosen = settings.withScheduler(choice.scheduler());
    ProcessorsApart places = new ProcessorsApart(chosen);
    CpuManager manager;
    try {
      manager = new CpuManager(places.judged(choice), chosen, places);
    } catch (Throwable e) { // of filters or a clock that the settings bring, for instance
      places.close();
      throw e;
    }
    try {
      manager.containment.start();
      manager.looks.start();
      manager.upkeep.start();
      manager.tasks.batons().forEach(Thread::start);
      manager.tasks.counters().begin();
      manager.places.shortfalls().forEach(manager::report);
      checkNoneIsInstalled(); // meanwhile
    } catch (Throwable e) {
      manager.close();
      throw e;
    }
    return manager;
  }

  private void report(String shortfall) {
    tasks.report("", ManagerEvent.Kind.SHORTFALL, shortfall);
  }

  private static void checkNoneIsInstalled() {
    if (InstalledManager.present() != null) {
      throw new IllegalStateException(
          "this JVM has a CPU manager, which decides about all tasks; use CpuManager.installed()");
    }
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
   * @throws IllegalArgumentException if a task of that name is admitted, or was displaced and may
   *     come back
   * @throws IllegalStateException if this is closed
   */
  public ManagedTask register(Profile profile, Runnable work) {
    Objects.requireNonNull(work, "work");
    CodeClass code = settings.classOf(work.getClass(), profile.authentication());
    Profile applied = code.applyTo(profile);
    String identity = tasks.identity(applied, work.getClass());
    return tasks.locked(() -> start(tasks.decide(applied, identity, code.reason()), work));
  }

  /**
   * Asks for a budget for threads that are no tasks, of what tasks leave; sessions of takt-session
   * ask for theirs so.
   *
   * @param name what events call it
   * @param budgetNs how much processor time the threads take in each period, all together; more
   *     than the period: of several processors
   * @param periodNs {@value PlainBudget#MIN_PERIOD_NS} ns at least
   * @return the budget; {@link PlainBudget#isAdmitted} says whether there is room
   * @throws IllegalStateException if this is closed
   */
  public PlainBudget admitPlain(String name, long budgetNs, long periodNs) {
    Objects.requireNonNull(name, "name");
    return tasks.locked(
        () -> {
          tasks.checkOpen();
          return budgets.admit(name, budgetNs, periodNs);
        });
  }

  private ManagedTask start(ManagedTask task, Runnable work) {
    // Who was told of the admission may have displaced it by another, or closed this.
    if (task.state().isAdmitted() || task.state() == ManagedTask.State.DISPLACED) {
      try {
        tasks.checkOpen();
        startAdmitted(task, work);
      } catch (Throwable e) { // there is no memory, or no thread, for it
        tasks.ended(task);
        throw e;
      }
    }
    return task;
  }

  private void startAdmitted(ManagedTask task, Runnable work) {
    RunnableTask runnable =
        new RunnableTask(
            task,
            work,
            tasks.scheduling(task),
            tasks.baton(task),
            settings,
            tasks.newWatch(task),
            failure -> failed(task, failure),
            grant -> tasks.granted(task, grant),
            () -> tasks.ended(task));
    task.subject(runnable.control);
    if (task.state().isAdmitted()) {
      tasks.schedule();
    } else {
      runnable.demote();
    }
    begin(runnable);
  }

  /** Returns which scheduler the tasks have and why, and whether it is granted. */
  public SchedulerChoice scheduler() {
    return choice;
  }

  /** Waits for the ends of threads, all together no longer than {@value #JOIN_NS} ns. */
  private void join(List<Thread> ending) {
    long untilNs = settings.clock().nanoTime() + JOIN_NS;
    Await.orInterrupt(
        () -> {
          for (Thread each : ending) {
            Duration left = Duration.ofNanos(untilNs - settings.clock().nanoTime());
            if (each.getState() == Thread.State.NEW) {
              continue; // there was no thread to be had for it
            }
            if (each instanceof RunnableTask task) {
              task.awaitEnd(left);
            } else {
              each.join(left);
            }
          }
        });
  }

  private Stream<RunnableTask> runnables() {
    return threads.stream().filter(RunnableTask.class::isInstance).map(RunnableTask.class::cast);
  }

  private void failed(ManagedTask task, Throwable failure) {
    tasks.failed(task, failure);
    Supervised subject = task.subject();
    if (failure instanceof OutOfMemoryError && subject != null && task.isOutOfMemoryAgain()) {
      containment.demote(task, subject);
      containment.exceeded(
          task,
          subject,
          "%s releases one after the other ran out of memory (%s)"
              .formatted(ManagedTask.MAX_OUT_OF_MEMORY, FailureText.of(failure)));
    }
  }

  private void begin(Thread thread) {
    threads.removeIf(each -> each.getState() == Thread.State.TERMINATED);
    thread.start();
    threads.add(thread);
  }

  /**
   * Returns what admits the tasks of a runtime, all in one class: each periodic one as a task, the
   * passive ones together as one server; what nothing bounds runs as best effort.
   */
  public Admission admission(AuthenticationClass authentication) {
    Objects.requireNonNull(authentication, "authentication");
    return new RuntimeAdmission(
        tasks, code -> settings.classOf(code, authentication), settings.hasClasses());
  }

  /**
   * Makes this the manager of this JVM: programs find it by {@link #installed}, and runtimes that
   * are made from now on ask it, each task in the class that {@linkplain
   * ManagerSettings#withClasses its code has}, or else in the default one. A runtime that was given
   * another admission does not ask, unless classes go by the code: then not all code is trusted.
   * From now on {@link #close} does nothing: what this returns ends it.
   *
   * @throws IllegalStateException if there is one already
   */
  public InstalledManager install() {
    return InstalledManager.install(this);
  }

  /** Installs an admission until this is closed; for {@link InstalledManager}. */
  void install(Admission admission) {
    tasks.locked(
        () -> {
          tasks.checkOpen();
          installed = Admission.install(admission);
          return this;
        });
  }

  /**
   * Returns the tasks that have not ended, in the order in which they came: those that were
   * admitted, and those of runtimes that are served or run as best effort.
   */
  public List<ManagedTask> tasks() {
    return List.copyOf(tasks.all());
  }

  /**
   * Ends a task after its present release, and gives its share to others then. Until that release
   * has ended the task keeps its share and its name and is supervised; one whose class only counts
   * overruns is demoted by an overrun. Does nothing if it has ended.
   *
   * @return whether it has ended; false: a release runs
   * @throws IllegalArgumentException if it is another manager's
   */
  public boolean remove(ManagedTask task) {
    tasks.checkIsOne(task);
    Supervised subject = task.subject();
    if (subject != null) {
      task.lastRelease();
      subject.stop("removed from the CPU manager");
      if (task.state().isSupervised() && subject.running() != null) {
        return false; // who runs it says when it has ended
      }
      if (task.state().isAdmitted()) {
        subject.demote(); // a release that begins just now has no share any more
      }
    }
    tasks.ended(task);
    return true;
  }

  /**
   * Ends all tasks that were registered here, and the supervision. A release that does not end in a
   * second is interrupted, and goes on as any thread. Tasks of runtimes go on with the scheduling
   * that they have, and take no turns any more: close the runtimes first. Does nothing while it is
   * the manager {@linkplain #install of this JVM}: then it belongs to all its programs.
   */
  @Override
  public void close() {
    if (InstalledManager.present() == this) {
      return;
    }
    tasks.locked(
        () -> {
          tasks.close();
          if (installed != null) {
            installed.close();
          }
          return this;
        });
    tasks.counters().end();
    looks.end();
    upkeep.end();
    runnables().forEach(RunnableTask::end);
    try {
      join(threads); // first of all: the other threads still contain and schedule them
      runnables().filter(Thread::isAlive).forEach(RunnableTask::abandon);
      tasks.batons().forEach(BatonThread::end);
      containment.end();
      List<Thread> own = new ArrayList<>(tasks.batons());
      own.addAll(List.of(looks, upkeep, containment));
      own.addAll(threads);
      join(own);
    } finally {
      places.close();
    }
    CostStore store = tasks.store();
    if (store != null) {
      store.write();
    }
    EventLog log = tasks.log();
    if (log != null) {
      log.print();
    }
  }

  /** Called on the supervisor's thread; returns when to look again. */
  private long look(long nowNs) {
    tasks.counters().looked();
    return supervisor.look(tasks.all(), nowNs);
  }
}
