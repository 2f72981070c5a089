/**
 * {@code takt bench rtj}: the tests of Avionics 3 (in this package: the paper), by their own
 * definitions and success criteria, and what the open RTJPerf suite has beyond them.
 *
 * <h2>Words</h2>
 *
 * <dl>
 *   <dt>case
 *   <dd>some tests that are measured in one JVM ({@link dev.takt.bench.rtj.RtjCases}); it gives
 *       {@link dev.takt.bench.rtj.Samples}, which the rows of the report are made of.
 *   <dt>frame
 *   <dd>50 ms, the paper's 20 Hz; a test takes one sample of a kind in a frame.
 *   <dt>floor
 *   <dd>the same test in C, compiled at run time: the same priorities, processor and contending
 *       threads, memory locked. What it does not keep, nothing on this machine can.
 *   <dt>hold-up
 *   <dd>what the machine does to a thread in C that does nothing but sleep and look at the clock
 *       ({@link dev.takt.bench.rtj.OsNoise}): the floor of floors.
 *   <dt>block
 *   <dd>some frames in a row. The variants of a case and their floors take turns block by block.
 * </dl>
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>Every sample counts: nothing is taken again, left out or cut off because it is large. Only
 *       the first three frames of each block do not count, in Java and in C alike, whatever they
 *       are.
 *   <li>A criterion is judged by the paper's own reading (for jitter and latency the worst case),
 *       and on the floor as on Takt. A row that fails shows whether the floor fails too, and how
 *       many of its samples the machine by itself can be expected to hold up too long. That excuses
 *       nothing: the row stays failed.
 *   <li>What the machine did not grant, and what the hypervisor took meanwhile, is in the report.
 * </ol>
 */
package dev.takt.bench.rtj;
