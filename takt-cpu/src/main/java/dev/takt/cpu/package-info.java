/**
 * The CPU manager: admits tasks, measures them, contains what runs away.
 *
 * <pre>
 *  register(profile)         the releases               LookThread, when due
 *        |                        |                              |
 *        v                        v                              v
 *   class -&gt; admission  -&gt;  thread with its     -&gt; publishes -&gt; Supervisor.look
 *        |    (analysis)    scheduling; samples      running                 |
 *     rejected              its cost                 since                   v
 *                                |                            samples     cost exceeded:
 *                                +----------- full ---------&gt; CostBound,  count, demote, drop
 *                                                             conforms?          ^
 *                                                             |     +-- no ------+
 *   UpkeepThread, 4 times a second                            v
 *   what the machine does -&gt; CpuMonitor -&gt; E --------------&gt; admission -&gt; room again: tasks
 *   what was learned -----&gt; its file                               that were displaced come back
 * </pre>
 *
 * <p>{@link dev.takt.cpu.CpuManager} is the wiring. What decides has neither threads nor clocks:
 * {@link dev.takt.cpu.admission}, {@link dev.takt.cpu.cost}, {@link dev.takt.cpu.monitor}, {@link
 * dev.takt.cpu.analysis} and the supervisor, which is given the time. Tasks run on threads that the
 * operating system preempts, or take turns without its help: {@link dev.takt.cpu.portable}.
 *
 * <h2>Tasks of runtimes</h2>
 *
 * <p>A runtime asks by {@link dev.takt.realtime.Admission} before it registers a task; the answer
 * ties the two together, for the scheduling of its thread, its turns, and its end.
 *
 * <pre>
 *  active, periodic   ----------------------------&gt; a task of its own
 *  passive ones       -- one worker with a budget -&gt; one deferrable server; each is supervised
 *  all others         ----------------------------&gt; best effort: lowest priority, no policy
 * </pre>
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>What runs with a real-time policy was admitted with the cost that it is supervised by, and
 *       runs in the order and on the processor that was analysed; tasks beyond the priorities that
 *       there are share the last one, and are analysed so. Nothing has a real-time priority where
 *       what supervises it is not granted a higher one.
 *   <li>The supervisor demotes without a lock: the thread that holds it may be waiting for the
 *       processor of the release that runs away. The supervisor waits for no lock at all; what
 *       needs one is done on a thread of its own, or at a later look.
 *   <li>A look allocates nothing, and takes the priorities of all that have used up what they have
 *       before anything is reported: a thread that allocates may have to wait for the JVM, which
 *       those very tasks may keep from running. The JVM's threads that work in pauses therefore
 *       have a priority above all tasks and above the supervisor ({@link
 *       dev.takt.realtime.os.PausePriority}).
 *   <li>A look comes before a release can harm others: within a period of the moment at which it
 *       may have used up its cost, or, where that would be one look after the other, as much later
 *       as all tasks below it can be delayed and still meet their deadlines. All that exceed their
 *       costs on one processor meanwhile have no more time than that together. It is used once:
 *       when a release was seen beyond its cost, looks come as soon as they can until the longest
 *       deadline has passed. How much it is is not known after the admission has changed, until it
 *       has been worked out anew.
 *   <li>A task leaves the admission by its end, by being displaced, demoted or dropped, and its
 *       share is free then. One that is removed ends with its present release, and is supervised
 *       until then; one that is to be dropped is demoted until its release has ended. A displaced
 *       task comes back when there is room; no other does.
 * </ol>
 *
 * <p>Source: CPU control 2.
 */
@NullMarked
package dev.takt.cpu;

import org.jspecify.annotations.NullMarked;
