package dev.takt.cpu;

import dev.takt.cpu.ManagedTask.State;
import dev.takt.cpu.SpareTime.Answer;
import dev.takt.cpu.SpareTime.Placed;
import dev.takt.cpu.SpareTime.Question;
import dev.takt.cpu.admission.AdmissionControl;
import dev.takt.cpu.admission.AdmissionTest;
import dev.takt.cpu.admission.Decision;
import dev.takt.cpu.analysis.ResponseTimes;
import dev.takt.cpu.analysis.UtilizationBounds;
import dev.takt.cpu.portable.BatonThread;
import dev.takt.cpu.portable.Turn;
import dev.takt.realtime.ReleaseListener;
import dev.takt.realtime.Supervised;
import dev.takt.realtime.ThreadMeter;
import dev.takt.realtime.TimeText;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.Shortfall;
import dev.takt.realtime.os.ThreadScheduling;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a manager: decides which are admitted, keeps what became of each, and gives each
 * thread the scheduling of its place.
 *
 * <pre>
 *   decide --&gt; REJECTED
 *     |
 *     +--&gt; TRIAL, ADMITTED --leave--&gt; DISPLACED (readmit: back again), DEMOTED, DROPPED, ENDED
 *   enter --&gt; SERVED, BEST_EFFORT ----^
 * </pre>
 *
 * <p><b>A trial</b> has the cost that the class allows, or where that does not fit, half of the
 * largest one that does, so that several tasks without a budget can be on trial at once.
 *
 * <p><b>Thread rule:</b> any thread; all changes are made with one lock, which is held for the
 * admission test and never while a release is waited for. The list can be read without it.
 */
final class ManagedTasks implements AutoCloseable {
  /** A trial with a smaller share of the period than this has no meaning: 1 %. */
  static final int LEAST_TRIAL_SHARE = 100;

  private final ManagerSettings settings;
  private final ProcessorsApart places;
  private final Runnable looked;
  private final AdmissionControl control;
  private final List<ManagedTask> tasks = new CopyOnWriteArrayList<>();
  private final ReentrantLock deciding = new ReentrantLock();
  private final ManagerCounters counters;
  private final Readmission readmission;
  private final @Nullable CostStore store;
  private final SpareTime spare = new SpareTime();

  /** Null: the settings have a receiver of events. */
  private final @Nullable EventLog log;

  /** One of each processor, where tasks take turns; empty: the operating system decides. */
  private final List<BatonThread> batons;

  private boolean closed;

  /**
   * Makes an empty one.
   *
   * @param looked makes the supervisor look
   */
  ManagedTasks(ManagerSettings settings, ProcessorsApart places, Runnable looked) {
    this.settings = settings;
    this.places = places;
    this.looked = looked;
    control = new AdmissionControl(settings.test(), settings.processors());
    log = settings.hasEvents() ? null : new EventLog(() -> System.getLogger(EventLog.NAME));
    counters = new ManagerCounters(tasks, settings, control);
    readmission = new Readmission(this, control);
    store =
        CostStore.of(settings.learnedCosts(), why -> report("", ManagerEvent.Kind.UNLEARNED, why));
    batons =
        IntStream.range(0, control.processors())
            .mapToObj(settings::newBaton)
            .filter(Objects::nonNull)
            .toList();
  }

  AdmissionControl control() {
    return control;
  }

  ManagerCounters counters() {
    return counters;
  }

  @Nullable EventLog log() {
    return log;
  }

  @Nullable CostStore store() {
    return store;
  }

  SpareTime spare() {
    return spare;
  }

  List<BatonThread> batons() {
    return batons;
  }

  /** Returns all that have not ended, in the order in which they came; any thread, no lock. */
  List<ManagedTask> all() {
    return tasks;
  }

  /** Decides about nothing any more. */
  @Override
  public void close() {
    locked(() -> closed = true);
    tasks.forEach(each -> each.turns.forEach(Turn::leave)); // from now on they go by time alone
  }

  /** Returns the baton of a task; null: the operating system decides which thread runs. */
  @Nullable BatonThread baton(ManagedTask task) {
    return batons.isEmpty() ? null : batons.get(task.decision().processor());
  }

  <T extends @Nullable Object> T locked(Supplier<T> decision) {
    deciding.lock();
    try {
      return decision.get();
    } finally {
      deciding.unlock();
    }
  }

