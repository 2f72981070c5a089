package dev.takt.samples.trading;

import dev.takt.samples.market.TradeFigures;
import java.util.Map;

/**
 * What the tasks found in one pass over the data: all of it came out of the space.
 *
 * @param lines the lines or messages
 * @param counts how many there were of each kind, without the kinds that there were none of
 * @param trades the figures of the trades
 */
record PassFigures(long lines, Map<String, Long> counts, TradeFigures trades) {
  /** The figures of a pass that found nothing. */
  static final PassFigures NONE = new PassFigures(0, Map.of(), TradeFigures.NONE);
}
