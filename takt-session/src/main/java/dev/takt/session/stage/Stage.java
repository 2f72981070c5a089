package dev.takt.session.stage;

import dev.takt.realtime.counters.Counters;
import dev.takt.session.Awaiters;
import dev.takt.session.SessionStarter;
import dev.takt.session.Sessions;
import dev.takt.session.Suspension;
import dev.takt.space.WaitClock;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue and what handles it, with a budget of threads and a target for how long an item
 * takes.
 *
 * <p><b>Purpose.</b> A step of a service that cannot be overloaded: what it cannot do in time it
 * refuses at once, with an answer, so that what it accepts is in time, and that neither memory nor
 * processors of others are used up. Package: how it decides.
 *
 * <p><b>Guarantees.</b> (1) An accepted item is handled, or reported as failed, or given back by
 * {@link #stop}: exactly one of these. (2) There are never more than {@link StageSettings#capacity}
 * items in the queue, and never more handlers at once than {@link StageSettings#workers}. (3)
 * Batches are made in the order of acceptance; with one worker, items are handled in that order.
 * (4) A {@link #put} that waits goes before every offer that came later, and ends: with an answer,
 * or when its time is over. (5) A handler that throws ends nothing but its batch.
 *
 * <p><b>Thread rule.</b> Any thread and session may offer, put and look. {@link #stop} and {@link
 * #close} are not for handlers of the stage, which would wait for themselves; and a handler that
 * puts into its own stage, or into one that puts into this, can wait in vain until its time is
 * over. A real-time task does neither: it would wait for the lock of the stage, which threads
 * without priority hold for short. It writes an event, which a session takes and offers.
 *
 * <p><b>Progress.</b> With a lock, held for O(1) steps by an offer, O(batch) by a worker, and fewer
 * than 10,000 by a look. <b>Memory.</b> {@code capacity * 16 + workers * (batch * 16 + 150)} bytes
 * and 25 KB, allocated when it is opened, and the workers' threads or sessions; in steady state, an
 * item costs nothing.
 *
 * {@snippet :
 * StageSettings settings =
 *     StageSettings.named("parse").withWorkers(2).withTargetP90(Duration.ofMillis(10));
 * try (Stage<Request> parse = Stage.open(settings, requests -> requests.forEach(this::parse))) {
 *   StageAnswer answer = parse.offer(request);
 *   if (!answer.isAccepted()) {
 *     request.reply("busy: " + answer);
 *   }
 * }
 * }
 *
 * @param <T> the items
 */
public final class Stage<T> implements AutoCloseable {
  /** How long a worker may take, at least, to see that it is over. */
  private static final Duration TO_NOTICE = Duration.ofSeconds(1);

  /** A call of put that waits for room. */
  private static final class Waiter<T> {
    final T item;
    final Suspension here;

    /** Guarded by the lock; null: it waits. */
    @Nullable StageAnswer answer;

    Waiter(T item, Suspension here) {
      this.item = item;
      this.here = here;
    }
  }

  private final StageSettings settings;
  private final WaitClock clock;
  private final StageHandler<T> handler;
  private final StageCounters source = new StageCounters(this);
  private final List<StageWorker<T>> workers = new ArrayList<>();
  private final Object lock = new Object();

  /** Those that wait until all workers have ended. */
  private final Awaiters enders = new Awaiters();

  // Guarded by the lock:
  private StageStats.State state = StageStats.State.OPEN;

  private final AtomicBoolean failureLogged = new AtomicBoolean();
  private final ItemRing queue;
  private final AdmissionLimit admission;
  private final StageTally tally;

  /** Those that wait for items, the last one first. */
  private final List<StageWorker<T>> idle = new ArrayList<>();

  /** Those that wait for room: while there is one, there is no room. */
  private final Set<Waiter<T>> putters = new LinkedHashSet<>();

  private int alive;
  private int busy;
  private int handling;

  private Stage(StageSettings settings, StageHandler<T> handler) {
    this.settings = settings;
    this.handler = handler;
    clock = settings.clock();
    long nowNs = clock.nanoTime();
    queue = new ItemRing(settings.capacity());
    long most = settings.capacity() + (long) settings.workers() * settings.batch();
    admission =
        new AdmissionLimit(
            settings.targetP90().toNanos(),
            settings.workers(),
            (int) Math.min(most, Integer.MAX_VALUE),
            nowNs);
    tally = new StageTally(nowNs);
    for (int i = 0; i < settings.workers(); i++) {
      workers.add(new StageWorker<>(this, handler, settings.batch()));
    }
    alive = settings.workers();
  }

  // ---- begin

  /**
   * Opens a stage whose handler is a callback, on daemon threads of its own. They have no real-time
   * policy if the caller has none.
   *
   * @throws OutOfMemoryError if there is no memory for its queue, or no thread; nothing is left
   *     then
   */
  public static <T> Stage<T> open(StageSettings settings, StageHandler<T> handler) {
    Stage<T> stage = new Stage<>(settings, handler);
    return stage.begin(
        (name, worker) -> {
          Thread thread =
              Thread.ofPlatform()
                  .daemon()
                  .name(name)
                  .priority(Thread.NORM_PRIORITY)
                  .inheritInheritableThreadLocals(false)
                  .unstarted(worker::run);
          worker.runsOn(thread);
          thread.start();
        });
  }

  /**
   * Opens a stage whose handler may block, on sessions: one for each worker. If others cancel the
   * last of these, the stage drains no more; {@link #stop} gives back what it has.
   *
   * @throws RejectedExecutionException if there is no room for so many sessions; nothing is left
   *     then
   */
  public static <T> Stage<T> open(
      StageSettings settings, SessionStarter sessions, StageHandler<T> handler) {
    Stage<T> stage = new Stage<>(settings, handler);
    return stage.begin(
        (name, worker) ->
            worker.runsOn(
                sessions.start(
                    name,
                    () -> {
                      worker.run();
                      return null;
                    })));
  }

  private interface Start<T> {
    void start(String name, StageWorker<T> worker);
  }

  private Stage<T> begin(Start<T> start) {
    try {
      for (int i = 0; i < workers.size(); i++) {
        start.start("takt-stage-" + settings.name() + "-" + (i + 1), workers.get(i));
      }
      if (settings.counters()) {
        Counters.ofThisJvm().add(source);
      }
    } catch (Throwable notStarted) {
      synchronized (lock) {
        state = StageStats.State.STOPPED;
        drain(); // wakes those that wait
      }
      workers.forEach(StageWorker::interrupt);
      Counters.ofThisJvm().remove(source);
      throw notStarted;
    }
    return this;
  }

  // ---- items come

  /** Offers an item, without waiting; the answer tells whether the stage has it. */
  public StageAnswer offer(T item) {
    Objects.requireNonNull(item, "item");
    StageWorker<T> woken = null;
    StageAnswer answer;
    synchronized (lock) {
      answer = answer();
      if (answer.isAccepted()) {
        woken = accept(item, clock.nanoTime());
      } else {
        count(answer);
      }
    }
    if (woken != null) {
      woken.wake();
    }
    return answer;
  }

  /**
   * Offers an item, and waits while the stage has no room for it: the back-pressure of a stage to
   * its upstream. What waits is the caller's session, or thread.
   *
   * @param timeout how long at most; zero and less: as {@link #offer}
   * @return {@link StageAnswer#SHED} or {@link StageAnswer#FULL} if the time is over
   * @throws InterruptedException if the session is cancelled or the thread interrupted; the stage
   *     does not have the item then
   */
  public StageAnswer put(T item, Duration timeout) throws InterruptedException {
    if (timeout.isZero() || timeout.isNegative()) {
      return offer(item);
    }
    Waiter<T> waiter = new Waiter<>(Objects.requireNonNull(item, "item"), Suspension.current());
    StageWorker<T> woken = null;
    StageAnswer answer;
    boolean waits = false;
    synchronized (lock) {
      answer = answer();
      if (answer.isAccepted()) {
        woken = accept(item, clock.nanoTime());
      } else if (answer == StageAnswer.STOPPED) {
        count(answer);
      } else {
        putters.add(waiter);
        waits = true;
        if (answer == StageAnswer.SHED) {
          admission.shed();
        }
      }
    }
    if (woken != null) {
      woken.wake();
    }
    return waits ? awaitRoom(waiter, timeout) : answer;
  }

  private StageAnswer awaitRoom(Waiter<T> waiter, Duration timeout) throws InterruptedException {
    long timeoutNs = TimeUnit.NANOSECONDS.convert(timeout); // of a longer one, the most there is
    long beganNs = waiter.here.nanoTime();
    InterruptedException interruption = null;
    while (true) {
      synchronized (lock) {
        boolean isOver = interruption != null || waiter.here.nanoTime() - beganNs >= timeoutNs;
        if (waiter.answer == null && isOver) {
          putters.remove(waiter);
          if (interruption != null) {
            throw interruption;
          }
          waiter.answer = answer();
          count(waiter.answer);
        }
        if (waiter.answer != null) {
          if (interruption != null) {
            Thread.currentThread().interrupt(); // the stage has it: the caller is to know
          }
          return waiter.answer;
        }
      }
      try {
        waiter.here.await(
            timeoutNs >= Suspension.FOR_EVER_NS
                ? timeoutNs
                : timeoutNs - (waiter.here.nanoTime() - beganNs));
      } catch (InterruptedException e) {
        interruption = e;
      }
    }
  }

  // ---- all that follows until the worker's side: with the lock

  private StageAnswer answer() {
    if (state != StageStats.State.OPEN) {
      return StageAnswer.STOPPED;
    }
    if (queue.isFull()) {
      return StageAnswer.FULL;
    }
    return queue.size() + handling < admission.limit() ? StageAnswer.ACCEPTED : StageAnswer.SHED;
  }

  private void count(StageAnswer refusal) {
    tally.refused(refusal);
    if (refusal == StageAnswer.SHED) {
      admission.shed();
    }
  }

  /** Puts an item into the queue; returns the worker that is to be woken for it. */
  private @Nullable StageWorker<T> accept(T item, long nowNs) {
    queue.add(item, nowNs);
    tally.accepted(nowNs);
    if (idle.isEmpty()) {
      return null; // all look into the queue before they wait
    }
    StageWorker<T> woken = idle.removeLast();
    woken.isIdle = false;
    return woken;
  }

  /** Accepts items of those that wait for room while there is some. */
  private void acceptWaiting(long nowNs) {
    while (!putters.isEmpty() && answer().isAccepted()) {
      Waiter<T> first = putters.iterator().next();
      putters.remove(first);
      StageWorker<T> woken = accept(first.item, nowNs);
      if (woken != null) {
        woken.wake();
      }
      first.answer = StageAnswer.ACCEPTED;
      first.here.resume();
    }
  }

  /** Ends accepting: who waits for room gets his answer. */
  private void drain() {
    if (state == StageStats.State.OPEN) {
      state = StageStats.State.DRAINING;
    }
    for (Waiter<T> each : putters) {
      each.answer = StageAnswer.STOPPED;
      tally.refused(StageAnswer.STOPPED);
      each.here.resume();
    }
    putters.clear();
    for (StageWorker<T> each : idle) {
      each.isIdle = false;
      each.wake();
    }
    idle.clear();
  }

  // ---- the workers' side

  /** Fills a worker's batch, and waits for items before; returns false if its work is over. */
  boolean take(StageWorker<T> worker) {
    while (true) {
      synchronized (lock) {
        if (state == StageStats.State.STOPPED || worker.isCancelled()) {
          end(worker);
          return false;
        }
        if (queue.size() > 0) {
          fill(worker);
          return true;
        }
        if (state != StageStats.State.OPEN) {
          end(worker);
          return false;
        }
        if (!worker.isIdle) {
          worker.isIdle = true;
          idle.add(worker);
        }
      }
      worker.await();
    }
  }

  private void fill(StageWorker<T> worker) {
    if (worker.isIdle) { // it has woken for no reason
      worker.isIdle = false;
      idle.remove(worker);
    }
    long nowNs = clock.nanoTime();
    for (int left = Math.min(queue.size(), settings.batch()); left > 0; left--) {
      long acceptedNs = queue.firstAcceptedNs();
      worker.add(queue.remove(), acceptedNs);
      tally.waited(nowNs - acceptedNs, nowNs);
    }
    worker.beganNs = nowNs;
    handling += worker.size();
    busy++;
    acceptWaiting(nowNs);
  }

  /** Logs the first failure of the handler: a mistake of it would only be counted. */
  void logFirst(Throwable cause) {
    if (!(cause instanceof InterruptedException) && failureLogged.compareAndSet(false, true)) {
      System.getLogger(Sessions.LOG)
          .log(
              Level.WARNING,
              this + ": its handler has thrown; further failures are counted, and not logged",
              cause);
    }
  }

  /** A worker's handler has returned or thrown. */
  void served(StageWorker<T> worker, boolean isReported, boolean isHandled) {
    synchronized (lock) {
      long nowNs = clock.nanoTime();
      int size = worker.size();
      handling -= size;
      busy--;
      tally.served(size, isHandled, nowNs - worker.beganNs, nowNs);
      if (!isReported) {
        tally.reportFailed();
      }
      admission.served(size, nowNs - worker.beganNs);
      for (int i = 0; i < size; i++) {
        long acceptedNs = worker.acceptedNs(i);
        tally.responded(nowNs - acceptedNs, nowNs);
        admission.responded(acceptedNs, nowNs);
      }
      acceptWaiting(nowNs);
    }
  }

  private void end(StageWorker<T> worker) {
    if (worker.isIdle) {
      worker.isIdle = false;
      idle.remove(worker);
    }
    if (queue.size() > 0 && !idle.isEmpty()) {
      StageWorker<T> other = idle.removeLast(); // in place of this one
      other.isIdle = false;
      other.wake();
    }
    alive--;
    if (alive == 0) {
      drain();
      enders.signal();
    }
  }

  // ---- end

  /**
   * Accepts no more items, and lets the stage handle those that it has. When the time is over, the
   * handlers that still run are interrupted (and not waited for: {@link StageStats#busy}), and what
   * no handler has got is given back.
   *
   * @param timeout how long that may take; zero: only what handlers have already is handled
   * @return the items that no handler has got, in their order
   * @throws InterruptedException if the caller was interrupted; the stage handles what it has and
   *     stops when it is asked again
   */
  public List<T> stop(Duration timeout) throws InterruptedException {
    synchronized (lock) {
      drain();
    }
    boolean isOver = enders.await(this::hasEnded, timeout);
    List<T> left = new ArrayList<>();
    synchronized (lock) {
      state = StageStats.State.STOPPED;
      while (queue.size() > 0) {
        left.add(itemOf(queue.remove()));
      }
      tally.givenBack(left.size());
      drain();
    }
    if (!isOver) {
      workers.forEach(StageWorker::interrupt);
    }
    Counters.ofThisJvm().remove(source);
    return left;
  }

  @SuppressWarnings("unchecked") // what is in the queue has come by offer or put
  private T itemOf(Object item) {
    return (T) item;
  }

  private boolean hasEnded() {
    synchronized (lock) {
      return alive == 0;
    }
  }

  /**
   * Stops within {@link StageSettings#closeTimeout}; what is left then is counted as failed and
   * reported to {@link StageHandler#failed}, on the caller's thread.
   *
   * @throws IllegalStateException if a handler has not ended within the same time again, at least a
   *     second, or the caller is interrupted, which it stays
   */
  @Override
  public void close() {
    try {
      List<T> left = stop(settings.closeTimeout());
      if (!left.isEmpty()) {
        fail(left);
      }
      Duration again = settings.closeTimeout();
      Duration notice = again.compareTo(TO_NOTICE) < 0 ? TO_NOTICE : again;
      if (!enders.await(this::hasEnded, notice)) {
        throw new IllegalStateException(
            ("stage %s: %d of its handlers have not ended %s after they were interrupted; mend"
                    + " them, or raise StageSettings.closeTimeout")
                .formatted(settings.name(), stats().busy(), notice));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(
          "interrupted while stage %s was to end; it has %d items"
              .formatted(settings.name(), stats().queued()),
          e);
    }
  }

  private void fail(List<T> left) {
    boolean isReported = true;
    try {
      handler.failed(
          left,
          new StageClosedException(
              ("stage %s was closed with %d accepted items: its workers had not handled them within"
                      + " its closeTimeout of %s, or were ended before")
                  .formatted(settings.name(), left.size(), settings.closeTimeout())));
    } catch (RuntimeException | Error ofReport) {
      isReported = false;
    }
    synchronized (lock) {
      tally.failedInstead(left.size());
      if (!isReported) {
        tally.reportFailed();
      }
    }
  }

  // ---- to look at

  /** Returns its settings. */
  public StageSettings settings() {
    return settings;
  }

  /** Returns what it has done and has, of one moment; allocates 10 KB. */
  public StageStats stats() {
    synchronized (lock) {
      return tally.stats(
          settings,
          state,
          queue.size(),
          handling,
          admission.limit(),
          putters.size(),
          alive,
          busy,
          clock.nanoTime());
    }
  }

  @Override
  public String toString() {
    return "stage " + settings.name();
  }
}
