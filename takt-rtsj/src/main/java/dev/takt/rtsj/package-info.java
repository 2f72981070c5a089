/**
 * Real-time threads: the RTSJ's {@code RealtimeThread} and {@code NoHeapRealtimeThread} on a stock
 * JVM.
 *
 * <p>A {@link dev.takt.rtsj.RealtimeThread} asks the operating system for its scheduling, is
 * released by the {@link dev.takt.realtime.ReleaseEngine} that tasks use, and calls its handlers of
 * misses, overruns and allocations. The life of a release, the words and the invariants are those
 * of {@link dev.takt.realtime}. What a thread adds:
 *
 * <ol>
 *   <li>For a {@linkplain dev.takt.rtsj.ThreadKind#NO_HEAP no-heap} thread the bytes that a release
 *       has allocated are measured at its begin and end, and counted.
 *   <li>The handlers run on the thread itself, one after the other, after the release and before it
 *       waits again; last, if the body has thrown, the failure's. Their time is not the release's.
 *       A handler delays the thread by what it takes, so it hands longer work to others.
 *   <li>{@code cancel}, {@code stop} and {@code interrupt} end a wait at once, sleeping or
 *       spinning, also when they come before the wait begins.
 * </ol>
 *
 * <p>Other packages: {@link dev.takt.rtsj.event} has asynchronous events and their handlers, {@link
 * dev.takt.rtsj.timer} timers, {@link dev.takt.rtsj.monitor} monitors without unbounded priority
 * inversion, {@link dev.takt.rtsj.memory} memory areas. No task uses any of them.
 *
 * <p>Sources: the Real-Time Specification for Java; Avionics 3.
 */
package dev.takt.rtsj;
