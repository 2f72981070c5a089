package dev.takt.cpu;

import dev.takt.cpu.admission.Decision;
import dev.takt.cpu.analysis.TaskModel;
import dev.takt.cpu.cost.CostBound;
import dev.takt.cpu.monitor.ObservedLateness;
import dev.takt.cpu.portable.Turn;
import dev.takt.realtime.EndedRelease;
import dev.takt.realtime.ReleaseOutcome;
import dev.takt.realtime.RunningRelease;
import dev.takt.realtime.Supervised;
import dev.takt.realtime.ThreadMeter;
import dev.takt.realtime.TimeText;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.Shortfall;
import dev.takt.realtime.os.ThreadScheduling;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A task that a {@link CpuManager} was asked to admit: what became of it, and what was measured.
 *
 * <p><b>Thread rule:</b> any thread; each method returns what is so at the moment.
 */
public final class ManagedTask {
  /** What became of a task. */
  public enum State {
    /** It was not admitted, and never started: see {@link Decision#reason}. */
    REJECTED(ManagerEvent.Kind.REJECTED),
    /** It runs, and its cost is measured. */
    TRIAL(ManagerEvent.Kind.TRIAL),
    /** It runs, with a cost that is known. */
    ADMITTED(ManagerEvent.Kind.ADMITTED),
    /** It is passive, and released within what the server of its runtime was admitted with. */
    SERVED(ManagerEvent.Kind.SERVED),
    /** It runs as any thread, because it asked for no more, or nothing bounds it. */
    BEST_EFFORT(ManagerEvent.Kind.BEST_EFFORT),
    /**
     * It runs as any thread, because a task of a higher rank needed its share; it is admitted again
     * when there is room on its processor.
     */
    DISPLACED(ManagerEvent.Kind.DISPLACED),
    /** It runs as any thread, because it has exceeded its cost; it may be about to be dropped. */
    DEMOTED(ManagerEvent.Kind.DEMOTED),
    /** It has exceeded its cost, its release has ended, and it is released no more. */
    DROPPED(ManagerEvent.Kind.DROPPED),
    /** It was to be dropped, but its last release does not end; it runs as any thread. */
    UNSTOPPABLE(ManagerEvent.Kind.UNSTOPPABLE),
    /** It is released no more. */
    ENDED(ManagerEvent.Kind.ENDED);

    /** What is reported when a task comes to it. */
    final ManagerEvent.Kind kind;

    State(ManagerEvent.Kind kind) {
      this.kind = kind;
    }

    /** Returns whether the task takes part in the admission of others. */
    public boolean isAdmitted() {
      return this == TRIAL || this == ADMITTED;
    }

    /** Returns whether its releases are held to its cost. */
    public boolean isSupervised() {
      return isAdmitted() || this == SERVED;
    }

    /** Returns whether it runs without its share, as any thread, until it ends. */
    boolean runsOn() {
      return this == DISPLACED || this == DEMOTED || this == UNSTOPPABLE;
    }
  }

  /** So many releases one after the other may run out of memory. */
  static final int MAX_OUT_OF_MEMORY = 3;

  /** The services that the analysis counts with, as shortfalls call them. */
  private static final Set<String> ANALYSED = Set.of("policy", "priority", "processors", "thread");

  private final Profile profile;
  private final Decision decision;
  final boolean isServer;
  final CostSamples samples;

  /** One of each thread that runs it, where tasks take turns. */
  final List<Turn> turns = new CopyOnWriteArrayList<>();

  private volatile State state;
  private volatile long costNs;
  private volatile @Nullable CostBound measured;
  private volatile @Nullable CostBound measuredWall;

  /** What its code is called among the costs that were learned; null: nothing is kept of it. */
  final @Nullable String identity;

  /** How late its releases begin. */
  final ObservedLateness lateness = new ObservedLateness();

  /** Whether no other task of its processor has a shorter deadline. */
  volatile boolean first;

  private volatile @Nullable Supervised subject;
  private volatile long overruns;

  /** How much longer than its cost it may run before others miss a deadline; 0: unknown. */
  volatile long spareNs;

