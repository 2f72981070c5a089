/**
 * {@code takt bench}: suites of published figures, and the peers, side by side.
 *
 * <p>Every measurement runs in a JVM of its own, started with the same flags, one after another:
 * {@link dev.takt.bench.JmhRuns} for the operations that one thread does alone, {@link
 * dev.takt.bench.measure.ChildRun} for what needs threads of its own, such as tasks in a runtime.
 * Each gives a {@link dev.takt.bench.measure.Measurement}; a suite puts the figures into a report.
 */
package dev.takt.bench;
