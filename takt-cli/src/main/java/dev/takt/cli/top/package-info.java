/**
 * What {@code takt top} shows: the counters of processes, as a table or as JSON lines.
 *
 * <pre>
 *   CounterReader --&gt; CounterSnapshot --+
 *                       (an interval    +--&gt; ProcessView --+--&gt; TopTable   a terminal, a pipe
 *                        before) -------+     (rates)      +--&gt; TopLines   scripts
 * </pre>
 *
 * <p><b>Problem.</b> Counters say how often something has happened; who looks wants to know how
 * often it happens now. So each view has two looks at a process, and rates between them. Nothing
 * here trusts the counters: names have no control characters (the reader's work), numbers may be
 * anything, and a row that has no predecessor has no rates.
 */
package dev.takt.cli.top;
