/**
 * Events for the JDK's Flight Recorder: what happened to which release, with the time, the thread
 * and everything else that a recording has.
 *
 * <pre>
 *   ReleaseEngine ----- Release, Miss, Overrun --+
 *   TaskRunner -------- Conflict ----------------+--&gt; TaktEvents --&gt; jdk.jfr, if it is there
 *   CpuManager -------- Admission, Overrun, -----+
 *                       Demotion, Drop
 * </pre>
 *
 * <p><b>Problem.</b> An event that is off must cost a release nothing that could be measured: no
 * object is made before it is known that the event is on, and asking is a look at a flag until the
 * Flight Recorder begins to work, then a call of a method without a body, which it replaces when a
 * recording begins. Nor must a program that records nothing wait for the Flight Recorder to be set
 * up: that takes longer than all else that precedes a first release. So the events are registered
 * when it tells that it begins to work, on its thread, before a recording is there.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>All events are off unless a recording switches them on.
 *   <li>Off, nothing is allocated, in interpreted code either.
 *   <li>Where the JDK's module {@code jdk.jfr} is missing, all are off.
 * </ol>
 */
@NullMarked
package dev.takt.realtime.flight;

import org.jspecify.annotations.NullMarked;