  // Of the thread that runs the releases; the number is read by the supervisor.
  private @Nullable Thread thread;
  private int outOfMemory;
  private volatile int threadId;

  /** Of the supervisor alone. */
  final Observation seen = new Observation();

  /** How its thread is to be scheduled; null: it has none of its own. */
  private volatile @Nullable ThreadScheduling asked;

  /** Whether its release has lost its priority, and is to get it back when it has ended. */
  private volatile boolean priorityLost;

  private final AtomicBoolean contained = new AtomicBoolean();
  private final AtomicBoolean shortfallTold = new AtomicBoolean();
  final OverrunDebt debt = new OverrunDebt();

  /** Whether its present release is the last one. */
  private volatile boolean leaving;

  /** The bound that was reported last as too large. */
  long driftedToNs;

  private volatile int life;

  /** As which it is admitted again after it was displaced. */
  private State was;

  ManagedTask(Profile profile, Decision decision, State state, CostSamples samples) {
    this(profile, false, decision, state, samples, profile.trialCostNs(), null);
  }

  /**
   * Makes one.
   *
   * @param isServer whether it is the server of passive tasks
   * @param identity of its code; null: nothing is to be kept of it
   */
  ManagedTask(
      Profile profile,
      boolean isServer,
      Decision decision,
      State state,
      CostSamples samples,
      long costNs,
      @Nullable String identity) {
    this.profile = profile;
    this.isServer = isServer;
    this.decision = decision;
    this.state = state;
    this.was = state;
    this.samples = samples;
    this.costNs = costNs;
    this.identity = identity;
  }

  /** Returns its name. */
  public String name() {
    return profile.name();
  }

  /** Returns what it asked for. */
  public Profile profile() {
    return profile;
  }

  /** Returns whether it was admitted, and why not. */
  public Decision decision() {
    return decision;
  }

  /** Returns what became of it. */
  public State state() {
    return state;
  }

  /** Returns the cost that it is admitted with, in nanoseconds. */
  public long costNs() {
    return costNs;
  }

  /** Returns what was measured last; null: nothing yet. */
  public @Nullable CostBound measured() {
    return measured;
  }

  /**
   * Returns how long releases took from begin to end, of those that {@link #measured} is about;
   * null: nothing yet. What this is longer than the processor time the task has slept, has been
   * blocked, or has been preempted.
   */
  public @Nullable CostBound measuredWall() {
    return measuredWall;
  }

  /** Returns how many of its releases have exceeded their cost. */
  public long overruns() {
    return overruns;
  }

  /** Returns the release that runs now; null: none. */
  public @Nullable RunningRelease running() {
    Supervised present = subject;
    return present == null ? null : present.running();
  }

  /**
   * Returns what is released; null: it was rejected, or has not begun its first release. For the
   * manager alone: who has it can give a task back what it has lost, and end those of others.
   */
  @Nullable Supervised subject() {
    return subject;
  }

  /**
   * Returns what its thread was granted of the scheduling that the manager asks for; null: it has
   * not asked yet, or has no thread of its own.
   */
  public @Nullable Grant grant() {
    Supervised present = subject;
    return present == null ? null : present.grant();
  }

  /** Returns what of a grant is to be reported: what the analysis counts with, once; or null. */
  @Nullable Shortfall newShortfall(Grant granted) {
    for (Shortfall each : granted.shortfalls()) {
      if (ANALYSED.contains(each.service()) && shortfallTold.compareAndSet(false, true)) {
        return each;
      }
    }
    return null;
  }

  @Override
  public String toString() {
    return name() + ": " + state + ", cost " + TimeText.of(costNs) + ", " + overruns + " overruns";
  }

  /** Returns how it is analysed. */
  TaskModel model() {
    return profile.model(costNs, isServer);
  }

  /**
   * Gives it another place among those of its processor.
   *
   * @param model how it is analysed
   * @param slotNs how long it may have the processor where tasks take turns
   */
  void schedule(ThreadScheduling asked, TaskModel model, long slotNs) {
    if (contained.get()) {
      return; // it keeps what was left to it
    }
    if (!asked.equals(this.asked)) {
      priorityLost = false; // what follows gives it back; the next look takes it again
    }
    this.asked = asked;
    for (Turn turn : turns) {
      turn.become(model.deadlineNs(), model.costNs(), slotNs);
    }
    Supervised present = subject;
    if (present != null) {
      present.schedule(asked);
    }
  }

