package dev.takt.reflex;

import dev.takt.realtime.Admission;
import dev.takt.realtime.AdmissionAnswer;
import dev.takt.realtime.AdmissionRequest;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.PassiveServer;
import dev.takt.realtime.ReadyQueue;
import dev.takt.realtime.ServerAnswer;
import dev.takt.realtime.internal.Fields;
import dev.takt.realtime.os.ThreadScheduling;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The workers and the run queues of the passive tasks: one queue for each priority in use, looked
 * at from the highest down.
 *
 * <p><b>Guarantees.</b> (1) What is pushed is run while a worker is alive and the pool may release:
 * a producer pushes, then looks for spinning and parked workers; a worker announces that it parks
 * (or stops spinning), then looks at the queues once more. Each side stores before it loads, with
 * full fences, so at least one sees the other. (2) A producer wakes one worker at most, and none
 * while one spins.
 *
 * <p><b>The sweep.</b> A thread can be stopped for any time between its commit and its {@code
 * onMatch}. Its event is in the space, but no worker was notified. So workers also look for
 * themselves: an idle one at {@value #SWEEP_HANDLES} subscriptions every 10 ms, a busy one once in
 * 1,024 releases. It is also what tries again a task whose release was undone although its event is
 * still there.
 *
 * <p><b>Thread rule.</b> Any thread, but for what is marked.
 */
final class WorkerPool {
  /** How many subscriptions one sweep looks at: a few microseconds. */
  private static final int SWEEP_HANDLES = 256;

  private static final VarHandle PARKED =
      Fields.handle(MethodHandles.lookup(), WorkerPool.class, "parked", long.class);

  private record Level(int priority, ReadyQueue queue) {}

  private final ReflexRuntime runtime;
  private final Admission admission;
  private final boolean sweeping;

  /** Of the admission; null: it has not been asked, or has none. */
  private @Nullable ServerAnswer serverAnswer;

  /** What bounds the workers; null: nothing, or there is no task yet. */
  private volatile @Nullable TaskServer server;

  /** The first {@link #size} are there; entries are never changed. */
  private final PassiveRunner[] runners;

  private volatile int size;

  /** Highest priority first; replaced, never changed. */
  private volatile Level[] levels = {};

  private volatile Worker[] workers = {};

  /** One bit for each parked worker; accessed through {@link #PARKED}. */
  private long parked;

  private final AtomicInteger spinning = new AtomicInteger();

  WorkerPool(ReflexRuntime runtime, Admission admission, boolean sweeping) {
    this.runtime = runtime;
    this.admission = admission;
    this.sweeping = sweeping;
    this.runners = new PassiveRunner[runtime.settings().maxTasks()];
    if (!runtime.driven) {
      OperatingSystems.prepare(); // while tasks are made and registered; the workers need it
    }
  }

  // Registration: under the runtime's registration lock.

  /** Returns the queue for a priority, made at its first use; any thread. */
  ReadyQueue queue(int priority) {
    for (Level level : levels) {
      if (level.priority == priority) {
        return level.queue; // without a lock: a supervisor must not wait
      }
    }
    return newQueue(priority);
  }

  private synchronized ReadyQueue newQueue(int priority) {
    Level[] levels = this.levels;
    int at = 0;
    while (at < levels.length && levels[at].priority >= priority) {
      if (levels[at].priority == priority) {
        return levels[at].queue;
      }
      at++;
    }
    Level[] more = new Level[levels.length + 1];
    System.arraycopy(levels, 0, more, 0, at);
    more[at] = new Level(priority, new ReadyQueue(runtime.settings().maxTasks()));
    System.arraycopy(levels, at, more, at + 1, levels.length - at);
    this.levels = more;
    return more[at].queue;
  }

  int size() {
    return size;
  }

  void add(PassiveRunner runner) {
    int at = size;
    runners[at] = runner;
    size = at + 1;
  }

  /**
   * Has a task admitted, and before the first one the server of all. A server that serves nobody,
   * because the first task was refused or could not be registered, ends: it has the name and the
   * class of that task.
   */
  AdmissionAnswer admit(AdmissionRequest request) {
    if (size == 0) {
      retire();
      ServerAnswer answer = admission.server(request, runtime.settings().passiveServer());
      if (answer != null && answer.refusal() != null) {
        return AdmissionAnswer.refused("the server of the passive tasks: " + answer.refusal());
      }
      makeServer(request.name(), answer);
    }
    AdmissionAnswer admitted =
        serverAnswer == null ? admission.decide(request) : serverAnswer.serve(request);
    if (size == 0 && admitted.refusal() != null) {
      retire();
    }
    return admitted;
  }

  private void makeServer(String first, @Nullable ServerAnswer answer) {
    if (answer != null) {
      queue(ReflexRuntime.MIN_PRIORITY); // where what is contained goes
    }
    serverAnswer = answer;
    PassiveServer parameters =
        answer == null ? runtime.settings().passiveServer() : answer.parameters();
    server =
        parameters == null
            ? null
            : new TaskServer("server of " + first, parameters, answer, runtime.settings());
  }

  /** Returns how many workers there are to be. */
  int workers() {
    return server == null ? runtime.settings().workers() : 1;
  }

  /** Gives back what the server has. */
  void retire() {
    TaskServer server = this.server;
    if (server != null) {
      server.retire();
    }
  }

  /** Makes what the releases of all passive tasks need that are registered now. */
  void prepare(ReleaseContext context) {
    for (int i = 0; i < size; i++) {
      TaskRunner runner = runners[i];
      context.prepare(runner.state);
    }
  }

  /** Makes the workers, when there are tasks; the caller starts them. */
  Worker[] makeWorkers(ReleaseContext[] contexts) {
    int priority = levels[0].priority;
    TaskServer server = this.server;
    ThreadScheduling asked =
        server == null
            ? runtime.settings().scheduling().forWorker(priority)
            : server.forWorker(priority);
    Worker[] workers = new Worker[contexts.length];
    for (int i = 0; i < workers.length; i++) {
      workers[i] = new Worker(this, contexts[i], i, asked, server);
    }
    this.workers = workers;
    if (server != null) {
      server.serveBy(workers[0]);
    }
    return workers;
  }

  void addGrantsTo(List<ThreadGrant> granted) {
    for (Worker worker : workers) {
      ThreadGrant grant = worker.grant();
      if (grant != null) {
        granted.add(grant);
      }
    }
  }

  // Releasing.

  boolean mayRelease() {
    return runtime.life.mayRelease();
  }

  /** Takes the first task of the highest priority from the queues, or returns null. */
  @Nullable PassiveRunner poll() {
    Level[] levels = this.levels;
    for (int i = 0; i < levels.length; i++) {
      int index = levels[i].queue.poll();
      if (index != ReadyQueue.EMPTY) {
        PassiveRunner runner = runners[index];
        runner.claim();
        return runner;
      }
    }
    return null;
  }

  boolean isEmpty() {
    return !hasAbove(Integer.MIN_VALUE);
  }

  /** Returns whether a task of higher priority is queued. */
  boolean hasAbove(int priority) {
    Level[] levels = this.levels;
    for (int i = 0; i < levels.length && levels[i].priority > priority; i++) {
      if (!levels[i].queue.isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** Wakes a parked worker, unless one is looking at the queues anyway. */
  void wakeOne() {
    if (spinning.get() == 0) {
      long idle = parkedVolatile();
      if (idle != 0) {
        wakeOneSlowPath(idle);
      }
    }
  }

  private void wakeOneSlowPath(long idle) {
    while (idle != 0) {
      long bit = Long.lowestOneBit(idle);
      if (PARKED.compareAndSet(this, idle, idle & ~bit)) {
        workers[Long.numberOfTrailingZeros(bit)].wake();
        return;
      }
      idle = parkedVolatile();
    }
  }

  void beginSpinning() {
    spinning.incrementAndGet();
  }

  void endSpinning() {
    spinning.decrementAndGet();
  }

  /**
   * Parks the calling worker until it is woken or the time is over, unless there is something to
   * do.
   */
  void park(Worker worker, long durationNs) {
    long bit = worker.idleBit;
    PARKED.getAndBitwiseOr(this, bit);
    if (isEmpty() && mayRelease()) {
      LockSupport.parkNanos(this, durationNs);
    }
    PARKED.getAndBitwiseAnd(this, ~bit);
  }

  /** Wakes all workers, for them to notice that the runtime stops. */
  void wakeAll() {
    TaskServer server = this.server;
    if (server != null) {
      server.cancel();
    }
    for (Worker worker : workers) {
      worker.wake();
    }
  }

  /**
   * Looks at some subscriptions and queues the idle tasks that have a match.
   *
   * @param cursor the task to begin with
   * @return the task to begin with next time
   */
  int sweep(int cursor) {
    int size = sweeping ? this.size : 0;
    int handles = 0;
    int at = cursor;
    for (int looked = 0; looked < size && handles < SWEEP_HANDLES; looked++) {
      at = at < size ? at : 0;
      PassiveRunner runner = runners[at++];
      runner.wakeIfDue();
      handles += Math.max(1, runner.subscriptions.count());
    }
    return at;
  }

  void onWorkerEnd() {
    runtime.onThreadEnd();
  }

  /**
   * Returns whether no task is queued, running or has a match, and how many releases there were
   * until now, or -1.
   */
  private long releasesIfQuiet() {
    long releases = 0;
    int size = this.size;
    for (int i = 0; i < size; i++) {
      PassiveRunner runner = runners[i];
      if (!runner.isAtRest() || runner.hasMatchToServe()) {
        return -1;
      }
      releases += runner.releases.releases();
    }
    return releases;
  }

  /**
   * Returns whether nothing is left to do: two quiet looks with the same number of releases, so
   * nothing ran, or became runnable, between them.
   */
  boolean isAtRest() {
    long before = releasesIfQuiet();
    return before >= 0 && before == releasesIfQuiet();
  }

  private long parkedVolatile() {
    return (long) PARKED.getVolatile(this);
  }
}
