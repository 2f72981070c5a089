package dev.takt.session;

import dev.takt.cpu.CpuManager;
import dev.takt.cpu.PlainBudget;
import org.jspecify.annotations.Nullable;

/**
 * The budget that a CPU manager has admitted for the sessions of this JVM, of the processor time
 * that tasks leave.
 *
 * <p><b>Purpose.</b> A program learns before it serves anybody whether its sessions have room
 * beside the tasks; and its sessions never run on more processors than that takes.
 *
 * <p><b>Guarantees.</b> (1) While it is admitted no more carriers run sessions at once than there
 * are whole processors in the budget, rounded up, but for those that the JDK adds for a while
 * ({@link Carriers#limit}); afterwards there are as many as before. (2) The manager learns once in
 * each period what the carriers have used, and reports when that is more than the budget. (3) No
 * carrier has a real-time policy. A budget that was rejected changes nothing: sessions run as
 * before.
 *
 * <p><b>Limits.</b> A part of a processor is measured and not enforced: Linux could do that to a
 * process, but for a thread Java has no means, and a carrier without a processor would keep the
 * locks of its session. The budget is that of all virtual threads, since the JDK has one set of
 * carriers.
 *
 * <p><b>Thread rule.</b> Any thread. <b>Cost.</b> A thread that measures four times in a period.
 *
 * {@snippet :
 * CpuManager manager = CpuManager.installed().orElseThrow();
 * try (SessionBudget budget = SessionBudget.ask(manager, 500_000_000, 1_000_000_000)) {
 *   if (!budget.isAdmitted()) {
 *     throw new IllegalStateException(budget.reason());
 *   }
 *   ...
 * }
 * }
 */
public final class SessionBudget implements AutoCloseable {
  private static final int LOOKS_IN_PERIOD = 4;

  /** Held while a budget is asked for or given back: the number of carriers is one for all. */
  private static final Object LOCK = new Object();

  private static @Nullable SessionBudget present;

  private final PlainBudget budget;
  private final int carriers;
  private final int carriersBefore;
  private final CarrierTimes times = new CarrierTimes();
  private final WatchThread watch;

  private SessionBudget(PlainBudget budget) {
    this.budget = budget;
    carriersBefore = Carriers.use().limit();
    long whole = (budget.budgetNs() + budget.periodNs() - 1) / budget.periodNs();
    carriers = (int) Math.min(whole, Carriers.MAX_LIMIT);
    watch =
        new WatchThread(
            "takt-session-budget",
            budget.periodNs() / LOOKS_IN_PERIOD,
            nowNs -> budget.used(times.look()));
  }

  /**
   * Asks a CPU manager for a budget; if it is admitted, it is in force until {@link #close}.
   *
   * @param budgetNs how much processor time all sessions take in each period; more than the period:
   *     of several processors
   * @param periodNs 10 ms at least
   * @throws IllegalStateException if the sessions of this JVM have a budget already, or the manager
   *     is closed
   */
  public static SessionBudget ask(CpuManager manager, long budgetNs, long periodNs) {
    synchronized (LOCK) {
      if (present != null) {
        throw new IllegalStateException(
            "the sessions of this JVM have a budget, of %d ns in %d ns; close that first"
                .formatted(present.budget.budgetNs(), present.budget.periodNs()));
      }
      PlainBudget budget = manager.admitPlain("sessions", budgetNs, periodNs);
      try {
        SessionBudget made = new SessionBudget(budget);
        if (made.isAdmitted()) {
          made.begin();
          present = made;
        }
        return made;
      } catch (Throwable noMemory) {
        budget.close();
        throw noMemory;
      }
    }
  }

  private void begin() {
    try {
      watch.start();
      Carriers.limit(carriers);
    } catch (Throwable noThread) {
      end();
      throw noThread;
    }
  }

  private void end() {
    watch.close();
    Carriers.limit(carriersBefore);
  }

  /** Returns whether it is admitted. */
  public boolean isAdmitted() {
    return budget.isAdmitted();
  }

  /** Returns why it is not admitted, and what would be; empty: it is. */
  public String reason() {
    return budget.reason();
  }

  /** Returns how many carriers there are with it. */
  public int carriers() {
    return carriers;
  }

  /** Returns how much processor time the carriers took in the last period, in nanoseconds. */
  public long lastUsedNs() {
    return budget.lastUsedNs();
  }

  /** Returns in how many periods they took more than the budget. */
  public long periodsExceeded() {
    return budget.periodsExceeded();
  }

  /** Gives the budget back; there are as many carriers as before it then. */
  @Override
  public void close() {
    synchronized (LOCK) {
      if (present == this) {
        end();
        budget.close();
        present = null;
      }
    }
  }
}
