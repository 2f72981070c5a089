/**
 * Sessions: protocol code that is plain blocking Java, many at once, on a few threads.
 *
 * <h2>Problem</h2>
 *
 * <p>A server with thousands of connections is written with events and callbacks, and its protocol
 * is spread over them. The same protocol as one method that reads and writes is short and clear,
 * but needs a thread for each connection. The author of javaflow's experiment asked whether such
 * code can be run asynchronously without a change, and what that costs.
 *
 * <h2>Words</h2>
 *
 * <ul>
 *   <li><b>session</b>: one run of blocking code ({@link dev.takt.session.Session}); it suspends
 *       itself where it waits, and keeps no thread meanwhile.
 *   <li><b>carrier</b>: the thread of the operating system that runs a session's code.
 *   <li><b>transport</b>: one end of a connection that carries lines ({@link
 *       dev.takt.session.Transport}).
 *   <li><b>suspension</b>: the place where a session waits for something in memory ({@link
 *       dev.takt.session.Suspension}).
 * </ul>
 *
 * <h2>How it works</h2>
 *
 * <p>Each session has a virtual thread. Code that waits by the JDK's means leaves its carrier while
 * it waits, also in {@code synchronized} blocks.
 */
package dev.takt.session;
