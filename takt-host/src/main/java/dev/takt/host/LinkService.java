package dev.takt.host;

import dev.takt.cpu.PlainBudget;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.ThreadMeter;
import dev.takt.realtime.internal.Await;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The thread that serves the clients of a host, within a budget.
 *
 * <p><b>Purpose.</b> Requests of clients that ask for much, or for nonsense without end, cost the
 * host the processor time that the CPU manager has admitted for all of them, and no more: when it
 * is used up, the thread sleeps until the next period begins. The tasks do not notice.
 *
 * <p><b>Assumptions.</b> The thread has no real-time policy, so every task that has one goes before
 * it. Nobody else is in {@link LinkServer#serve}, {@code await} and {@code close}. Clients do not
 * come and go without end: {@link LinkServer} lets them in on a thread of its own, outside of the
 * budget, and makes the memory of each new link there.
 *
 * <p><b>Guarantees.</b> (1) In any number of periods the thread takes no more than their budgets,
 * and what it takes between two looks: {@value #LOOK_NS} ns and the time of {@value #MAX_MESSAGES}
 * messages. (2) The manager learns what it takes. (3) A failure ends the service and is told by
 * {@link #failure}; all links are closed then, which tells the clients. Where the JVM does not
 * measure the processor time of threads, nothing is held back.
 *
 * <p><b>Thread rule:</b> any thread. <b>Memory:</b> a thread; it allocates nothing in steady state.
 *
 * {@snippet :
 * PlainBudget budget = manager.admitPlain("links", 5_000_000, 10_000_000);
 * try (LinkService service = LinkService.start(server, budget, factory)) {
 *   ...
 * }
 * }
 */
public final class LinkService implements AutoCloseable {
  private static final Logger LOG = System.getLogger(LinkService.class.getName());

  /** How many messages are handled between two looks at the time. */
  static final int MAX_MESSAGES = 64;

  /** How long the thread goes on until it looks at its processor time, which costs 400 ns. */
  static final long LOOK_NS = 100_000;

  /** Which part of the budget is left for what the thread takes until its next look. */
  private static final int SPARE = 10;

  /** How long it sleeps without clients; so long does the end take at most. */
  private static final long IDLE_NS = 20_000_000;

  private final LinkServer server;
  private final PlainBudget budget;
  private final NanoClock clock;
  private final ThreadMeter meter;
  private final Thread thread;
  private volatile boolean isEnding;
  private volatile int clients;
  private volatile long rests; // written by the thread alone, as the next one
  private volatile long looks;
  private volatile @Nullable Throwable failure;

  private LinkService(
      LinkServer server,
      PlainBudget budget,
      NanoClock clock,
      ThreadMeter meter,
      ThreadFactory threads) {
    this.server = server;
    this.budget = budget;
    this.clock = clock;
    this.meter = meter;
    thread = threads.newThread(this::run);
  }

  /**
   * Begins to serve.
   *
   * @param server belongs to the service from now on, which closes it, also if it cannot begin
   * @param budget of the service alone; stays its owner's
   * @param threads makes the one thread
   * @throws IllegalStateException if the budget is not admitted
   */
  public static LinkService start(LinkServer server, PlainBudget budget, ThreadFactory threads) {
    return start(server, budget, NanoClock.system(), ThreadMeter.system(), threads);
  }

  static LinkService start(
      LinkServer server,
      PlainBudget budget,
      NanoClock clock,
      ThreadMeter meter,
      ThreadFactory threads) {
    try {
      if (!budget.isAdmitted()) {
        throw new IllegalStateException("links are not served: " + budget.reason());
      }
      LinkService service = new LinkService(server, budget, clock, meter, threads);
      service.thread.start();
      return service;
    } catch (Throwable failure) {
      close(server, failure);
      throw failure;
    }
  }

  private static void close(LinkServer server, Throwable failure) {
    try {
      server.close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private void run() {
    try {
      serve();
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    }
    try {
      server.close(); // not a resource of that try: it may fail by the same OutOfMemoryError
    } catch (IOException | RuntimeException | Error e) {
      failure = failure == null ? e : failure;
    }
    clients = 0;
    if (failure != null) {
      LOG.log(Level.ERROR, "links are not served any more", failure);
    }
  }

  private void serve() throws IOException {
    long lookedNs = clock.nanoTime();
    BudgetPeriods periods =
        new BudgetPeriods(
            budget.budgetNs() - budget.budgetNs() / SPARE,
            budget.periodNs(),
            lookedNs,
            meter.usedNs());
    while (!isEnding) {
      boolean isBusy = server.serve(MAX_MESSAGES);
      long nowNs = clock.nanoTime();
      if (nowNs - lookedNs >= LOOK_NS) {
        lookedNs = nowNs;
        looks = looks + 1;
        clients = server.clients();
        long usedNs = meter.usedNs();
        if (usedNs != ThreadMeter.UNKNOWN) {
          long restNs = periods.restNs(nowNs, usedNs);
          if (periods.hasBegun()) { // between two of its periods it may take twice as much
            budget.used(usedNs);
          }
          rest(restNs);
        }
      }
      if (!isBusy) {
        server.await(IDLE_NS);
      }
    }
  }

  private void rest(long restNs) {
    if (restNs <= 0) {
      return;
    }
    rests = rests + 1;
    long beginNs = clock.nanoTime();
    for (long left = restNs; left > 0 && !isEnding; left = restNs - (clock.nanoTime() - beginNs)) {
      looks = looks + 1;
      clock.parkNanos(Math.min(left, IDLE_NS));
    }
  }

  /** Returns how many clients there are. */
  public int clients() {
    return clients;
  }

  /** Returns how often the budget was used up, so that clients had to wait. */
  public long rests() {
    return rests;
  }

  /**
   * Returns a count that grows, some 50 times a second at least, as long as the thread goes on: if
   * it hangs, or the system does not let it run, the count stays.
   */
  public long looks() {
    return looks;
  }

  /** Returns what has ended the service; null: nothing has. */
  public @Nullable Throwable failure() {
    return failure;
  }

  /** Ends it and all links, and waits until that is done. */
  @Override
  public void close() {
    isEnding = true;
    Await.uninterruptibly(thread::join);
  }
}
