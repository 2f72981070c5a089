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
 * <p>Each session of {@link dev.takt.session.Sessions} has a virtual thread. Code that waits by the
 * JDK's means leaves its carrier while it waits, also in {@code synchronized} blocks. The timed
 * operations of an event space ({@code take(template, timeout)}, {@code read}) do so, too: they
 * park by their clock and hold nothing meanwhile, so a session waits for an event as it waits for a
 * line.
 *
 * <p>{@link dev.takt.session.SteppedSessions} run the same code on raw continuations, one step at a
 * time on the caller's thread, in a time that the caller moves. They are optional, because the JDK
 * does not support what they stand on: a JVM without the option that opens it has none, and says
 * so. {@code SimulatedNetwork} of takt-testkit gives them sockets, so that protocol code is tested
 * with all that a network does, and each failure is replayed by its seed.
 *
 * <h2>Carriers</h2>
 *
 * <p>The JDK carries all virtual threads of a process by one set of threads, and has no supported
 * way to give sessions others. So what bounds sessions is the number of these threads ({@link
 * dev.takt.session.Carriers}), which can be set at any time without a flag; they have no real-time
 * policy, so real-time tasks have precedence; and the confinement of a process ({@code
 * CpuConfinement} in takt-realtime) keeps them, as all other threads, off the processors of
 * real-time tasks. A session that keeps a carrier is found by {@link
 * dev.takt.session.CarrierWatch}; each set that is opened while the process has a CPU manager is
 * watched, and what is found is logged. A set that was opened before the manager was installed is
 * not.
 *
 * <p>A {@link dev.takt.session.SessionBudget} is a share of the processors for the sessions of the
 * process, which a CPU manager admits or rejects. It is no reservation: a thread without a
 * real-time policy has none. The manager admits it as part of what alpha leaves to all threads that
 * are no tasks, so that tasks and budgets together never take more than there is; it follows how
 * many carriers there are, and what these use is measured and reported to the manager, which tells
 * when it is more.
 *
 * <h2>Waiting in memory</h2>
 *
 * <p>What waits for another session uses a {@link dev.takt.session.Suspension}: the waiter tells by
 * a volatile field where it waits, and then looks once more; the other side changes the state, and
 * then looks whether somebody waits. One of both sees the other, so no wake-up is lost, and a
 * wake-up for no reason does no harm.
 *
 * <p>A read within the JVM looks for its line for a short time before it suspends the session, as
 * the author of the experiment proposed. For how long is learned from the waits so far, by what
 * suspending has cost and what looking would have gained; it is not at all where that does not pay.
 * A session that looks lets others run in between ({@link
 * dev.takt.session.TransportSettings#maxPatience}).
 *
 * <p>A read from a socket does not look: asking {@code available()} again and again before blocking
 * saved no processor time where it was measured (docs/measurements.md, sessions). The JDK does not
 * tell when bytes came, so there is nothing to learn from either.
 *
 * <h2>Connections that clients open</h2>
 *
 * <p>A socket that waits by the JDK's means reads in vain, asks the kernel for one event, and reads
 * again when that has come. Where a {@link dev.takt.session.TransportServer} has more than 32
 * connections by TCP, further ones are looked at by <i>pollers</i> of the server's own, with which
 * they stay registered, and which read what comes for the session before they wake it. So a request
 * takes one read, one write, and a share of one look at many connections, and less processor time
 * than by the JDK's way where there are many (docs/measurements.md, sessions). A single connection
 * takes more, since each request wakes a sleeping poller; so the first ones wait by the JDK's
 * means, as do those by TLS and those that code of sessions opens itself.
 *
 * <ul>
 *   <li><b>Who reads.</b> At any time either the poller or the session may read the connection, and
 *       who may do that may also say whether the poller looks for more. A session that reads bytes
 *       does so by itself until it is in vain, one that reads lines once much has come at once;
 *       then it hands that over, and waits. The poller reads up to 8 KB, hands them over, and reads
 *       no more before they are taken. It gives the reading back when there is more than that, when
 *       more comes before they are taken, and at the end or failure of the connection. So what the
 *       JDK's way does well, much at once, is done as there.
 *   <li><b>Wake-ups.</b> Who waits tells that, and then looks at the state; the poller changes the
 *       state, and then looks who waits. What a sleeping poller is to look for is changed first,
 *       and then it is woken; it tells that it sleeps, and then looks at what it is to look for.
 *   <li><b>Back-pressure.</b> Of a connection whose session does not read, no more than 8 KB are
 *       kept, and the poller is told nothing more of it; the rest stays with the system, and then
 *       with the other end.
 *   <li><b>Writes.</b> A session writes by itself. Where there is no room, the poller wakes it when
 *       there is some.
 *   <li><b>The end.</b> Any thread may close a connection, which wakes who reads and writes. The
 *       system closes its file when the poller has let go of it, which it is woken for. A session
 *       that is cancelled while it waits closes its connection. All limits of time and length are
 *       those of the transport, which closes what exceeds them, or ends a read that can be repeated
 *       ({@link dev.takt.session.TransportSettings#readTimeout}): no wait has a timer of its own.
 *   <li><b>Pollers.</b> Each is a virtual thread beside the sessions of the server, so it runs on
 *       the carriers, at no priority, and keeps none while it waits. There are half as many as
 *       processors, so that what they wake has the others and each look finds more, but one at
 *       least and 32 at most, each of which begins with its first connection, and ends with its
 *       last one when the server accepts no more. Of what it does for a connection that goes wrong,
 *       that connection alone is closed; a poller that cannot go on closes its connections, which
 *       tell the reason, and another takes its place.
 *   <li><b>Fairness.</b> A poller reads once of each connection that is ready. After 32 of them it
 *       lets the sessions run that it has woken: what the system and the session have of a
 *       connection is then still in the cache, without which nothing was gained. One that always
 *       finds several pauses for a moment in 10 ms. A session whose transport always has more to
 *       read lets others run once in a millisecond ({@link dev.takt.session.CarrierTurn}).
 *   <li><b>Memory.</b> A silent connection keeps no buffer here. With 10,000 echo sessions that
 *       wait, it takes little more of the heap than by the JDK's way (docs/measurements.md).
 * </ul>
 *
 * <h2>The end of a session</h2>
 *
 * <p>Its code returns, throws, or is interrupted by {@link dev.takt.session.Session#cancel} where
 * it waits; there is no other way to end it, since code that computes cannot be stopped in Java. A
 * session counts among {@link dev.takt.session.SessionStats#running} until no code of it runs. A
 * session that is started while its set is drained or stopped is either refused, without running,
 * or ends with the others.
 *
 * <p>A failure is told at once, since nobody may ever ask for the outcome, and nobody can for those
 * of a server's connections: to a {@link dev.takt.session.SessionFailureHandler}, or else to the
 * log. Lost connections are there at the level {@code DEBUG} only, and of others one in ten seconds
 * at most: what clients send may let any number of sessions fail. A server goes on whatever keeps
 * it from accepting a connection; it logs that as often, and {@link
 * dev.takt.session.TransportServer#failure} has it until one is accepted.
 *
 * <h2>Overload</h2>
 *
 * <p>The number of sessions is bounded. What bounds queues between steps of a service, and refuses
 * what cannot be done in time, are {@linkplain dev.takt.session.stage stages}.
 *
 * <h2>Not yet</h2>
 *
 * <ul>
 *   <li>Holding carriers to a part of a processor: that is measured and reported, but Java has no
 *       means to stop a carrier for a while, and it would keep the locks of its session.
 * </ul>
 */
package dev.takt.session;
