/**
 * Monitors that bound priority inversion, by inheritance or by a ceiling.
 *
 * <p><em>Priority inversion</em>: a thread of high priority waits for a monitor whose owner has a
 * low one, and threads of middle priority keep the owner from running. The wait then has no bound
 * that the section itself could give. {@link dev.takt.rtsj.monitor.Monitor} bounds it in one of two
 * ways:
 *
 * <table>
 * <caption>The two kinds</caption>
 * <tr><th></th><th>inheritance</th><th>ceiling</th></tr>
 * <tr><td>the owner's priority</td><td>the highest of those that wait</td><td>the ceiling</td></tr>
 * <tr><td>changes</td><td>when somebody has to wait</td><td>at each enter and exit</td></tr>
 * <tr><td>enter and exit, nobody waiting</td><td>two compare-and-sets</td><td>and four calls of the
 * system before, two after; none by a thread that has the ceiling's priority, but one after any
 * thread's priority was set; fewer under a ceiling already</td></tr>
 * <tr><td>a thread can wait</td><td>once for each monitor it needs</td><td>once in all, if all its
 * users run on one processor</td></tr>
 * <tr><td>needs</td><td>Linux and native access</td><td>also the permission to raise priorities</td></tr>
 * </table>
 *
 * <p>Where something is not to be had the monitor works with less, and says so: {@link
 * dev.takt.rtsj.monitor.Guarantee}. Java's own monitors and locks know nothing of priorities.
 *
 * <h2>Words</h2>
 *
 * <p>The <em>word</em> says whether a monitor is held; the <em>holder</em> has it; the
 * <em>owner</em> is the same thread, seen from outside. A thread's <em>own</em> priority is that
 * without what it has inherited or been raised to. An <em>inversion</em> is a wait for an owner
 * whose own priority is below the waiter's own, when the wait is counted.
 *
 * <p>What own priority a thread has is read from the system once, and again after {@link
 * dev.takt.realtime.os.OperatingSystem} has set a priority of any thread. A change by other means,
 * from another program or by native code, is therefore seen late or never: a ceiling then judges a
 * thread by the priority that it had, and puts that one back.
 *
 * <h2>The protocol of the word</h2>
 *
 * <pre>
 *            enter: CAS 0 -&gt; id                 wait: id -&gt; id|WAITERS, and into the queue
 *   0 (free) -----------------&gt; id (held) ------------------------------&gt; id|WAITERS
 *      ^                           |                                          |
 *      +------ exit: CAS id -&gt; 0 --+      exit: CAS fails; unlock gives it to the first
 *      ^                                  of the queue: id' or id'|WAITERS; or 0 if there is none
 *      +----------------------------------------------------------------------+
 * </pre>
 *
 * <p>The word is that of a Linux PI futex, and the id the kernel's number of the thread, so the
 * kernel knows whom to boost. Waiting is {@code FUTEX_LOCK_PI}, giving to the next one {@code
 * FUTEX_UNLOCK_PI}; the kernel is called only when the compare-and-set fails. Boosts follow chains:
 * if the owner itself waits for a PI futex, its owner is boosted too. Where there is no kernel to
 * ask, a queue in Java does the same with the word, except that nobody is boosted. The rest is the
 * same code for both, so what is model-checked on the queue is what runs on the futex.
 *
 * <p>Beside the word there is the holder, for diagnostics, for entering again and for refusing a
 * stranger's exit.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>The word is not 0 exactly while a thread is between getting and giving it back; the
 *       compare-and-set, the kernel or the queue's lock decide who got it.
 *   <li>The holder is written by the thread that has the word alone, to itself after getting and to
 *       null before giving it. So a thread that reads itself is inside, and one that is inside
 *       reads itself.
 *   <li>If a thread is in the queue, the word has {@code WAITERS}: nobody exits past it.
 *   <li>A thread that died inside remains the holder. The first who sees that closes the monitor to
 *       everybody: the kernel tells the first of its queue at once, and that one the next; where
 *       there is no kernel, or a time-out, those who wait look once a second. The kernel sees the
 *       end of the system's threads alone, and that of {@code main} outlives Java's, as one may
 *       that native code has attached: when such a thread has used a monitor, all who begin to wait
 *       from then on look. (Not detected: a thread that native code has attached acquires a
 *       contended monitor for the first time, ahead of the waiters, and ends while it owns it.)
 *   <li>A thread says what it waits for before it looks for a circle; so at least one of a circle
 *       sees it, and does not wait. The kernel looks as well, along what it knows.
 *   <li>Under ceilings a thread has the highest of them and its own, whatever the order of exits.
 *       It is raised before it gets the word and lowered after it has given it back: it is never
 *       inside with less, unless the system refuses it; then the next lower one counts.
 * </ol>
 *
 * <h2>Order of memory</h2>
 *
 * <p>What happens before an exit must be seen after the next enter. The word is read and written
 * with volatile semantics only, in Java, and by the kernel with atomic operations that are full
 * barriers. <em>Without waiting</em>: the exit's compare-and-set to 0 synchronizes with the enter's
 * from 0. <em>With waiting, by the kernel</em>: the one that exits has a full fence before it calls
 * the kernel, which writes the word; the one that enters reads the word, as volatile, after its
 * call has returned. That the kernel's write stands between the two is outside the Java memory
 * model, so we argue by barriers: nothing moves down across the fence, nothing up across the read,
 * and the kernel's own atomic operations order the one before the other. <em>With waiting, by the
 * queue</em>: the heir's node is marked as served, a volatile write that the heir reads. The holder
 * is released and read as volatile; that it lags behind the word matters to diagnostics and to the
 * first look for a circle alone.
 *
 * <h2>What it costs</h2>
 *
 * <p>No enter, exit, wait or signal allocates once a thread has done each for the first time. What
 * is done before the kernel is asked delays the boost, and what is done after it the section; so a
 * wait has no time-out of the kernel unless the caller asks for one, and waits are counted,
 * priorities compared and listeners told when the section is over. To compare looks up two
 * priorities: a call of the system each, or two for threads that are not real-time, if any was set
 * since the last time. (That of an owner of which none is known is read before the wait, because it
 * may end before the section does; later the one known last stands for it.) Threads of {@link
 * dev.takt.rtsj.RealtimeThread} have their record of monitors in a field, others in a thread local.
 *
 * <h2>Limits</h2>
 *
 * <ul>
 *   <li>The kernel boosts a thread that could run. An owner that sleeps, waits for input or stands
 *       at a safepoint of the JVM keeps the others waiting as long as that takes, whatever its
 *       priority. So does one that waits for a lock of the JVM's own, as for loading or compiling a
 *       class: those inherit nothing, so warm up what runs inside.
 *   <li>Threads that are not real-time gain little from each other: the kernel notes the better
 *       nice value, but shares the processor by each one's own. Waits among them are no inversions
 *       here.
 *   <li>Who waits for a condition passes on nothing ({@link
 *       dev.takt.rtsj.monitor.MonitorCondition}).
 *   <li>Virtual threads have no priority; a monitor that inherits refuses them.
 * </ul>
 */
package dev.takt.rtsj.monitor;
