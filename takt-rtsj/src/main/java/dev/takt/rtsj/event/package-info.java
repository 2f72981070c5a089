/**
 * Asynchronous events: something happens, and logic runs on a real-time thread.
 *
 * <h2>Words</h2>
 *
 * <table>
 * <caption>and those of the RTSJ</caption>
 * <tr><th>word</th><th>meaning</th><th>RTSJ</th></tr>
 * <tr><td>event</td><td>something that happens: it is <em>fired</em>, from any thread</td>
 *     <td>{@code AsyncEvent}</td></tr>
 * <tr><td>handler</td><td>runs its <em>logic</em> once for each fire</td>
 *     <td>{@code AsyncEventHandler}</td></tr>
 * <tr><td>bound</td><td>a handler with a thread of its own: quick</td>
 *     <td>{@code BoundAsyncEventHandler}</td></tr>
 * <tr><td>pooled</td><td>a handler that borrows a thread of a pool: cheap</td>
 *     <td>a handler that is not bound</td></tr>
 * <tr><td>pending fires</td><td>those that a handler has not begun to handle</td>
 *     <td>pending fire count</td></tr>
 * <tr><td>happening</td><td>something outside the JVM that fires an event</td>
 *     <td>{@code bindTo(happening)}</td></tr>
 * </table>
 *
 * <h2>The way of a fire</h2>
 *
 * <pre>
 *  any thread        timer's thread      watch's thread     JVM's signal thread
 *      |                   |                   |                    |
 *      +-------------------+---- fire() -------+--------------------+
 *                          |
 *          for each handler: release parameters (may drop or refuse it)
 *                          |
 *             PendingFires: one more, and IDLE -&gt; READY
 *                          |
 *           the step to READY calls a thread, a fire at READY makes sure that it is woken
 *                   /                           \
 *        the bound handler's own        a pool's thread that sleeps
 *                   \                           /
 *             claim: READY -&gt; RUNNING, one fire fewer
 *                          |
 *                      the logic
 *                          |
 *        finish: RUNNING -&gt; READY if more are pending, else IDLE
 * </pre>
 *
 * <p>A fire changes one word for each handler and calls at most one thread for it. It waits for
 * nobody, holds no lock and allocates nothing, so that a real-time thread may fire for threads of
 * any priority. Nor does it count on another one: who made the handler ready, or has said that it
 * will wake a thread, may have been stopped before it did; the next fire does it in its place.
 *
 * <p>With release parameters it takes the lock of the handler's {@link
 * dev.takt.realtime.ArrivalQueue} for a few dozen instructions; who is inside inherits the priority
 * of those that wait, where the operating system offers it. There one fire may count on another: it
 * replaces an arrival ({@link dev.takt.realtime.QueuePolicy#REPLACE}) whose own fire, by a thread
 * that was stopped after the arrival and before the count, comes later; so does the release then.
 *
 * <h2>Which thread</h2>
 *
 * <p>Threads of a pool all run at the pool's priority; a handler's own orders the pending ones
 * among each other. A pooled handler that runs is not interrupted for a higher one, so what must
 * not wait is bound. Each handler carries the place in the queue that it took when it became ready;
 * a thread that is free looks at all handlers and claims the highest, of equals the oldest. There
 * is no list that could be changed halfway by a thread that was stopped.
 *
 * <h2>How fast</h2>
 *
 * <p>From a fire to its handler it takes the waking of a thread. On the processor of the one who
 * fires, by a higher priority, that is a switch; on another one, which sleeps, it takes an
 * interrupt between processors, about ten times as long on a virtual machine. So a handler that
 * must be quick has a higher priority than those who fire, and the same processor ({@link
 * dev.takt.realtime.os.Scheduling#withCpus}).
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>One thread at a time runs a handler.
 *   <li>A fire that is counted is handled, or taken by {@code getAndDecrement} or {@code
 *       getAndClear}, or discarded by {@code closeNow}; once. A fire that is not counted is refused
 *       (closed) or shows in {@code arrivalCount} (release parameters).
 *   <li>A thread sleeps only when there is nothing for it: a bound handler's after it has seen no
 *       pending fire, with a {@link dev.takt.realtime.os.Sleeper} that keeps a wake-up which came
 *       in between; a pool's after it has said that it is idle and then looked once more, so that a
 *       fire either sees the word "idle" or is seen.
 *   <li>Who calls a pool's thread that is idle wakes it, as does each later fire until that thread
 *       is awake; and a woken thread that has found other work passes the wake-up on. So once a
 *       fire has returned, its handler does not wait while a thread of the pool sleeps.
 *   <li>What logic throws, whatever it is, is counted, kept and told; the thread goes on.
 *   <li>No thread spins without bound: a handler's spin before it sleeps is off unless asked for,
 *       bounded for each fire, and over time ({@code SpinCredit}). Interrupts, which keep a thread
 *       from sleeping, are cleared.
 *   <li>An event's handlers are an array that is never changed in place: a fire sees all of a
 *       change or nothing.
 * </ol>
 *
 * <h2>The end</h2>
 *
 * <p>{@code close} refuses further fires and waits until what is pending is handled; {@code
 * closeNow} discards it and waits only for what runs. Neither waits on a thread that serves the
 * handler, its own or any of its pool: the end may need that thread. The step to ENDED is made
 * once, by whoever finds the handler closed, with nothing pending and nobody running it: the
 * closer, or the thread that runs or claims it. Then a bound handler's thread ends; a pool's
 * threads end when its last handler has.
 *
 * <h2>What it does not do</h2>
 *
 * <p>An event carries no value: who fires leaves it where the logic looks, for example in an event
 * space. A pool's threads do not take on the priority of the handler they run. A POSIX signal
 * reaches the JVM's own thread first, which is an ordinary one.
 */
package dev.takt.rtsj.event;
