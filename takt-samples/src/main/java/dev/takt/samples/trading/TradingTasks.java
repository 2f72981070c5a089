package dev.takt.samples.trading;

import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Objects;

/**
 * Makes the tasks of the application, and measures them: the same in this process and in a host.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class TradingTasks {
  private static final int SELLER_PRIORITY = 20;
  private static final int BUYER_PRIORITY = 11;
  private static final int STREAM_PRIORITY = 10;
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

  /** To be a listener of the runtime. */
  final Meters meters = new Meters();

  private long collectionsBefore;

  /** Registers them; what of the market they have read already is in what it returns. */
  ReadPosition register(ReflexRuntime runtime, int kinds) {
    TaskMeter forStatistics = new TaskMeter("statistics", StreamTask.MAX_EVENTS);
    TaskMeter forQuotes = new TaskMeter("quotes", StreamTask.MAX_EVENTS);
    TaskMeter forClerk = new TaskMeter("clerk", 2 * StreamTask.MAX_EVENTS);
    TaskMeter forBuyer = new TaskMeter("buyer", DiscountBuyer.MAX_OFFERS);
    TaskMeter forSeller = new TaskMeter("seller", 0);
    Clerk clerk = new Clerk(kinds, forClerk.notes);
    DiscountBuyer buyer = new DiscountBuyer(forBuyer.notes);
    StockSeller seller = new StockSeller(forSeller.notes);
    Statistics statistics = new Statistics(kinds, forStatistics.notes);
    QuoteKeeper quotes = new QuoteKeeper(kinds, forQuotes.notes);
    meters.watch(runtime.passive(forStatistics.name, statistics, STREAM_PRIORITY), forStatistics);
    meters.watch(runtime.passive(forQuotes.name, quotes, STREAM_PRIORITY), forQuotes);
    meters.watch(runtime.passive(forClerk.name, clerk, STREAM_PRIORITY), forClerk);
    meters.watch(runtime.passive(forBuyer.name, buyer, BUYER_PRIORITY), forBuyer);
    Schedule schedule = Schedule.periodic(TradingFloor.SELLER_PERIOD_NS).priority(SELLER_PRIORITY);
    meters.watch(runtime.active(forSeller.name, seller, schedule), forSeller);
    return ReadPosition.of(statistics, quotes, clerk);
  }

  boolean isHealthy() {
    return meters.controls().stream().noneMatch(TaskControl::isStopped);
  }

  /** See {@link Traders#failures}. */
  String failures() {
    StringBuilder text = new StringBuilder();
    for (TaskControl control : meters.controls()) {
      if (control.failure() != null) {
        text.append("; ").append(control.name()).append(" failed: ").append(control.failure());
      }
    }
    return text.toString();
  }

  /** Forgets what was measured until now. */
  void restart() {
    meters.restart();
    collectionsBefore = collections();
  }

  private static long collections() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
        .sum();
  }

  /** Lets them come to rest, and tells what was measured. */
  TaskFigures stop(ReflexRuntime runtime, long rests) {
    double allocated = meters.allocatedBytesPerRelease();
    long conflicts = runtime.space().stats().conflicts();
    Punctuality punctuality = meters.punctuality(TradingFloor.SELLER_PERIOD_NS);
    long collections = collections() - collectionsBefore;
    String problem = null;
    long seconds = STOP_TIMEOUT.toSeconds();
    if (!runtime.drain(STOP_TIMEOUT)) {
      problem = "the tasks did not come to rest within " + seconds + " s" + failures();
    }
    if (!runtime.stop(STOP_TIMEOUT) && problem == null) {
      problem = "the tasks did not stop within " + seconds + " s";
    }
    return new TaskFigures(
        Objects.requireNonNullElse(problem, ""),
        runtime.grants().toString(),
        allocated,
        conflicts,
        punctuality,
        collections,
        rests,
        meters.meters());
  }
}
