/**
 * Stable and transient memory of tasks: what a release has changed, what it was given, what it has
 * used. Public because woven code calls it; not for use by hand.
 *
 * <h2>Words</h2>
 *
 * <ul>
 *   <li><b>stable</b> object: lives as long as its task; its class is a subtype of {@link
 *       dev.takt.space.Stable}. A release that does not commit leaves all of them as they were.
 *   <li><b>transient</b> object: made in a release and dead after it. It comes from a pool.
 *   <li><b>attempt</b>: one run of {@code execute()}; a release that loses conflicts has several.
 *   <li><b>epoch</b>: the number of an attempt, never used twice in a JVM. It marks what the
 *       attempt has saved and what it was given, so that ending it needs no clearing.
 *   <li><b>rollback-only</b>: said of an attempt that a {@link dev.takt.reflex.limit.ReleaseError}
 *       has ended: it is undone, whatever the task does with the error.
 * </ul>
 *
 * <h2>Parts</h2>
 *
 * <pre>
 *   TaskThread.memory --&gt; TaskMemory (one a task) --- epoch, limits, rollback-only
 *                            | UndoLog       what stable objects held before the attempt
 *                            | StableMemory  stable objects made beforehand, what all of them count
 *                            v
 *                         TransientArea (one a thread) --- a pool for each class and kind of array
 * </pre>
 *
 * <p>Woven code finds the memory by {@link dev.takt.reflex.woven.TaskMemory#current()}: null on
 * threads that run no release, where woven classes behave like plain ones. Classes have numbers
 * (slots) in {@link dev.takt.reflex.woven.Pools} and {@link dev.takt.reflex.woven.ArrayPools}. The
 * memory belongs to the task, the area to the thread: passive tasks share the areas of the workers,
 * so ten thousand of them need no more transient objects than one.
 *
 * <p>{@code TaskMemory} extends {@code UndoLog} for speed: as an object of its own the log made a
 * release that changes one object 8 % slower (1.33 to 1.23 million batches a second).
 *
 * <h2>An attempt</h2>
 *
 * <pre>
 *   begin    epoch = next; used = 0
 *   store    object.stamp != epoch?  save its fields, stamp = epoch     (first store only)
 *   new      pool.epoch != epoch?    pool.epoch = epoch, pool.used = 0  (first use only)
 *   commit   forget the log; what was made stable stays
 *   undo     put the log back, newest first; what was made stable is free again
 * </pre>
 *
 * <p>So reclaiming costs the same for one object and for a million: the next {@code begin}.
 *
 * <h2>Reading what is saved</h2>
 *
 * <p>A {@link dev.takt.reflex.woven.SaveSink} receives each object and array before it changes, by
 * a release or by atomic calls that a release takes over. So the state of the task as of one moment
 * between two releases, a <b>cycle</b>'s begin, can be read while the task goes on: what the sink
 * has received since, and the objects themselves where it has not. {@link
 * dev.takt.reflex.woven.StableLayout} names the fields.
 *
 * <h2>Accounting</h2>
 *
 * <p>Each object counts what HotSpot allocates for it, by one fixed model (12 bytes of header, 4 a
 * reference, fields packed across the hierarchy, multiples of 8; arrays 16 and their elements),
 * also where the JVM that runs lays objects out otherwise. A test compares the model with what
 * threads really allocate. Counted are
 *
 * <ul>
 *   <li>against {@code transientSizeBytes}: the transient objects and arrays of one attempt. Events
 *       are counted by {@link dev.takt.reflex.RuntimeSettings#maxReleaseEvents} instead.
 *   <li>against {@code stableSizeBytes}: the stable objects and their arrays that hang together in
 *       the task's fields at registration, and all that releases make later. Nothing is subtracted
 *       when a stable object becomes unreachable: reuse them (the collections of {@code
 *       dev.takt.reflex.stable} do).
 * </ul>
 *
 * <p>Not counted: the log, the shadows of arrays (as large as these), and the pools; they are made
 * at registration from the two sizes.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>A stable object that an attempt has stored into, and that was there before it, is in the
 *       log with the values it had then.
 *   <li>A transient object is given at most once in an attempt; a stable one is given away at most
 *       once unless the attempt is undone.
 *   <li>What is used never exceeds the limit, and the sum is exact.
 *   <li>Undoing allocates nothing and cannot fail, so it works after a {@code StackOverflowError}
 *       or {@code OutOfMemoryError} too; see {@code UndoLog} for errors in the middle of a save.
 *   <li>What is kept beyond the attempt is not given again: if the attempt subscribes with
 *       predicates, all that it was given is left to it, and the pools make as much anew.
 *   <li>No stable object belongs to two tasks (checked at registration, within a runtime).
 *   <li>In steady state nothing is allocated on the heap, whatever becomes of the releases.
 * </ol>
 *
 * <h2>Ending a release by force</h2>
 *
 * <p>See {@link dev.takt.realtime.stop.StopSwitch}: a constant at each backward branch and at the
 * entry of each recursive method, flipped in an emergency. It reaches woven code only.
 *
 * <h2>Alternatives</h2>
 *
 * <table>
 *   <caption>What was measured, on two virtual processors, nanoseconds</caption>
 *   <tr><th>question</th><th>chosen</th><th>instead</th></tr>
 *   <tr><td>find the memory</td><td>field of the thread's class: 0.2</td>
 *       <td>ThreadLocal: 0.9; ScopedValue: 0.2, but only inside a binding lambda</td></tr>
 *   <tr><td>what to save</td><td>the object at its first store: 2, later stores 0.04</td>
 *       <td>each store: 1.0 to 1.4 every time, and a log as long as the loops; all fields before
 *       each release: 3 an object, changed or not</td></tr>
 *   <tr><td>arrays</td><td>the array at its first store, by a bulk copy; loops stay
 *       vectorized</td><td>each element: no vectors (0.05 becomes 0.4 an element)</td></tr>
 *   <tr><td>transient objects</td><td>pools with an epoch: 0.9 to 2.5 a new, reclaim free</td>
 *       <td>the heap: 1 to 2 a new, and the collector: 14 to 92 where objects survive it; memory
 *       segments: no objects</td></tr>
 *   <tr><td>end a runaway</td><td>flipped constant: 0, vectors stay; takes half a
 *       millisecond, and compiling anew</td><td>a flag or a counter in each loop: no vectors;
 *       {@code Thread.stop}: gone; a debugger's agent: a port open for all</td></tr>
 *   <tr><td>epochs</td><td>a long, blocks drawn from one counter: unique in the JVM</td>
 *       <td>an int for each task: wraps after minutes; a number for the thread in the upper bits:
 *       marks must not survive a change of threads or runtimes</td></tr>
 * </table>
 *
 * <h2>Limits</h2>
 *
 * <ul>
 *   <li>The guarantees are those of woven code. Objects that the JDK makes on behalf of a task are
 *       ordinary garbage (rule R27 reports them), and what a task changes outside of stable objects
 *       is not undone (rules R14, R15, R28).
 *   <li>A pooled object keeps what it refers to until it is given again.
 *   <li>An array field has one shadow, which fits the array that the field held last. Exchanging
 *       the arrays of two fields of a stable object whose lengths differ therefore makes new
 *       shadows at the next writes, which allocates.
 *   <li>Pooled objects are old for the garbage collector: a reference to a fresh heap object in one
 *       costs its write barrier.
 *   <li>Code in which escape analysis would avoid all allocation gets slower by about a nanosecond
 *       for each object, and in return does not depend on being compiled.
 *   <li>Classes that were registered are never unloaded.
 *   <li>A task that is registered while its runtime runs has its pools made by each worker at the
 *       first release there, which allocates.
 * </ul>
 *
 * <p>Source: Reflexes 2 and 3.2; the measurements of the alternatives are the project's own.
 */
package dev.takt.reflex.woven;
