/**
 * Memory areas: where time-critical code takes memory from, so that no garbage is made.
 *
 * <p>The model is that of the Real-Time Specification for Java (RTSJ), as Avionics 3.4 measures it;
 * the classes are those of its Fig. 3, without physical memory.
 *
 * <pre>
 *                 MemoryArea
 *      +--------------+------------------+
 *   HeapArea     ImmortalArea        ScopedArea
 *   collected    never given back    given back when the last thread leaves
 *                                      linearTime     all committed beforehand (LTMemory)
 *                                      variableTime   grows by blocks, and keeps them (VTMemory)
 * </pre>
 *
 * <h2>Words</h2>
 *
 * <ul>
 *   <li><b>enter</b>: make an area the current one for some logic. Threads have a stack of what
 *       they have entered; the bottom is the heap.
 *   <li><b>current area</b>: the one that was entered last.
 *   <li><b>outer area</b>: one below it on the stack. {@code executeInArea} makes an outer scope
 *       (or the heap, or an immortal area) current for some logic; what lies above is hidden
 *       meanwhile.
 *   <li><b>epoch</b> of a scope: from the entry of the first thread to the exit of the last one.
 *       What is allocated belongs to the epoch.
 *   <li><b>parent</b> of a scope: the innermost scope on the stack of the thread that began its
 *       epoch; the <em>primordial scope</em> if there was none.
 *   <li><b>portal</b>: one object of a scope that all threads in it can find.
 *   <li><b>view</b>, <b>handle</b>: what refers to memory or to a pooled instance and knows its
 *       epoch.
 * </ul>
 *
 * <h2>What a stock JVM can do, and what not</h2>
 *
 * <p>It places every object on the heap. So an area holds
 *
 * <ul>
 *   <li>native memory, as a {@link dev.takt.rtsj.memory.MemoryView} (no garbage) or a {@link
 *       java.lang.foreign.MemorySegment} (up to about 90 bytes of heap each, which escape analysis
 *       often removes);
 *   <li>instances of types that were {@linkplain dev.takt.rtsj.memory.MemoryArea#register
 *       registered}: they are made beforehand, on the heap, lent in an epoch and back after it.
 *       They are counted, not measured: they take nothing of {@code sizeBytes}.
 * </ul>
 *
 * <p>It checks no assignment, and cannot take a reference away. So an object made by {@code new} is
 * on the heap whatever area is current; finalizers do not run at the end of an epoch (a pool's
 * reset runs when an instance is lent again); exceptions pass through areas as they are.
 *
 * <h2>What is detected</h2>
 *
 * <pre>
 *   use after the scope's epoch                       detected
 *   ------------------------------------------------  ----------------------------------------------------
 *   a view, by a thread that is in the area or was    always
 *   a view, by another thread, while the last leaves  not always: it may still reach memory of this area
 *   a segment, with endsSegments (the default)        in every thread, by the JDK, once the thread that
 *                                                     left last has come from ending the epoch to ending
 *                                                     them, or the next epoch has a segment; until then
 *                                                     it may still reach memory of this area. But if a
 *                                                     native call used one of its epoch at the end, only
 *                                                     once an epoch has ended, or the area was closed,
 *                                                     after the call
 *   a segment, without                                not before the area is closed
 *   a pooled instance, by its handle                  as a view
 *   a pooled instance, by a plain reference           no; it is refused as portal and by references
 *                                                     until it is lent again
 *   memory of a closed area                           always, in every thread, by the JDK
 *
 *   reference to what lives shorter                   detected
 *   ------------------------------------------------  ----------------------------------------------------
 *   portal, AreaReference                             always for pooled instances and views; for segments
 *                                                     if the thread is in their scope (and by their use)
 *   fields, arrays, statics                           no
 * </pre>
 *
 * <h2>The single-parent rule</h2>
 *
 * <p>A scope in which threads are has one parent. A thread may enter it only if the innermost scope
 * on its own stack is that parent; otherwise {@link dev.takt.rtsj.memory.ScopedCycleException}
 * names both. So scopes form a tree, an outer scope always lives at least as long as an inner one,
 * and a reference outwards is safe. Heap and immortal areas on the stack are looked through. It
 * follows that nobody enters a scope that it is in already.
 *
 * <h2>How an epoch ends in one step</h2>
 *
 * <pre>
 *   scope   | epoch | parent | threads inside |     one word: the last exit sets (epoch + 1, 0, 0)
 *   used    | epoch | bytes used |                  one word: of another epoch, it counts as 0
 *   pool    | epoch | lent |                        the same
 *   portal  epoch, object                           of another epoch, it counts as empty
 * </pre>
 *
 * <p>The first allocation of the new epoch begins to count at 0. Nothing is cleared at the exit, so
 * it takes the same time whatever was allocated, no thread ever waits for another one's reset, and
 * there is no moment at which a stopped thread of low priority keeps one of high priority out.
 * Instead, memory is zeroed when it is given out: that is what is linear in linear-time areas.
 *
 * <p>An epoch has 32 bits: a view that is kept for exactly 2^32 epochs is taken for a live one.
 *
 * <h2>Costs</h2>
 *
 * <ul>
 *   <li>Entry and exit: constant. Allocation: constant plus zeroing (immortal areas: constant).
 *       Portals, pools, references: constant, but for the depth of the stack.
 *   <li>Heap: none of these makes anything on it, after a thread's first use of an area (about 1.5
 *       KiB) and but for segments.
 *   <li>Segments that end cost an arena in each epoch that has some, and a handshake with all
 *       threads when it ends. That is for interfaces to native code and for finding mistakes; a
 *       path with a deadline uses views, or {@code withEndsSegments(false)}.
 *   <li>Committed memory can still be paged out: lock the process's memory.
 *   <li>Allocation is compiled for what it has seen: warm up in short visits, as later, with every
 *       size and kind of area. A first size that is new (a tail of single bytes, a second block)
 *       makes the JVM throw the compiled code away, and some thousand allocations slow.
 * </ul>
 *
 * <h2>Threads</h2>
 *
 * <p>Threads of all kinds enter areas, virtual ones too: each has its own stack of areas, which
 * costs as much as a platform thread's. A thread that was started in an area is not in it. A thread
 * without heap calls {@link dev.takt.rtsj.memory.HeapArea#forbid} first and then enters an immortal
 * or scoped area; the heap area refuses it from then on.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>While threads are in a scope, its parent and its epoch do not change, and its parent has
 *       threads in it.
 *   <li>The epoch changes exactly when the last thread leaves, and when the area is closed.
 *   <li>Allocations of one epoch do not overlap, are zero, and never exceed the size.
 *   <li>An instance is lent at most once in an epoch.
 *   <li>A thread's stack after {@code enter} or {@code executeInArea} is what it was before, also
 *       when the logic throws.
 *   <li>No progress of one thread depends on another's: entries, exits and allocations are
 *       lock-free, except the first use of a variable-time area's block and the end of segments.
 *   <li>A closed area has given all its memory back, and nothing reaches it any more; while a
 *       native call uses a segment, closing says so and is to be repeated.
 * </ol>
 */
package dev.takt.rtsj.memory;
