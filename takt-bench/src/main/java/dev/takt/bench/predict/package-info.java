/**
 * How punctual periodic tasks are beside a noisy thread: section 6.3 of "High-performance
 * transactional event processing", Figs. 8, 9 and 10, beside cyclictest and plain Java.
 *
 * <h2>Words</h2>
 *
 * <p>A <em>contestant</em> is something with a period: a Takt task, cyclictest, an executor, a
 * loop. A <em>block</em> is some periods of one contestant; contestants take turns block by block,
 * in one JVM, beside the same noise, so that what the machine does to one it does to all.
 *
 * <h2>The definition of late, the same for all</h2>
 *
 * <p>Due times are a grid: the first one plus multiples of the period. The lateness of a due time
 * is the time from it to the beginning of the release that serves it; of one that is skipped, to
 * the beginning of the next release. <em>A due time is late if its lateness is a period or
 * more</em>: late starts and skipped periods, together. So a stall of n periods counts n, whether
 * the contestant catches up afterwards (the executor) or skips what is over (the others), and no
 * contestant gains by sleeping through it. cyclictest reports one lateness for each of its wake-ups
 * and skips the due times that a late one has passed: each wake-up that is {@code l} late stands
 * for the lateness {@code l, l - period, l - 2 periods, ...} above zero.
 *
 * <p>Beside it a <em>late release</em> is one that begins a period or more after the first due time
 * since the release before it began: a stall has one, however long it is. By late due times a
 * contestant is judged; Reflexes does not say which of the two it counted.
 */
package dev.takt.bench.predict;
