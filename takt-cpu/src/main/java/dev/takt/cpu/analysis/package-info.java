/**
 * Schedulability analysis of task sets on one processor, and their partition onto several. Pure
 * functions of {@linkplain dev.takt.cpu.analysis.TaskModel records}: no thread, no clock, no state.
 *
 * <h2>Words</h2>
 *
 * <ul>
 *   <li><b>Cost</b> C: the worst-case execution time of a release. <b>Utilization</b> U = C/T.
 *   <li><b>Response time</b> R: from the arrival of a release to its end, at the worst; the release
 *       jitter of the task is in it.
 *   <li><b>Exact</b>: neither optimistic nor pessimistic under the model; <b>sufficient</b>: a set
 *       that passes is schedulable, one that fails may be.
 * </ul>
 *
 * <h2>Which test says what</h2>
 *
 * <table>
 * <caption>Tests</caption>
 * <tr><th>class<th>scheduler<th>verdict<th>cost
 * <tr><td>{@link dev.takt.cpu.analysis.UtilizationBounds}<td>rate monotonic, deadline =
 *     period<td>sufficient<td>O(n)
 * <tr><td>{@link dev.takt.cpu.analysis.ResponseTimes}<td>fixed priorities, any
 *     deadline<td>exact; sufficient with blocking, jitter and suspension<td>pseudo-polynomial
 * <tr><td>{@link dev.takt.cpu.analysis.ProcessorDemand}<td>earliest deadline first, any
 *     deadline<td>exact; sufficient with blocking, jitter and suspension<td>pseudo-polynomial
 * </table>
 *
 * <h2>The model</h2>
 *
 * <p>Tasks are independent, preemptible at once, and released no more often than once a period;
 * switching costs nothing (its time belongs to the cost of the task that is switched to). What is
 * not so is in four figures of a task: its <i>jitter</i> is how much later than its arrival it can
 * become ready, its <i>blocking</i> how long tasks of lower priority can keep it from running, its
 * <i>suspension</i> how long it waits, itself, within a release.
 *
 * <p><b>A deferrable server</b>, which keeps its budget C until its period T ends, delays the tasks
 * below it as one of cost C with a jitter of T - C does: its budget comes twice in a row at the end
 * of a period and the beginning of the next. Its own response time then has that jitter in it, so
 * give it a deadline of T + (T - C): it has its budget in each period if it meets that. (A deadline
 * of T says more, and only the task of highest priority has it.) By earliest deadline first the
 * same model is safe, and strict.
 *
 * <p><b>Suspension</b> counts as time that the task runs, for itself, and as jitter for those
 * below.
 *
 * <p>All times are integers of one unit, nanoseconds in the rest of Takt; the sums are exact. Where
 * they leave the range of a {@code long}, or a utilization is above 1, no response time exists.
 *
 * <p>Sources: CPU control 2.1 (the extended bound); Liu and Layland, JACM 20(1), 1973; Bini,
 * Buttazzo and Buttazzo, IEEE Transactions on Computers 52(7), 2003 (hyperbolic bound); Joseph and
 * Pandya, Computer Journal 29(5), 1986, and Audsley, Burns, Richardson, Tindell and Wellings,
 * Software Engineering Journal 8(5), 1993 (response times); Tindell, Burns and Wellings, Real-Time
 * Systems 6, 1994 (arbitrary deadlines); Zhang and Burns, IEEE Transactions on Computers 58(9),
 * 2009 (quick processor-demand analysis); Chen et al., Real-Time Systems 55, 2019 (suspension as
 * jitter); Bernat and Burns, RTSS 1999 (deferrable servers).
 */
package dev.takt.cpu.analysis;
