/**
 * A simulated network: blocking protocol code runs unchanged in virtual time, meets what a network
 * does to it, and each failure is replayed by its seed.
 *
 * <h2>Problem</h2>
 *
 * <p>What breaks protocol code is rare on a test machine: a message that comes in two reads, a
 * connection that ends in its middle, a peer that does not read, or says nothing any more. A test
 * on real sockets sees these by luck, and not again.
 *
 * <h2>Words</h2>
 *
 * <ul>
 *   <li><b>connection</b>: two ends, each a {@link java.net.Socket}, and a direction of bytes from
 *       each to the other.
 *   <li><b>part</b>: bytes that arrive together, at one time.
 *   <li><b>window</b>: how many bytes of a direction are written and not yet read, at most.
 *   <li><b>lost</b>: a connection is <i>reset</i>, then both ends get an exception and what they
 *       have not read is gone; or it falls <i>silent</i>, then nothing arrives any more and nobody
 *       is told.
 *   <li><b>scenario</b>: sessions, time that passes, and what is then asserted.
 * </ul>
 *
 * <h2>How it works</h2>
 *
 * <p>The sessions are {@linkplain dev.takt.session.SteppedSessions stepped} on the test's thread:
 * the seed decides who of those that can go on does, and time jumps to the next moment at which
 * somebody waits for it. The network has no thread and no queue of work. A write adds parts, each
 * with the time at which it arrives, behind those before it; a read looks at what has arrived by
 * the time that it is, and otherwise waits until the next moment at which that can change. So the
 * order within a direction is kept by construction, and the order between connections comes from
 * their delays.
 *
 * <p>An end is a real {@code Socket} with an implementation of its own, not a type that only tests
 * have: code that takes a socket, a {@code ServerSocket} or a {@code SocketFactory} is what is
 * tested, with {@link dev.takt.session.SocketTransport} and its time limits among it.
 *
 * <h2>As TCP does, and not</h2>
 *
 * <p>As TCP: an end that is closed while something that it was sent is unread resets the other end;
 * so does {@code setSoLinger(true, 0)}; a write to an end that is known to be closed fails; after
 * {@code shutdownOutput} the other direction goes on. Unlike TCP: the window is of bytes that were
 * not read, and its news arrive at once; there is one host; what is sent within one delay may
 * arrive in up to three parts, however short it is.
 *
 * <h2>Limits</h2>
 *
 * <ul>
 *   <li>Code that waits otherwise ({@code Thread.sleep}, a future, a blocking queue) stops the
 *       test.
 *   <li>All sessions run on one thread. A {@code ReentrantLock} that one holds while it waits keeps
 *       no other one out, and a monitor that one holds while it waits stops the test when another
 *       one wants it. TLS, and connections that sessions share, are not for this network.
 *   <li>A session that never waits is not interrupted: give the test a time limit.
 * </ul>
 */
package dev.takt.testkit.net;
