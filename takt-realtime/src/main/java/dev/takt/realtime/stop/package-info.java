/**
 * How code that does not end is ended: places in loops and recursive methods that can be made to
 * ask.
 *
 * <pre>
 *   weaver                          the thread that ends it          the code's thread
 *     |                                |                                |
 *   before each jump backwards,     StopSwitch.flip (a task's         indy stop? -- no, a constant
 *   at the entry of what may          classes), or flipWhereItIs        |
 *   recur: indy stop?                 (those on its stack)            indy stop? -- yes: am I meant?
 *   in handlers of Throwable:          |                                |  no: on
 *   pass                            waits for the end                   v  yes: throws
 *                                      |                              handlers pass it on,
 *                                   StopSwitch.rearm                  finally runs
 * </pre>
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>A site that is not flipped costs compiled code nothing: it is a constant.
 *   <li>Only the thread that is meant ends something; all others that share its classes go on.
 *   <li>Ending plain code needs no memory on its thread: what throws is there, and if there is none
 *       to look at the stack with, it throws without having looked.
 *   <li>Nothing is thrown through the initializer of a class, of the application or of the JDK: the
 *       class would be lost to all threads. So an initializer has no sites, and what it calls goes
 *       on until it returns.
 * </ol>
 *
 * <p>A task's release is undone when it is ended this way; plain code is not: what it has changed
 * stays as it is, and its {@code finally} blocks have run.
 *
 * <p>Source: CPU control 3.2 (an endless loop is detected and dropped).
 */
@NullMarked
package dev.takt.realtime.stop;

import org.jspecify.annotations.NullMarked;
