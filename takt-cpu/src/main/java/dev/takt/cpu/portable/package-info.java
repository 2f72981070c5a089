/**
 * The portable scheduler, for a JVM without privileges: it gives each processor to one task at a
 * time, by handing over a baton. There is a baton, a scheduler's thread and a set of filters for
 * each processor, and they know nothing of each other.
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
 * <p><b>Several processors.</b> The paper had one. Here each task belongs to one baton, the least
 * used one that it fits to by the analysis when it is admitted, so it waits for few others. Where
 * no processors are named, there are as many batons as processors and threads are bound to none:
 * the system runs them where it finds room, as the threads of other processes are bound to none,
 * either. So a baton stands for some processor, not for a certain one; what is analysed holds as
 * long as no processor has two holders while another one has none.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>At most one task holds a baton, and each task always asks the same one. One that keeps it
 *       beyond its slot loses it, and goes on beside the others; the supervisor contains it by the
 *       processor time that it uses.
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
