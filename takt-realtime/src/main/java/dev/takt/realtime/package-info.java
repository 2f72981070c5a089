/**
 * Clocks and releases: when each is due, how its time is hit, and what is judged and counted.
 *
 * <p>Time is injected: whatever waits or measures does so through a {@link
 * dev.takt.realtime.NanoClock} and the {@link dev.takt.realtime.os.Sleeper}s that it makes, so that
 * the same logic runs against the machine and, in tests, against a clock that is set by hand. The
 * rules ({@link dev.takt.realtime.PeriodicReleases}, {@link dev.takt.realtime.ArrivalQueue}, the
 * learned lead) take times and neither wait nor look at a clock. Nor does {@link
 * dev.takt.realtime.ReleaseEngine}, which judges, counts and publishes the releases of tasks.
 * {@link dev.takt.realtime.ReleaseTimer} and the threads of takt-reflex and takt-rtsj are the
 * wiring.
 *
 * <p>Sources: the Real-Time Specification for Java, for words and policies; Avionics 3, which
 * compares the three kinds of thread.
 *
 * <h2>Words</h2>
 *
 * <table>
 *   <caption>Words</caption>
 *   <tr><th>word</th><th>what it is</th></tr>
 *   <tr><td>release</td><td>one time that a thread, a handler or a task does its work</td></tr>
 *   <tr><td>due, release time</td><td>when a release should begin: by the period, by the arrival
 *       (of a passive task: the commit that made the match), or by the arrival and the minimum
 *       inter-arrival time; not when it really begins</td></tr>
 *   <tr><td>origin, phase</td><td>what periods are counted from, and how long after it the first
 *       release is due</td></tr>
 *   <tr><td>deadline</td><td>by when a release must have ended, counted from when it was due</td></tr>
 *   <tr><td>budget</td><td>the processor time that a release may take</td></tr>
 *   <tr><td>late start</td><td>a release that began a period or more after it was due; with a
 *       minimum inter-arrival time instead of a period, by that; with neither, by its deadline</td></tr>
 *   <tr><td>miss</td><td>a release that ended past its deadline</td></tr>
 *   <tr><td>skipped</td><td>a period in which no release began, because its deadline had passed when
 *       the release before it ended</td></tr>
 *   <tr><td>overrun</td><td>a release that took more processor time than its budget</td></tr>
 *   <tr><td>arrival</td><td>a request for a release of a sporadic or aperiodic thread</td></tr>
 *   <tr><td>minimum inter-arrival time</td><td>the least time between two release times of a
 *       sporadic thread</td></tr>
 *   <tr><td>lead</td><td>how long before a release time to be woken</td></tr>
 * </table>
 *
 * <h2>The life of a release</h2>
 *
 * <pre>
 *   end of the one before      wake                    release time   begin        end      deadline
 *        |------- asleep -------|~~ late ~~|-- spinning --|             |-- body --|            |
 *                               |&lt;--------- lead --------&gt;|
 * </pre>
 *
 * <ol>
 *   <li>The thread asks for its release time: the next period ({@code PeriodicReleases}), or the
 *       oldest arrival ({@code ArrivalQueue}); without one it sleeps until an arrival wakes it.
 *   <li>It sleeps until a lead before that, because a system wakes a sleeper late, and spins for
 *       what is left ({@code ReleaseTimer}). The lead is learned, and spinning has a budget.
 *   <li>The release begins. Its processor time is measured if it has a budget.
 *   <li>It ends when the work is done. It is judged: late by more than its deadline, longer than
 *       its budget. Each is counted, and the listeners are called, on the same thread.
 *   <li>Missed periods are skipped or made up for ({@link dev.takt.realtime.LatePolicy#SKIP}) or
 *       kept.
 * </ol>
 *
 * <h2>Processor time</h2>
 *
 * <p>It is read only where there is a budget, at the begin and at the end of a release: {@link
 * dev.takt.realtime.ThreadMeter#system} asks the system, which takes some hundred nanoseconds each
 * time. Where the JVM does not measure it, overruns are not counted, and a {@link
 * dev.takt.realtime.os.Shortfall} says so. By a clock that is not the machine's, all time that
 * passes is processor time.
 *
 * <h2>Late releases</h2>
 *
 * <p>A release that ends late, but before the deadline of the next, makes the next begin late: it
 * still can be on time at its end. If the deadline of the next is over as well, then the two
 * policies differ. {@code SKIP} leaps to the first period whose deadline is ahead; the thread then
 * drops outdated periods, and a single long release costs the periods that it lasted and no others.
 * That is what control loops want, and the default. {@code CATCH_UP} gives each period its release,
 * back to back, until the thread has caught up: for work that must be done as often as there were
 * periods. It is what the RTSJ does.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>No release begins before its release time; releases of a thread do not overlap.
 *   <li>Release times are absolute: how late a release is does not shift the next.
 *   <li>After skipped periods there is a release: what is waited for is not skipped, however late
 *       the thread is woken.
 *   <li>Two release times of a sporadic thread are never closer than its minimum inter-arrival
 *       time, and never more arrivals wait than its queue holds.
 *   <li>Each release, and each arrival, is counted exactly once by what became of it.
 *   <li>The time spent spinning never exceeds {@code maxLeadNs} for one release, and {@code
 *       maxSpinShare} of all time, but for twice {@code maxLeadNs}: a real-time thread never spins
 *       without bound.
 *   <li>A cancelled {@code ReleaseTimer} ends its wait at once, sleeping or spinning, also when it
 *       is cancelled before the wait begins.
 *   <li>In steady state none of this allocates.
 * </ol>
 *
 * <p>The first five are tested in takt-testkit, for all small periods, phases, deadlines, costs,
 * durations, arrival sequences and policies, against models that know none of the formulas.
 */
package dev.takt.realtime;
