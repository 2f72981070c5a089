/**
 * What persistence costs those beside it. No suite runs it yet: {@link
 * dev.takt.bench.persist.IncrementRun} and {@link dev.takt.bench.persist.RestartRun} have a {@code
 * main}.
 *
 * <p>An increment's pause is the time from its begin to its end, all that comes between included.
 * Its floor is the same thread's, with the same period, that does nothing but look at the clock for
 * the target pause: what is longer there is the machine's.
 */
package dev.takt.bench.persist;
