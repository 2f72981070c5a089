/**
 * One cycle: the cut, the barrier's copies, the breadth-first search, the records.
 *
 * <pre>
 *   task's thread                          cycle's thread
 *   -------------                          --------------
 *   SinkGate.enter: attaches Capture  &lt;--  SinkGate.ask
 *   Capture.saved: appends a copy     --&gt;  Capture.takeIn: by identity, the first one counts
 *     asks ObjectTable: written?      &lt;--  ObjectTable.written
 *                                          GraphWriter: read, fence, takeIn, copy or what was read
 *                                          RecordOutput --&gt; BlockBuffers --&gt; writer's thread
 *                                          CycleMemory --&gt; the next cycle
 *     asks ObjectNumbers: where?      &lt;--  ObjectTable.add: the object holds its number
 *                                          CutReader: what an object held at the cut; copies a
 *                                          collection that changes while nothing is saved
 * </pre>
 *
 * <p><b>Invariants.</b> (1) An object is marked as written after it was read and found unchanged,
 * or its copy was taken; so a barrier that sees the mark need not save. (2) In the phase MARKED the
 * table has all objects of the graph and gets no more; so a barrier that does not find an object
 * need not save. (3) The file is the same in both schemes. (4) Between the cuts of two cycles of
 * which the second is incremental, each object whose values have changed is in the {@link
 * dev.takt.persist.cycle.ChangeList} of the first. (5) What an object holds as its number is right
 * if the object is there ({@link dev.takt.persist.cycle.ObjectNumbers}); whatever else it holds
 * changes nothing but the time that it takes to find it.
 */
package dev.takt.persist.cycle;
