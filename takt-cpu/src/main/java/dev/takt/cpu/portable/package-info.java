/**
 * The portable scheduler, for a JVM without privileges: it gives the processor to one task at a
 * time, by handing over a baton.
 *
 * <pre>
 *  thread of a task                    scheduler's thread
 *    Turn.await(due)  -- asks --&gt;        Baton.step:
 *         |                                holder has given back?   its slot is over?
 *         |                                first of those that are due, shortest deadline first
 *    (its release)   &lt;-- hands over --     or none: a pause, for all other threads
 *         |                                   |
 *    Turn.giveBack   -- wakes --&gt;          pauses and slots are shortened by the filters
 * </pre>
 *
 * <p><b>What it simulates.</b> Fixed priorities need as many priorities as there are tasks, and the
 * right to use them. Without that all threads are equal to the operating system, and tasks that are
 * due together would share the processor. Here they run one after the other, in the order of their
 * deadlines. The paper suspends and resumes threads, which Java has not allowed for long: a release
 * that has begun is not interrupted by others. So the analysis is {@link
 * dev.takt.cpu.admission.AdmissionTest.Kind#NON_PREEMPTIVE}: each task is blocked by the longest
 * one of those below it.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>At most one task holds the baton. One that keeps it beyond its slot loses it, and goes on
 *       beside the others; the supervisor contains it by the processor time that it uses.
 *   <li>No release begins before it is due.
 *   <li>No thread waits for a lock: a task asks and gives back by one store each, and only the
 *       scheduler's thread decides.
 * </ol>
 *
 * <p>Source: CPU control 2.2 and 2.3.
 */
@NullMarked
package dev.takt.cpu.portable;

import org.jspecify.annotations.NullMarked;
