/**
 * Counters that anybody of this user can look at, without having asked beforehand and at no cost to
 * the tasks: {@code takt top} and the MBeans of this JVM read what is here.
 *
 * <pre>
 *  tasks, spaces, managers              this JVM                          another process
 *        count as they did     one thread, low priority, each 500 ms       reads, never maps
 *
 *   CounterSource (a runtime) --+
 *                               +--&gt; CounterRows --+--&gt; CounterFile ====&gt; CounterReader
 *   CounterSource (a manager) --+     (the figures)|    (mapped)           (takt top)
 *                                                  +--&gt; RowBean
 *                                                       (JMX, once somebody asks for it)
 * </pre>
 *
 * <p><b>Problem.</b> A program is looked at without having been prepared, and the answer must
 * neither cost a task anything nor be able to disturb it. So a task writes nothing that it did not
 * count before; one thread copies, and whatever goes wrong there (no folder, a full disk, a file
 * that another process has cut off) ends in {@link dev.takt.realtime.counters.Counters#whyNot}.
 *
 * <h2>Where</h2>
 *
 * <p>A file for each process, {@code TMP/takt-UID/PID}: {@code TMP} is {@code java.io.tmpdir}, the
 * folder has mode 0700, the file 0600. The folder is used only if it is one (no link), belongs to
 * this user and lets nobody else in. The file goes when the last source has gone or the JVM ends;
 * that of a process which was killed is removed by the next process, or by a reader that was given
 * no folder. Nothing goes that is no file of counters.
 *
 * <h2>Layout, version 1</h2>
 *
 * <p>All numbers are little-endian. A text is its length in bytes (2 bytes) and so many bytes of
 * UTF-8; longer ones are cut.
 *
 * <pre>
 *      0  +--------------------------------------------------------------+
 *         | magic "TAKTCNT1"  8 | version 4 | header bytes 4 (512)       |
 *     16  | row bytes 4 (512)   | most rows 4                            |
 *     24  | pid 8               | start of the process 8                 |
 *     40  | pid namespace 8     | SEQUENCE 8: odd while it is written    |
 *     56  | taken, ns 8         | period of copying, ns 8                |
 *     72  | rows 4 | more 4     | name of the program: text, 128         |
 *    208  | (free)                                                       |
 *    512  +--------------------------------------------------------------+
 *         | kind 4, (free) 12, 6 texts: 288, 26 numbers: 208             |  row 0
 *   1024  +--------------------------------------------------------------+
 *         | ...                                                          |  row 1
 * </pre>
 *
 * <p>Kind is the ordinal of {@link dev.takt.realtime.counters.RowKind}, the numbers are its {@link
 * dev.takt.realtime.counters.RowKind#figures figures} in their order, {@link
 * dev.takt.realtime.counters.CounterRows#UNKNOWN} is none; the texts are those of {@link
 * dev.takt.realtime.counters.RowText}. <i>Taken</i> is of the clock of {@link System#nanoTime}. The
 * start of a process is what {@code /proc/PID/stat} says (field 22), elsewhere milliseconds since
 * 1970; it tells a process from a later one with the same number.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>A reader that finds the sequence number even, and the same before and after it has read,
 *       has the figures of one moment of copying.
 *   <li>The magic is written last: a file without it is not complete yet.
 *   <li>What is mapped is backed: the file's blocks are written before they are mapped memory, so a
 *       full disk is an error of a write and no fault. A file that another process cuts off is a
 *       fault all the same: an {@link InternalError} on the thread that copies, which makes a new
 *       file.
 *   <li>A reader trusts nothing: sizes are checked, names have no control characters any more.
 * </ol>
 */
@NullMarked
package dev.takt.realtime.counters;

import org.jspecify.annotations.NullMarked;
