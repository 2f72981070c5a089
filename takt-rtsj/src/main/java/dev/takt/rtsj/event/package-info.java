/**
 * Events and their handlers: what a program does on a real-time thread because something happened.
 *
 * <p>An {@link dev.takt.rtsj.event.AsyncEvent} is fired by any thread, by a {@link
 * dev.takt.rtsj.timer.Timer}, or by a {@link dev.takt.rtsj.event.Happening}: a signal, a readable
 * descriptor, a channel. Each of its handlers then runs its logic once, on a thread of its own
 * ({@link dev.takt.rtsj.event.BoundHandler}) or on one that many share ({@link
 * dev.takt.rtsj.event.HandlerPool}). These are the RTSJ's {@code AsyncEvent}, {@code
 * BoundAsyncEventHandler}, a handler that is not bound, and {@code bindTo}.
 *
 * <pre>
 *   fire() -&gt; for each handler: release parameters, which may drop or refuse the fire
 *          -&gt; one more is pending; the handler, if it was idle, becomes ready
 *          -&gt; a thread is woken: the bound handler's, or one of the pool that sleeps
 *          -&gt; the thread claims the handler, takes one fire, runs the logic, looks again
 * </pre>
 *
 * <p>A fire changes two words for each handler and wakes at most one thread for it. It holds no
 * lock and allocates nothing, so a real-time thread may fire for threads of any priority. If the
 * thread that made a handler ready was stopped before it woke another one, the next fire does so.
 * With release parameters a fire takes the lock of the handler's {@link
 * dev.takt.realtime.ArrivalQueue}, with priority inheritance where the operating system offers it.
 *
 * <p>The threads of a pool run at the pool's priority; a handler's own priority orders those that
 * are ready. A thread that is free looks at all handlers and claims the highest, of equals the
 * oldest: there is no list that a stopped thread could leave changed halfway. A pooled handler that
 * runs is not interrupted for a higher one, so what must not wait is bound.
 *
 * <p><b>Invariants.</b> (1) One thread at a time runs a handler. (2) A fire that is counted is
 * handled, taken by {@code getAndDecrementPendingFireCount} or {@code getAndClearPendingFireCount},
 * or discarded by {@code closeNow}, once; one that is not counted is refused, because the handler
 * is closed, or shows in {@code arrivalCount}. (3) A thread sleeps only when there is nothing for
 * it to do. (4) A closed handler ends when nothing is pending and no thread runs it.
 *
 * <p><b>Cost.</b> From a fire to its handler it takes the waking of a thread: a switch on the
 * processor of the thread that fires, an interrupt between processors on another one. A handler
 * that must be quick has a higher priority than the threads that fire, and the same processor
 * ({@link dev.takt.realtime.os.ThreadScheduling#withCpus}).
 */
package dev.takt.rtsj.event;