  void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the CPU manager is closed; start another one");
    }
  }

  /**
   * Returns what the code of a task is called among the costs that were learned; null: nothing is
   * kept of it. Without the lock: it reads the class file.
   */
  @Nullable String identity(Profile profile, Class<?> code) {
    return store == null ? null : store.identity(profile, code);
  }

  /**
   * Decides about a task; with the lock.
   *
   * @param identity of its code; null: nothing is learned of it
   * @param fault why it must not be admitted, whatever it asks for; empty: nothing
   */
  ManagedTask decide(Profile profile, @Nullable String identity, String fault) {
    return decide(profile, identity, fault, false, true);
  }

  /**
   * Decides about a server of passive tasks; with the lock.
   *
   * @param fault why it must not be admitted, whatever it asks for; empty: nothing
   * @param asked whether somebody has asked for it, who is told that it is rejected
   */
  ManagedTask decideServer(Profile profile, String fault, boolean asked) {
    return decide(profile, null, fault, true, asked);
  }

  private ManagedTask decide(
      Profile profile, @Nullable String identity, String fault, boolean isServer, boolean asked) {
    checkOpen();
    checkNameIsFree(profile.name());
    AuthenticationClass authentication = profile.authentication();
    String refusal = fault.isEmpty() ? authentication.refusal(profile) : fault;
    long learnedNs = store == null ? 0 : store.costNs(identity).orElse(0);
    boolean known = learnedNs > 0 && learnedNs <= profile.trialCostNs();
    long costNs = known ? learnedNs : profile.trialCostNs();
    Decision decision =
        refusal != null
            ? new Decision(-1, List.of(), refusal, OptionalLong.empty(), OptionalLong.empty())
            : admit(profile, costNs, isServer);
    long roomNs = decision.fittingCostNs().orElse(0) / 2;
    if (!decision.isAdmitted()
        && profile.budgetNs() == 0
        && !known
        && roomNs >= profile.periodNs() / LEAST_TRIAL_SHARE) {
      costNs = Math.max(1, roomNs);
      decision = admit(profile, costNs, isServer);
    }
    State state =
        !decision.isAdmitted()
            ? State.REJECTED
            : profile.budgetNs() == 0 && !known ? State.TRIAL : State.ADMITTED;
    ManagedTask task;
    List<ManagedTask> displaced = List.of();
    try {
      task = newTask(profile, isServer, decision, state, costNs, identity);
      if (decision.isAdmitted()) {
        tasks.add(task);
        displaced = decision.displaced().stream().flatMap(name -> find(name).stream()).toList();
        displaced.forEach(this::displace);
        looked.run();
      }
    } catch (Throwable e) {
      undo(decision, profile);
      throw e;
    }
    // Last of all: the receiver may register tasks, which displaces some of these again.
    displaced.forEach(each -> report(each, ManagerEvent.Kind.DISPLACED, "for " + profile.name()));
    if (task.state() == state && (asked || decision.isAdmitted())) {
      report(
          task,
          state.kind,
          known && decision.isAdmitted()
              ? "with a cost of %s, as learned before".formatted(TimeText.of(costNs))
              : decision.reason());
    }
    return task;
  }

  /** Takes an admission back of which nothing has come: of memory for its samples, for instance. */
  private void undo(Decision decision, Profile profile) {
    if (!decision.isAdmitted()) {
      return;
    }
    control.remove(profile.name());
    find(profile.name()).ifPresent(tasks::remove);
    for (String name : decision.displaced()) {
      find(name) // it has lost its share, and not been told yet
          .filter(each -> control.find(name).isEmpty())
          .ifPresent(
              each ->
                  control.readmit(
                      each.model(),
                      each.profile().authentication().rank(),
                      each.decision().processor()));
    }
    readmit();
  }

  private Decision admit(Profile profile, long costNs, boolean isServer) {
    ProfileAlternatives alternatives =
        new ProfileAlternatives(profile, costNs, isServer && !isReserved());
    return control.admit(
        alternatives.withCostNs(costNs),
        profile.authentication().rank(),
        profile.authentication().displaces(),
        alternatives);
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
    spare.forget(tasks);
    looked.run();
    report(task, state.kind, reason);
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
            places.expel(task.threadId());
          }
          return task;
        });
  }

  /** Returns a new turn for a thread of a task; null: the operating system orders them. */
  @Nullable Turn newTurn(ManagedTask task) {
    return locked(
        () -> {
          boolean waits = task.state() == State.DISPLACED;
          if (batons.isEmpty() || closed || !(task.state().isAdmitted() || waits)) {
            return null;
          }
          Turn turn = batons.get(task.decision().processor()).newTurn();
          task.turns.add(turn);
          if (waits) {
            turn.leave(); // until it is admitted again
          }
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

  private void displace(ManagedTask task) {
    leaveLocked(task, State.DISPLACED);
    Supervised subject = task.subject();
    if (subject != null) {
      subject.demote();
      places.expel(task.threadId());
    }
  }

  /** Admits those again that were displaced and for which there is room. With the lock. */
  void readmit() {
    if (!closed && readmission.readmitsAny(tasks)) {
      schedule();
    }
  }

  /** Gives the share of a task to others; returns false if it had left before. */
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

  /** Checks that a task which has not ended is one of these: others may have the same name. */
  void checkIsOne(ManagedTask task) {
    locked(
        () -> {
          State state = task.state();
          boolean lives = state.isSupervised() || state == State.BEST_EFFORT || state.runsOn();
          if (lives && !tasks.contains(task)) {
            throw new IllegalArgumentException(
                "task %s is not one of this CPU manager; remove it from that which has it"
                    .formatted(task.name()));
          }
          return task;
        });
  }

  /** A displaced one may come back, and its name is that of its share. */
  private void checkNameIsFree(String name) {
    if (tasks.stream()
        .anyMatch(each -> each.state() == State.DISPLACED && each.name().equals(name))) {
      throw new IllegalArgumentException(
          "a task named " + name + " was displaced, and may come back; give each its own name");
    }
  }

  private boolean leaveLocked(ManagedTask task, State state) {
    State was = task.state();
    if (was.isAdmitted()) {
      control.remove(task.name()); // first: if there is no memory for it, nothing has changed
      task.become(state);
      schedule();
    } else if (was.isSupervised()
        || was == State.BEST_EFFORT
        || state == State.ENDED && was.runsOn()) {
      task.become(state);
    } else {
      return false;
    }
    return true;
  }

  void ended(ManagedTask task) {
    locked(
        () -> {
          boolean was = leaveLocked(task, State.ENDED);
          tasks.remove(task);
          task.turns.forEach(turn -> batons.get(task.decision().processor()).remove(turn));
          if (was) {
            report(task, ManagerEvent.Kind.ENDED, "");
            readmit();
          }
          return task;
        });
  }

  /** Gives each thread the scheduling of its place among those of its processor. */
  void schedule() {
    spare.forget(tasks);
    for (int i = 0; i < control.processors(); i++) {
      List<Placed> there = admittedTo(i);
      for (int place = 0; place < there.size(); place++) {
        Placed each = there.get(place);
        each.task().first = place == 0;
        each.task()
            .schedule(
                scheduling(each, place),
                each.model(),
                UtilizationBounds.extendedCostNs(each.model(), control.test().extensum()));
      }
    }
    looked.run(); // a cost may be less than the one that the next look goes by
  }

  /** Works out how long looks may be put off, if that is not known. */
  void refreshSpare() {
    Question question =
        locked(
            () ->
                spare.isKnown()
                    ? null
                    : spare.question(
                        IntStream.range(0, control.processors())
                            .mapToObj(this::admittedTo)
                            .toList(),
                        control.test()));
    if (question != null) {
      Answer answer = question.answer(); // that takes long, and others want the lock
      locked(
          () -> {
            spare.learn(answer, tasks);
            return answer;
          });
    }
  }

  /** Returns the admitted tasks of a processor, the shortest deadline first. */
  private List<Placed> admittedTo(int processor) {
    return tasks.stream()
        .filter(each -> each.decision().processor() == processor && each.state().isAdmitted())
        .map(each -> new Placed(each, each.model()))
        .sorted(Comparator.comparing(Placed::model, ResponseTimes.DEADLINE_MONOTONIC))
        .toList();
  }

  /** Returns the scheduling of a task's thread until it has its place. */
  ThreadScheduling scheduling(ManagedTask task) {
    return scheduling(new Placed(task, task.model()), 0);
  }

  private ThreadScheduling scheduling(Placed placed, int place) {
    ThreadScheduling asked = settings.scheduler().scheduling(placed.model(), place);
    return settings.cpus() == null || asked.runtimeNs() != 0
        ? places.realtime(asked)
        : places.realtime(asked).withCpus(settings.cpu(placed.task().decision().processor()));
  }

  void report(ManagedTask task, ManagerEvent.Kind kind, String detail) {
    counters.reported(task, kind, detail);
    report(task.name(), kind, detail);
  }

  /** Reports that an exception has escaped from a release. */
  void failed(ManagedTask task, Throwable failure) {
    String detail = FailureText.of(failure);
    counters.reported(task, ManagerEvent.Kind.FAILED, detail);
    report(
        new ManagerEvent(
            settings.clock().nanoTime(), task.name(), ManagerEvent.Kind.FAILED, detail, failure));
  }

  /** Reports what a task's thread was not granted and the analysis counts with, the first time. */
  void granted(ManagedTask task, Grant grant) {
    Shortfall shortfall = task.newShortfall(grant);
    if (shortfall != null) {
      report(task, ManagerEvent.Kind.SHORTFALL, shortfall.toString());
    }
  }

  /** Reports that code that the manager calls has thrown. */
  void fault(String where, Throwable thrown) {
    report("", ManagerEvent.Kind.FAULT, where + ": " + FailureText.of(thrown));
  }

  void report(String task, ManagerEvent.Kind kind, String detail) {
    report(new ManagerEvent(settings.clock().nanoTime(), task, kind, detail));
  }

  /** What the receiver throws must not end the thread that found something to report. */
  private void report(ManagerEvent event) {
    Thread caller = Thread.currentThread();
    try {
      (log == null ? settings.events() : log).accept(event);
    } catch (RuntimeException | Error thrown) {
      try {
        caller.getUncaughtExceptionHandler().uncaughtException(caller, thrown);
      } catch (RuntimeException | Error twice) {
        // the handler was told; no other is left to call
      }
    }
  }
}
