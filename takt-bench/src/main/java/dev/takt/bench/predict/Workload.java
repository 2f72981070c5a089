package dev.takt.bench.predict;

import dev.takt.bench.measure.LatenessRecorder;
import java.util.Map;

/**
 * Something with a period that is to be punctual.
 *
 * <p><b>Thread rule:</b> one thread.
 */
interface Workload {
  /**
   * Runs for one block and returns when it has ended.
   *
   * @param record where to put what happens
   * @param warmup how many periods do not count
   * @param count how many periods count then
   */
  void run(LatenessRecorder record, long warmup, long count) throws Exception;

  /** What else there is to report, in the end. */
  default Map<String, Double> facts() {
    return Map.of();
  }
}
