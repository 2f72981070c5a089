package dev.takt.samples.trading;

import dev.takt.realtime.NanoClock;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeScheduling;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.samples.market.MarketDataException;
import dev.takt.samples.market.MarketReader;
import dev.takt.samples.market.TradeFigures;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Runs the application: makes the space and the tasks, replays the data as often as asked, and
 * compares the passes.
 *
 * <p>The tasks' figures of a pass have to agree with what the feed wrote and with those of every
 * other pass; if they do not, that is the problem which the result names.
 *
 * <p><b>Thread rule:</b> {@link #run} once, on any thread; {@link #cancel} from any thread.
 */
final class TradingFloor implements AutoCloseable {
  /** The period of the seller and its deadline, in nanoseconds. */
  static final long SELLER_PERIOD_NS = 1_000_000;

  /** How many events the space of the application holds. */
  static final int DEFAULT_CAPACITY = 16_384;

  private static final int SELLER_PRIORITY = 20;
  private static final int BUYER_PRIORITY = 11;
  private static final int STREAM_PRIORITY = 10;
  private static final int STREAMS = 3;
  private static final int WARM_UP_PASSES = 1;

  /** Where there is only one pass, so much of its beginning does not count. */
  private static final long WARM_UP_NS = 1_000_000_000;

  private static final Duration LOOK = Duration.ofMillis(100);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);
  private static final long ANSWER_TIMEOUT_NS = 60_000_000_000L;

  private final MarketSource source;
  private final int speed;
  private final int repeat;
  private final EventSpace space;
  private final Meters meters = new Meters();
  private final ReflexRuntime runtime;
  private final Feed feed;
  private final Excerpt excerpt;
  private final SleepingThread beside;
  private final StateKeeper keeper;
  private final TaskMeter forClerk = new TaskMeter("clerk", 2 * StreamTask.MAX_EVENTS);
  private final TaskMeter forBuyer = new TaskMeter("buyer", DiscountBuyer.MAX_OFFERS);
  private final TaskMeter forSeller = new TaskMeter("seller", 0);

  private List<String> kinds;
  private String problem;
  private ReadPosition from = ReadPosition.START;
  private int passes;
  private long events;
  private PassFigures figures = PassFigures.NONE;
  private double linesPerSecond;
  private double feedBytesPerLine;
  private boolean warm;
  private long endAfterNs = Long.MAX_VALUE;

  /**
   * Makes a floor that replays all of the data.
   *
   * @param speed how many times faster than the market; 0: as fast as possible
   * @param repeat how many passes, at least 1
   * @param capacity how many events the space holds
   * @param scheduling what to ask of the operating system
   */
  TradingFloor(
      MarketSource source, int speed, int repeat, int capacity, RuntimeScheduling scheduling) {
    this(source, Excerpt.ALL, speed, repeat, capacity, scheduling, null);
  }

  /**
   * Makes a floor that replays a part of the data, and perhaps keeps the state of its tasks.
   *
   * @param keeper what keeps it, and has what was kept before; null: nothing is kept
   */
  TradingFloor(
      MarketSource source,
      Excerpt excerpt,
      int speed,
      int repeat,
      int capacity,
      RuntimeScheduling scheduling,
      StateKeeper keeper) {
    this.source = source;
    this.keeper = keeper;
    this.excerpt = excerpt;
    this.beside = speed > 0 ? new SleepingThread(SELLER_PERIOD_NS) : null;
    this.speed = speed;
    this.repeat = repeat;
    space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(capacity));
    RuntimeSettings settings =
        RuntimeSettings.DEFAULTS.withScheduling(scheduling).withListeners(meters);
    runtime =
        ReflexRuntime.create(
            space, keeper == null ? settings : settings.withRecovery(keeper.recovery()));
    NanoClock clock = NanoClock.system();
    feed = new Feed(space, clock, new Pacer(clock, speed), this::isHealthy);
  }

  /** Begins no more passes after this time; there are two in any case, if there are to be two. */
  void endAfter(long ns) {
    endAfterNs = ns;
  }

  /** Ends the run soon; what was processed until then is in its result. */
  void cancel() {
    feed.cancel();
  }

  private boolean isHealthy() {
    return meters.controls().stream().noneMatch(TaskControl::isStopped);
  }

  /**
   * Replays the data.
   *
   * @throws MarketDataException if it cannot even be opened
   */
  TradingResult run(Progress progress) throws IOException {
    MarketReader first = source.open();
    try (first) {
      kinds = first.kinds();
      register();
      if (keeper != null && keeper.isWarm()) {
        progress.tell(
            "%s has the state after pass %s, trade %,d: it goes on there"
                .formatted(keeper.folder(), from.pass(), from.trades()));
      }
      space.write(new Event(Keys.TYPE, Keys.BOOK).add(Keys.BID, 0).add(Keys.ASK, 0));
      runtime.start();
      if (keeper != null) {
        keeper.start(runtime);
      }
      if (beside != null) {
        beside.start();
      }
      restart();
      progress.start(speed, repeat, speed > 0 ? MarketSpan.of(source, excerpt) : null);
      replay(first, progress);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail("interrupted");
    } catch (IllegalStateException e) {
      fail(e.getMessage() + failures());
    } finally {
      progress.end();
    }
    double allocated = meters.allocatedBytesPerRelease();
    long conflicts = space.stats().conflicts();
    Punctuality punctuality = meters.punctuality(SELLER_PERIOD_NS);
    stop();
    return result(allocated, conflicts, punctuality);
  }

  private void register() throws IOException {
    try {
      registerTasks();
    } catch (IllegalArgumentException e) {
      if (keeper == null) {
        throw e;
      }
      throw new IOException(
          "%s has the state of another version of the program: %s; name another folder for this one"
              .formatted(keeper.folder(), e.getMessage()),
          e);
    }
  }

  private void registerTasks() {
    int kinds = this.kinds.size();
    TaskMeter forStatistics = new TaskMeter("statistics", StreamTask.MAX_EVENTS);
    TaskMeter forQuotes = new TaskMeter("quotes", StreamTask.MAX_EVENTS);
    Clerk clerk = new Clerk(kinds, forClerk.notes);
    DiscountBuyer buyer = new DiscountBuyer(forBuyer.notes);
    StockSeller seller = new StockSeller(forSeller.notes);
    Statistics statistics = new Statistics(kinds, forStatistics.notes);
    QuoteKeeper quotes = new QuoteKeeper(kinds, forQuotes.notes);
    meters.watch(runtime.passive(forStatistics.name, statistics, STREAM_PRIORITY), forStatistics);
    meters.watch(runtime.passive(forQuotes.name, quotes, STREAM_PRIORITY), forQuotes);
    meters.watch(runtime.passive(forClerk.name, clerk, STREAM_PRIORITY), forClerk);
    meters.watch(runtime.passive(forBuyer.name, buyer, BUYER_PRIORITY), forBuyer);
    Schedule schedule = Schedule.periodic(SELLER_PERIOD_NS).priority(SELLER_PRIORITY);
    meters.watch(runtime.active(forSeller.name, seller, schedule), forSeller);
    from = ReadPosition.of(statistics, quotes, clerk);
    passes = from.pass() - 1;
  }

  private void restart() {
    meters.restart();
    if (beside != null) {
      beside.restart();
    }
  }

  private void replay(MarketReader first, Progress progress) throws InterruptedException {
    long beginNs = System.nanoTime();
    int last = Math.max(repeat, from.pass());
    for (int pass = from.pass(); pass <= last && problem == null && !feed.isCancelled(); pass++) {
      if (keeper != null) {
        keeper.beginPass();
      }
      if (pass > WARM_UP_PASSES + 1 && System.nanoTime() - beginNs > endAfterNs) {
        return;
      }
      progress.pass(pass);
      if (pass == Math.min(WARM_UP_PASSES + 1, repeat)) {
        restart();
        warm = pass > 1;
      }
      long startNs = System.nanoTime();
      try (MarketReader reader = pass == from.pass() ? first : source.open()) {
        replayPass(pass, reader, startNs, progress);
      } catch (MarketDataException e) {
        fail(e.getMessage());
      }
    }
  }

  private void replayPass(int pass, MarketReader reader, long startNs, Progress progress)
      throws InterruptedException {
    long allocatedBefore = meters.allocatedByThisThread();
    long before = events;
    try {
      feed.replay(
          reader,
          excerpt,
          from.of(pass),
          lines -> {
            events = before + lines;
            progress.lines(lines, reader);
            if (!warm && repeat == 1 && meters.elapsedNs() > WARM_UP_NS) {
              warm = true;
              restart();
            }
          });
    } catch (MarketDataException e) {
      fail(e.getMessage());
    }
    long lines = events - before;
    double bytesPerLine =
        (double) (meters.allocatedByThisThread() - allocatedBefore) / Math.max(1, lines);
    feed.endPass(pass, problem == null && !feed.isCancelled());
    PassFigures found = awaitFigures(pass);
    double seconds = (System.nanoTime() - startNs) / 1e9;
    boolean complete = problem == null && !feed.isCancelled();
    // What was read before this program began, the feed has perhaps not come to when it ends early.
    boolean isExact = complete || from.of(pass).isStart();
    if (isExact ? found.lines() != lines : found.lines() < lines) {
      fail(
          "the tasks took %s of the %s lines that the feed wrote in pass %s"
              .formatted(found.lines(), lines, pass));
    } else if (complete && passes >= from.pass() && !found.equals(figures)) {
      fail("pass " + pass + " found " + found + " and the pass before it " + figures);
    }
    if (complete || passes < from.pass()) {
      figures = found;
      linesPerSecond = lines / seconds;
      feedBytesPerLine = bytesPerLine;
    }
    passes += complete ? 1 : 0;
  }

  /**
   * Waits until every stream's task has come to the end of the pass, and collects what they wrote
   * about it.
   */
  private PassFigures awaitFigures(int pass) throws InterruptedException {
    Event template = new Event(Keys.TYPE, Keys.DONE).add(Keys.PASS, pass);
    TradeFigures trades = TradeFigures.NONE;
    long deadlineNs = System.nanoTime() + ANSWER_TIMEOUT_NS;
    for (int done = 0; done < STREAMS; ) {
      Event event = space.take(template, LOOK);
      if (event != null) {
        done++;
        if (event.get("trades") != null) {
          trades = TradeFigures.of(event);
        }
      } else if (!isHealthy() || System.nanoTime() - deadlineNs > 0) {
        throw new IllegalStateException(
            "only " + done + " of " + STREAMS + " tasks came to the end of pass " + pass);
      }
    }
    Map<String, Long> counts = new TreeMap<>();
    Event count = new Event();
    Event counted = new Event(Keys.TYPE, Keys.COUNT).add(Keys.PASS, pass);
    while (space.take(counted, count)) {
      counts.merge(kinds.get((int) count.getLong(Keys.KIND)), count.getLong(Keys.COUNT), Long::sum);
    }
    long lines = counts.values().stream().mapToLong(Long::longValue).sum();
    return new PassFigures(lines, counts, trades);
  }

  private String failures() {
    StringBuilder text = new StringBuilder();
    for (TaskControl control : meters.controls()) {
      if (control.failure() != null) {
        text.append("; ").append(control.name()).append(" failed: ").append(control.failure());
      }
    }
    return text.toString();
  }

  private void fail(String what) {
    problem = Objects.requireNonNullElse(problem, what);
  }

  private void stop() {
    if (beside != null) {
      beside.close();
    }
    if (!runtime.drain(STOP_TIMEOUT)) {
      fail("the tasks did not come to rest within " + STOP_TIMEOUT.toSeconds() + " s" + failures());
    }
    if (!runtime.stop(STOP_TIMEOUT)) {
      fail("the tasks did not stop within " + STOP_TIMEOUT.toSeconds() + " s");
    }
    if (keeper != null) {
      keepLast();
    }
  }

  private void keepLast() {
    try {
      String why = keeper.end();
      if (why != null) {
        fail("the last state could not be kept in " + keeper.folder() + ": " + why);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail("interrupted");
    }
  }

  private TradingResult result(double allocated, long conflicts, Punctuality punctuality) {
    return new TradingResult(
        passes,
        figures,
        linesPerSecond,
        problem,
        feed.isCancelled(),
        events,
        forSeller.done(),
        forBuyer.done(),
        forClerk.done(),
        punctuality,
        conflicts,
        feed.stalls(),
        allocated,
        warm,
        feedBytesPerLine,
        runtime.grants(),
        meters.meters(),
        beside);
  }

  @Override
  public void close() {
    if (beside != null) {
      beside.close();
    }
    runtime.close();
    feed.close();
  }
}
