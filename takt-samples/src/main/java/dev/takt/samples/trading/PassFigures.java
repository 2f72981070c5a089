package dev.takt.samples.trading;

import java.math.BigDecimal;
import java.util.Map;

/**
 * What the tasks found in one pass over the data: all of it came out of the space.
 *
 * @param lines the lines or messages
 * @param counts how many there were of each kind, without the kinds that there were none of
 * @param trades the trades
 * @param quantity the sum of their quantities
 * @param vwap their volume-weighted average price
 * @param risingRuns the trades that ended a run of three or more rising prices
 * @param longestRun the rises in the longest run
 */
record PassFigures(
    long lines,
    Map<String, Long> counts,
    long trades,
    BigDecimal quantity,
    BigDecimal vwap,
    long risingRuns,
    long longestRun) {}