  void become(State state) {
    if (this.state.isAdmitted()) {
      was = this.state;
    }
    this.state = state;
  }

  /** Makes it what it was before it was displaced; it can be contained anew. With the lock. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField")
  void readmitted() {
    life++;
    contained.set(false);
    state = was;
  }

  /** Returns how often it was admitted again: what it has done before is not held against it. */
  int life() {
    return life;
  }

  void admittedWith(long costNs) {
    this.costNs = costNs;
  }

  void measured(CostBound measured, CostBound wall) {
    this.measured = measured;
    this.measuredWall = wall;
  }

  void subject(Supervised subject) {
    this.subject = subject;
  }

  /** Called by the supervisor alone. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField")
  void countOverrun() {
    overruns++;
  }

  /**
   * Called on the thread that runs the releases, at the begin of each.
   *
   * @param lateNs how long after its time it begins
   */
  void onBegin(Thread caller, ThreadNumbers numbers, long lateNs) {
    if (thread != caller) {
      threadId = numbers.ofCaller();
      thread = caller;
    }
    lateness.add(lateNs);
    samples.onBegin(debt.isOpen());
  }

  /** Called there at the end of each. */
  void onEnd(EndedRelease release) {
    if (outOfMemory != 0 && release.outcome() == ReleaseOutcome.COMPLETED) {
      outOfMemory = 0;
    }
    long usedNs = samples.onEnd(release.endNs() - release.beginNs(), release.tardinessNs());
    if (usedNs != ThreadMeter.UNKNOWN) {
      debt.add(usedNs, costNs);
    }
  }

  /**
   * Called on that thread when the heap was full. Returns whether that has happened in {@value
   * #MAX_OUT_OF_MEMORY} releases one after the other: it also happens to those that need little,
   * while another one has taken all.
   */
  boolean isOutOfMemoryAgain() {
    return ++outOfMemory >= MAX_OUT_OF_MEMORY;
  }

  /** Returns whether the kernel stops its thread when it has used up what it has in a period. */
  boolean isReserved() {
    ThreadScheduling present = asked;
    return present != null && present.runtimeNs() != 0;
  }

  /** Returns whether its thread has a priority of its own, and has not lost it. */
  boolean mayLosePriority() {
    ThreadScheduling present = asked;
    return !priorityLost && !contained.get() && present != null && present.policy().isRealtime();
  }

  void losesPriority(boolean lost) {
    priorityLost = lost;
  }

  /** Called on the thread that runs it, before and after releases: gives back what it has lost. */
  void takePriorityBack(OperatingSystem system) {
    ThreadScheduling present = asked;
    if (priorityLost && present != null && !contained.get() && state.isAdmitted()) {
      priorityLost = false;
      system.schedule(present);
      if (contained.get() || !state.isAdmitted()) { // meanwhile
        system.setPolicy(threadId, Policy.OTHER, 0);
      }
    }
  }

  /** Its present release is the last one. */
  void lastRelease() {
    leaving = true;
  }

  /** Returns what is done when it exceeds its cost; of what leaves nothing is counted any more. */
  OverrunPolicy onOverrun() {
    OverrunPolicy policy = profile.authentication().onOverrun();
    return leaving && policy == OverrunPolicy.COUNT ? OverrunPolicy.DEMOTE : policy;
  }

  /** It could not be contained, and is tried again. */
  void notContained() {
    contained.set(false);
  }

  boolean isContained() {
    return contained.get();
  }

  /** Returns true once. */
  boolean beginContainment() {
    return contained.compareAndSet(false, true);
  }

  /** Returns the operating system's number of the thread that runs it; 0: unknown. */
  int threadId() {
    return threadId;
  }

  /** Numbers of threads, as the operating system has them. */
  @FunctionalInterface
  interface ThreadNumbers {
    /** Returns the number of the calling thread; 0: unknown. */
    int ofCaller();
  }
}
