package dev.takt.samples.trading;

import org.HdrHistogram.Histogram;

/**
 * What a run of the application found.
 *
 * @param passes how many passes were completed
 * @param figures those of the last completed pass; when none was, those of the one that was cut
 *     short
 * @param linesPerSecond in the same pass, from opening the input until the tasks had taken the last
 *     event
 * @param problem why the work failed, in one line, or null
 * @param cancelled whether it was cancelled
 * @param events how many lines the feed wrote as events in the whole run
 * @param stalls how often the feed had to wait for room in the space
 * @param warm whether the warm-up was long enough to be left out of what was measured
 * @param feedBytesPerLine how many bytes of heap the feed allocated for a line in the last pass
 * @param tasks what was measured of the tasks
 * @param beside a plain thread with the seller's period, or null if there was none
 */
record TradingResult(
    int passes,
    PassFigures figures,
    double linesPerSecond,
    String problem,
    boolean cancelled,
    long events,
    long stalls,
    boolean warm,
    double feedBytesPerLine,
    TaskFigures tasks,
    SleepingThread beside) {
  /** Returns how many offers the seller made. */
  long offers() {
    return tasks.meter("seller").done();
  }

  /** Returns how many offers had expired before the buyer saw them. */
  long expired() {
    return tasks.meter("buyer").done();
  }

  /** Returns how many times the buyer bought. */
  long buys() {
    return tasks.meter("clerk").done();
  }

  /** Returns how many releases of the seller were in time. */
  Punctuality punctuality() {
    return tasks.punctuality();
  }

  /** Returns the response times of all tasks together. */
  Histogram responses() {
    Histogram response = new Histogram(TaskMeter.MAX_NS, 3);
    tasks.meters().forEach(meter -> response.add(meter.response));
    return response;
  }
}
