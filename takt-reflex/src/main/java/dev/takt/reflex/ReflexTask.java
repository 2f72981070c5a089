package dev.takt.reflex;

import dev.takt.reflex.limit.StableMemoryExhausted;
import dev.takt.reflex.limit.TransientMemoryExhausted;
import dev.takt.reflex.woven.AtomicGate;
import dev.takt.reflex.woven.Guarded;
import dev.takt.space.Event;
import dev.takt.space.EventPool;
import dev.takt.space.Handle;
import dev.takt.space.Stable;
import dev.takt.space.Transaction;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A time-critical task: the runtime releases it, and each release runs {@link #execute()} as one
 * transaction.
 *
 * <p>A release that commits publishes all it wrote and took at once. A release that loses a
 * conflict, calls {@link #abort()} or lets an exception escape leaves the event space and the
 * fields of the task as they were before.
 *
 * <p><b>Fields</b> are the task's stable state: primitives, {@link Stable} objects with all that
 * hangs together with them, handles, primitive arrays of its own, and, if they are final, immutable
 * objects. Every other object that a release makes is transient: it is reclaimed, at no cost, when
 * the release ends. The safety rules define what else a task may do; {@code ./takt check} reports
 * violations, and a class that was not checked and woven is refused when the task is registered.
 *
 * <p><b>Memory</b> has two sizes, given at construction: what the transient objects of one release
 * may take, and what all stable objects may. A release that exceeds one of them is undone; see
 * {@link TransientMemoryExhausted} and {@link StableMemoryExhausted}.
 *
 * <p><b>Events</b> that {@link #take(Event)} and {@link #event()} return belong to the release and
 * are dead after it.
 *
 * <p><b>Thread rule:</b> the protected methods are for {@link #initialize()} and {@link
 * #execute()}, on the thread that runs them; at any other time they throw {@link
 * IllegalStateException}. A task runs on one thread at a time.
 *
 * <p>Source: Reflexes 2 and 3.2, Fig. 4.
 *
 * {@snippet :
 * class StockBuyer extends ReflexTask {
 *   private double maxPrice;
 *   private Handle offers;
 *
 *   @Override
 *   public void initialize() {
 *     offers = subscribe(new Event("type", "sell"));
 *   }
 *
 *   @Override
 *   public void execute() {
 *     for (Event offer : offers) {
 *       maxPrice = Math.max(maxPrice, offer.getDouble("price"));
 *     }
 *   }
 * }
 * }
 */
public abstract class ReflexTask implements Stable, Guarded {
  /** The default of either size, in bytes. */
  public static final int DEFAULT_SIZE_BYTES = 65_536;

  final int transientSizeBytes;
  final int stableSizeBytes;

  /** The runner of this task, from registration on. */
  private @Nullable TaskRunner runner;

  /** Where atomic calls meet releases; null before registration, and without atomic methods. */
  private volatile @Nullable AtomicGate gate;

  /** Whether the fields hold what an earlier program has stored. */
  boolean recovered;

  /** The thread that runs a release; null when none runs. */
  private @Nullable Thread thread;

  /**
   * What the running release works with, or the last one if none runs: most often the same, and a
   * collector's barrier costs more than a comparison.
   */
  private @Nullable Transaction transaction;

  private @Nullable EventPool events;

  /** An event from the pool that the last take did not need. */
  private @Nullable Event spare;

  /** For woven code. */
  @Override
  public final @Nullable AtomicGate $takt$gate() {
    return gate;
  }

  /** Makes a task with the default sizes. */
  protected ReflexTask() {
    this(DEFAULT_SIZE_BYTES, DEFAULT_SIZE_BYTES);
  }

  /**
   * Makes a task.
   *
   * @param transientSizeBytes the memory for the transient objects of one release, at least 0
   * @param stableSizeBytes the memory for all stable objects, the task itself included, at least 0
   */
  protected ReflexTask(int transientSizeBytes, int stableSizeBytes) {
    if (transientSizeBytes < 0 || stableSizeBytes < 0) {
      throw new IllegalArgumentException(
          "transientSizeBytes=%s, stableSizeBytes=%s (expected: both at least 0)"
              .formatted(transientSizeBytes, stableSizeBytes));
    }
    this.transientSizeBytes = transientSizeBytes;
    this.stableSizeBytes = stableSizeBytes;
  }

  /**
   * Prepares the task: runs once, when the runtime starts it, as a transaction of its own, on a
   * thread of the runtime. Subscribe here.
   */
  public void initialize() {}

  /** Does the work of one release, within its transaction. */
  public abstract void execute();

  /**
   * Writes events for {@link #execute()} to work on while the task is warmed up: it runs before
   * each release of the warm-up, in the same transaction, and is undone with it. {@code …Now}
   * operations act inside that transaction, too, so nothing is left behind. By default it does
   * nothing.
   */
  protected void warmUp() {}

  /**
   * Returns whether this release belongs to the warm-up and will be undone: what counts or measures
   * outside of the task's own state should leave it out.
   */
  protected final boolean isWarmingUp() {
    return transaction().isRehearsed();
  }

  /**
   * Returns whether the task goes on from what was stored of it (a warm start), so that {@link
   * #initialize()} only subscribes and leaves the state alone. It can be asked at any time.
   */
  protected final boolean isRecovered() {
    return recovered;
  }

  /**
   * Returns the time by the clock of the runtime, in nanoseconds since a fixed but arbitrary
   * moment: {@link System#nanoTime}, or what a test or a simulation says.
   */
  @SuppressWarnings("NullAway") // a task in a release has a runner
  protected final long nowNs() {
    transaction();
    return runner.runtime.nanoTime();
  }

  /** Writes an event; others see it when the release commits. */
  protected final void write(Event event) {
    transaction().write(event);
  }

  /** Writes an event at once; it stays when the release is undone. */
  protected final void writeNow(Event event) {
    transaction().writeNow(event);
  }

  /**
   * Takes the oldest match, or returns null: and then there still is none when the release commits.
   *
   * @return an event of this release, or null
   */
  protected final @Nullable Event take(Event template) {
    Transaction transaction = transaction();
    Event into = nextEvent();
    return transaction.take(template, into) ? into : keep(into);
  }

  /** Takes the oldest match into an event of the caller's; see {@link #take(Event)}. */
  protected final boolean take(Event template, Event into) {
    return transaction().take(template, into);
  }

  /**
   * Takes a match that no running transaction has claimed, or returns null, without a promise: for
   * several that take the same kind of event.
   *
   * @return an event of this release, or null
   */
  protected final @Nullable Event poll(Event template) {
    Transaction transaction = transaction();
    Event into = nextEvent();
    return transaction.poll(template, into) ? into : keep(into);
  }

  /** Takes such a match into an event of the caller's; see {@link #poll(Event)}. */
  protected final boolean poll(Event template, Event into) {
    return transaction().poll(template, into);
  }

  /**
   * Takes the oldest committed match at once; it stays taken when the release is undone.
   *
   * @return an event of this release, or null
   */
  protected final @Nullable Event takeNow(Event template) {
    Transaction transaction = transaction();
    Event into = nextEvent();
    return transaction.takeNow(template, into) ? into : keep(into);
  }

  /**
   * Takes the oldest committed match at once into an event of the caller's; see {@link
   * #takeNow(Event)}.
   */
  protected final boolean takeNow(Event template, Event into) {
    return transaction().takeNow(template, into);
  }

  /** Returns whether there is a match: and that is still so when the release commits. */
  protected final boolean test(Event template) {
    return transaction().test(template);
  }

  /** Returns whether there is a committed match now, without a promise. */
  protected final boolean testNow(Event template) {
    return transaction().testNow(template);
  }

  /**
   * Returns an empty event of this release, to be filled and written.
   *
   * @throws TransientMemoryExhausted if the release has asked for more than {@link
   *     RuntimeSettings#maxReleaseEvents()}, those that {@link #take(Event)} has returned included
   */
  protected final Event event() {
    transaction();
    return nextEvent();
  }

  /**
   * Subscribes to the events that match a template. A subscription made in a release that is undone
   * is undone with it.
   *
   * <p>If the template is a {@link dev.takt.space.Template}, its predicates live as long as the
   * subscription, and so does all that this release makes; other releases then make objects anew.
   *
   * @param template what to look for, not empty
   * @return the handle to take the matches with
   */
  @SuppressWarnings("NullAway") // a task in a release has a runner
  protected final Handle subscribe(Event template) {
    transaction();
    return runner.subscribe(Objects.requireNonNull(template, "template"));
  }

  /**
   * Ends a subscription of this task, when the release commits.
   *
   * @throws IllegalStateException if the handle is not a present subscription of this task
   */
  @SuppressWarnings("NullAway") // a task in a release has a runner
  protected final void unsubscribe(Handle handle) {
    transaction();
    runner.unsubscribe(Objects.requireNonNull(handle, "handle"));
  }

  /** Undoes and ends this release; does not return. */
  @SuppressWarnings("NullAway") // a task in a release has a runner
  protected final void abort() {
    Transaction transaction = transaction();
    runner.requestAbort();
    transaction.abort();
  }

  /**
   * Returns a number, as {@link Event#get} returns it, as floating point.
   *
   * @throws ClassCastException if it is not a number
   * @throws NullPointerException if it is null: the event has no such key
   */
  protected static double asDouble(@Nullable Object value) {
    return ((Number) Objects.requireNonNull(value, "value")).doubleValue();
  }

  /**
   * Returns an integer as {@link Event#get} returns it.
   *
   * @throws ClassCastException if it is not an integer
   * @throws NullPointerException if it is null: the event has no such key
   */
  protected static long asLong(@Nullable Object value) {
    return (Long) Objects.requireNonNull(value, "value");
  }

  /**
   * Returns a boolean as {@link Event#get} returns it.
   *
   * @throws ClassCastException if it is not a boolean
   * @throws NullPointerException if it is null: the event has no such key
   */
  protected static boolean asBoolean(@Nullable Object value) {
    return (Boolean) Objects.requireNonNull(value, "value");
  }

  private Transaction transaction() {
    Transaction transaction = running();
    if (transaction == null) {
      throw outsideRelease();
    }
    return transaction;
  }

  @SuppressWarnings("NullAway") // asked for within a release only
  private Event nextEvent() {
    Event event = spare;
    if (event == null) {
      if (events.inUse() == events.capacity()) {
        throw tooManyEvents(events.capacity());
      }
      return events.next();
    }
    spare = null;
    return event;
  }

  @SuppressWarnings("NullAway") // asked for within a release only
  private TransientMemoryExhausted tooManyEvents(int limit) {
    return runner
        .state
        .memory()
        .rollbackOnly(
            new TransientMemoryExhausted(
                ("too many events in one release: asked for %s, limit=%s; make one "
                        + "event before the loop and clear() it for each use, or raise "
                        + "RuntimeSettings.withMaxReleaseEvents")
                    .formatted((limit + 1), limit)));
  }

  private @Nullable Event keep(Event unused) {
    spare = unused;
    return null;
  }

  private IllegalStateException outsideRelease() {
    return runner == null
        ? new IllegalStateException(
            getClass().getName()
                + " is not registered; register it with ReflexRuntime.active or passive, and use"
                + " its operations in initialize() and execute() only")
        : new IllegalStateException(
            runner.name()
                + " is not in a release; use the operations of a task in initialize() and execute()"
                + " only, or use the EventSpace from other threads");
  }

  /** Binds this task to its runner, for good. */
  final void bind(TaskRunner runner) {
    this.runner = runner;
    gate = runner.state.gate();
  }

  final @Nullable TaskRunner runner() {
    return runner;
  }

  final void enter(Transaction transaction, EventPool events) {
    thread = Thread.currentThread();
    if (this.transaction != transaction || this.events != events) {
      this.transaction = transaction;
      this.events = events;
    }
  }

  final void exit() {
    thread = null;
    reset();
  }

  /**
   * Returns the transaction of the release that the calling thread runs, or null. An atomic method
   * that uses the space runs on an ordinary thread, perhaps while a release runs on its own: it
   * must not use that release's transaction. {@code thread} is set only while this thread runs the
   * release, so plain fields suffice.
   */
  final @Nullable Transaction running() {
    return thread == Thread.currentThread() ? transaction : null;
  }

  /** Forgets what an undone attempt has borrowed. */
  final void reset() {
    if (spare != null) {
      spare = null;
    }
  }
}
