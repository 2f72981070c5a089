/**
 * The CPU monitor: how much more time than its cost a task needs on this machine at present, E
 * (extensum).
 *
 * <pre>
 *   /proc/stat       stolen, interrupts --+
 *   /proc/schedstat  waiting / running    |                        fast up, slow down,
 *   /proc/pressure   some thread waits    +--&gt; CpuWorkload --(E now)--&gt; steps, hysteresis --&gt; E
 *   /proc/loadavg    how many are ready   |    of a window          Extensum
 *   looks, releases  how late they are ---+
 * </pre>
 *
 * <p><b>The problem.</b> A release that takes a millisecond of the processor does not end after a
 * millisecond where the host of a virtual machine, interrupts, or, without privileges, any other
 * thread have the processor in between. E says by how much it is longer: the admission counts
 * {@code ceil(C * E)} for a cost of C.
 *
 * <p><b>How E follows from the figures.</b>
 *
 * <pre>
 * E = max(1 / (1 - stolen), 1 + late, 1 + queue) / (1 - interrupts)
 * </pre>
 *
 * <p>Of a window: {@code stolen} and {@code interrupts} are shares of the processors' time; {@code
 * late} is by how much the supervisor's looks, and the releases of the first task of each
 * processor, which no other delays, are later on average than in the quietest window, as a share of
 * their period; {@code queue} is how long a thread waits, ready, for each unit of time that it
 * runs. These see the same interruptions in part, so the largest counts; interrupts come on top. A
 * queue does not delay a task that preempts those in it: it counts where tasks have no real-time
 * policy. Where /proc/schedstat is not there the pressure stands for it, or the number of ready
 * threads.
 *
 * <p><b>Invariants</b>
 *
 * <ol>
 *   <li>E is within its limits, whatever is read: text of any length and content, counters that go
 *       backwards.
 *   <li>What cannot be read does not count; where nothing can, E is the least.
 *   <li>E goes up as soon as the smoothed figure is above it, and down only after it has been two
 *       steps below it for a while, so that it does not flap.
 * </ol>
 *
 * <p>What decides has neither clock nor files nor threads. A sample reads four small files, some
 * 100 microseconds, and allocates some kilobytes; it is made on a thread of its own.
 *
 * <p>Source: CPU control 2.1, which names the factor and leaves its rule open.
 */
@NullMarked
package dev.takt.cpu.monitor;

import org.jspecify.annotations.NullMarked;
