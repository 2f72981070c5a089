/**
 * Timers, which fire an event at a time, and the clocks that they go by.
 *
 * <h2>Words</h2>
 *
 * <p>A {@link dev.takt.rtsj.timer.Timer} is <em>active</em> from its start until it is stopped or,
 * if it has no <em>interval</em>, until its time; active ones can be <em>disabled</em>: their time
 * goes on, but they do not fire. (The RTSJ's {@code OneShotTimer} is one without interval, its
 * {@code PeriodicTimer} one with.) A <em>tick</em> is a moment at start + k &times; interval. A
 * {@link dev.takt.rtsj.timer.TimerClock} is <em>steady</em> if it is never set.
 *
 * <h2>Parts</h2>
 *
 * <pre>
 *   any thread:  start, stop, reschedule, ...        the service's thread:
 *                                                      applies the changes
 *     the timer's word (flags, generation)             to one heap per clock
 *               |                                             |
 *               +--&gt; the stack of changed timers --&gt;--------&gt;-+
 *                    (each on it once at most)                |
 *               +--&gt; wakes the thread                  fires what is due
 *                                                             |
 *                                                      sleeps until the next
 * </pre>
 *
 * <p>The heaps belong to the service's thread alone. A change is O(1) for the caller, and never
 * waits; the thread pays O(log n) for it. All of this is in {@code TimerEngine}, which has no
 * thread and takes the time from its clocks, so that tests drive it by hand; {@link
 * dev.takt.rtsj.timer.TimerService} adds the thread.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>No timer fires before its clock shows its time, also if the clock was set back.
 *   <li>A timer fires only as its latest generation says: each start, stop and reschedule begins a
 *       new one, and the heap's entry of an old one is dropped when it comes up.
 *   <li>Each start of a timer without interval ends once: by a fire, by a tick while it is
 *       disabled, or by a {@code stop} that returns true. All three compare-and-set the same word.
 *   <li>Ticks do not drift. Those that were missed are skipped and counted, by a division, however
 *       many there are.
 *   <li>A poll looks at each clock once, so that it ends; no interval is shorter than {@link
 *       dev.takt.rtsj.timer.Timer#MIN_INTERVAL_NS}, so that one timer leaves the thread time to
 *       sleep. Many short ones together do not: nothing limits their sum. Keep fires to a few ten
 *       thousand a second for each service, or Linux stops its thread, if that is a real-time one.
 *   <li>A timer that is closed leaves its heap before its place is given to another, so the heaps
 *       never overflow.
 * </ol>
 *
 * <h2>Clocks that are set, and machines that are suspended</h2>
 *
 * <p>A thread sleeps by the monotonic clock. While a timer by another clock waits, that clock is
 * looked at every {@link dev.takt.rtsj.timer.TimerSettings#clockCheckNs} (10 ms unless set), so
 * this is how late such a timer is at most after the clock was set forward or the machine has
 * woken. That costs a hundred wake-ups a second while there is such a timer, on any operating
 * system.
 */
package dev.takt.rtsj.timer;
