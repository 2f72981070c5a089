package dev.takt.samples.trading;

import dev.takt.reflex.RuntimeGrants;
import java.util.List;

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
 * @param offers how many offers the seller made
 * @param expired how many offers expired before the buyer saw them
 * @param buys how many times the buyer bought
 * @param punctuality how many releases of the seller were in time
 * @param conflicts how many transactions lost against another
 * @param stalls how often the feed had to wait for room in the space
 * @param allocatedBytesPerRelease how many bytes of heap a release allocated
 * @param warm whether the warm-up was long enough to be left out of what was measured
 * @param feedBytesPerLine how many bytes of heap the feed allocated for a line in the last pass
 * @param grants what the operating system granted
 * @param meters the measured times, one meter for each task
 * @param beside a plain thread with the seller's period, or null if there was none
 */
record TradingResult(
    int passes,
    PassFigures figures,
    double linesPerSecond,
    String problem,
    boolean cancelled,
    long events,
    long offers,
    long expired,
    long buys,
    Punctuality punctuality,
    long conflicts,
    long stalls,
    double allocatedBytesPerRelease,
    boolean warm,
    double feedBytesPerLine,
    RuntimeGrants grants,
    List<TaskMeter> meters,
    SleepingThread beside) {}
