package dev.takt.samples.trading;

import dev.takt.realtime.NanoClock;
import dev.takt.reflex.RuntimeScheduling;
import dev.takt.samples.market.MarketDataException;
import dev.takt.samples.market.MarketReader;
import dev.takt.samples.market.TradeFigures;
import dev.takt.space.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
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

  private static final int STREAMS = 3;
  private static final int WARM_UP_PASSES = 1;

  /** Where there is only one pass, so much of its beginning does not count. */
  private static final long WARM_UP_NS = 1_000_000_000;

  private static final Duration LOOK = Duration.ofMillis(100);
  private static final long ANSWER_TIMEOUT_NS = 60_000_000_000L;

  private final MarketSource source;
  private final int speed;
  private final int repeat;
  private final Traders traders;
  private final Excerpt excerpt;
  private final SleepingThread beside;

  private Feed feed;
  private List<String> kinds;
  private MarketReader first;
  private String problem;
  private ReadPosition from = ReadPosition.START;
  private int pass;
  private int passes;
  private long beginNs;
  private long events;
  private PassFigures figures = PassFigures.NONE;
  private double linesPerSecond;
  private double feedBytesPerLine;
  private boolean warm;
  private long restartedNs;
  private long endAfterNs = Long.MAX_VALUE;
  private boolean isCancelled; // guarded by this, as what it does to the feed

  /**
   * Makes a floor that replays all of the data, with the tasks in this process.
   *
   * @param speed how many times faster than the market; 0: as fast as possible
   * @param repeat how many passes, at least 1
   * @param capacity how many events the space holds
   * @param scheduling what to ask of the operating system
   */
  TradingFloor(
      MarketSource source, int speed, int repeat, int capacity, RuntimeScheduling scheduling) {
    this(source, Excerpt.ALL, speed, repeat, new TradersHere(capacity, scheduling, null), true);
  }

  /**
   * Makes a floor that replays a part of the data.
   *
   * @param traders the tasks; closed with the floor
   * @param isBeside whether a plain thread is to have the seller's period, if the market is paced
   */
  TradingFloor(
      MarketSource source,
      Excerpt excerpt,
      int speed,
      int repeat,
      Traders traders,
      boolean isBeside) {
    this.source = source;
    this.excerpt = excerpt;
    this.speed = speed;
    this.repeat = repeat;
    this.traders = traders;
    this.beside = speed > 0 && isBeside ? new SleepingThread(SELLER_PERIOD_NS) : null;
  }

  /** Begins no more passes after this time; there are two in any case, if there are to be two. */
  void endAfter(long ns) {
    endAfterNs = ns;
  }

  /** Ends the run soon; what was processed until then is in its result. */
  synchronized void cancel() {
    isCancelled = true;
    if (feed != null) {
      feed.cancel();
    }
  }

  private synchronized boolean isCancelled() {
    return isCancelled;
  }

  private synchronized void makeFeed() {
    NanoClock clock = NanoClock.system();
    Pacer pacer = new Pacer(clock, speed);
    feed = new Feed(traders.space(), traders::events, clock, pacer, traders::isHealthy);
    if (isCancelled) {
      feed.cancel();
    }
  }

  /**
   * Replays the data.
   *
   * @throws MarketDataException if it cannot even be opened
   */
  TradingResult run(Progress progress) throws IOException {
    return runInTurns(progress, List.of(this)).getFirst();
  }

  /**
   * Replays the data on several floors, each pass on one after the other, so that whatever else the
   * machine does is the same for all. They replay the same.
   *
   * @throws IOException if the data cannot even be opened, or a floor cannot begin
   */
  static List<TradingResult> runInTurns(Progress progress, List<TradingFloor> floors)
      throws IOException {
    try {
      for (TradingFloor each : floors) {
        each.begin(progress);
      }
      TradingFloor any = floors.getFirst();
      MarketSpan span = any.speed > 0 ? MarketSpan.of(any.source, any.excerpt) : null;
      List<String> variants = floors.stream().map(each -> each.traders.variant()).toList();
      progress.start(any.speed, any.repeat, variants, span);
      List<TradingFloor> left = new ArrayList<>(floors);
      while (!left.isEmpty()) {
        left.removeIf(each -> !each.hasNextPass());
        left.forEach(each -> each.guard(() -> each.replayNext(progress)));
      }
    } finally {
      progress.end();
    }
    return floors.stream().map(TradingFloor::end).toList();
  }

  /** What is done in a pass, or before the first. */
  @FunctionalInterface
  private interface Step {
    void run() throws IOException, InterruptedException;
  }

  /** What cannot go on is the problem of the result. */
  private void guard(Step step) {
    try {
      step.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail("interrupted");
    } catch (IOException e) {
      fail(e.getMessage());
    } catch (IllegalStateException e) {
      fail(e.getMessage() + traders.failures());
    }
  }

  private void begin(Progress progress) throws IOException {
    first = source.open();
    kinds = first.kinds();
    from = traders.register(kinds.size());
    pass = from.pass();
    passes = pass - 1;
    if (traders.resumedFrom() != null) {
      progress.tell(
          "%s has the state after pass %s, trade %,d: it goes on there"
              .formatted(traders.resumedFrom(), pass, from.trades()));
    }
    makeFeed();
    guard(
        () -> {
          traders.space().write(new Event(Keys.TYPE, Keys.BOOK).add(Keys.BID, 0).add(Keys.ASK, 0));
          traders.start();
          if (beside != null) {
            beside.start();
          }
          restart();
        });
    beginNs = System.nanoTime();
  }

  private void restart() {
    restartedNs = System.nanoTime();
    traders.restart();
    if (beside != null) {
      beside.restart();
    }
  }

  private boolean hasNextPass() {
    return pass <= Math.max(repeat, from.pass())
        && problem == null
        && !isCancelled()
        && (pass <= WARM_UP_PASSES + 1 || System.nanoTime() - beginNs <= endAfterNs);
  }

  private void replayNext(Progress progress) throws IOException, InterruptedException {
    traders.beginPass();
    progress.pass(pass, traders.variant());
    if (pass == Math.min(WARM_UP_PASSES + 1, repeat)) {
      restart();
      warm = pass > 1;
    }
    long startNs = System.nanoTime();
    try (MarketReader reader = pass == from.pass() ? first : source.open()) {
      replayPass(pass, reader, startNs, progress);
    }
    pass++;
  }

  private void replayPass(int pass, MarketReader reader, long startNs, Progress progress)
      throws InterruptedException {
    long allocatedBefore = Meters.allocatedByThisThread();
    long before = events;
    try {
      feed.replay(
          reader,
          excerpt,
          from.of(pass),
          lines -> {
            events = before + lines;
            progress.lines(lines, reader);
            if (!warm && repeat == 1 && System.nanoTime() - restartedNs > WARM_UP_NS) {
              warm = true;
              restart();
            }
          });
    } catch (MarketDataException e) {
      fail(e.getMessage());
    }
    long lines = events - before;
    double bytesPerLine =
        (double) (Meters.allocatedByThisThread() - allocatedBefore) / Math.max(1, lines);
    feed.endPass(pass, problem == null && !isCancelled());
    PassFigures found = awaitFigures(pass);
    double seconds = (System.nanoTime() - startNs) / 1e9;
    boolean complete = problem == null && !isCancelled();
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
      Event event = traders.space().take(template, LOOK);
      if (event != null) {
        done++;
        if (event.get("trades") != null) {
          trades = TradeFigures.of(event);
        }
      } else if (!traders.isHealthy() || System.nanoTime() - deadlineNs > 0) {
        throw new IllegalStateException(
            "only " + done + " of " + STREAMS + " tasks came to the end of pass " + pass);
      }
    }
    Map<String, Long> counts = new TreeMap<>();
    Event count = new Event();
    Event counted = new Event(Keys.TYPE, Keys.COUNT).add(Keys.PASS, pass);
    while (traders.space().take(counted, count)) {
      counts.merge(kinds.get((int) count.getLong(Keys.KIND)), count.getLong(Keys.COUNT), Long::sum);
    }
    long lines = counts.values().stream().mapToLong(Long::longValue).sum();
    return new PassFigures(lines, counts, trades);
  }

  private void fail(String what) {
    problem = Objects.requireNonNullElse(problem, what);
  }

  private TradingResult end() {
    if (beside != null) {
      beside.close();
    }
    TaskFigures tasks = traders.stop();
    if (!tasks.problem().isEmpty()) {
      fail(tasks.problem());
    }
    return new TradingResult(
        passes,
        figures,
        linesPerSecond,
        problem,
        isCancelled(),
        events,
        feed.stalls(),
        warm,
        feedBytesPerLine,
        tasks,
        beside);
  }

  @Override
  public void close() throws IOException {
    if (beside != null) {
      beside.close();
    }
    traders.close();
    if (first != null) {
      first.close();
    }
  }
}
