/**
 * The serving side of the space for programs outside: a {@code ClientSession} for each client does
 * what its messages ask for.
 *
 * <p>Sessions have no thread: whoever serves links hands each message to {@code handle}, and calls
 * {@code advance} for what has to be told later: waits that end, matches of subscriptions. A commit
 * in another thread only sets a flag of the session; so notices need no queue, and a client that
 * does not read costs nobody else anything.
 *
 * <p>{@code LinkServer} serves links by shared memory, {@code TcpServer} those by TCP and TLS,
 * where a token says who the client is ({@code ClientAccounts}, {@code TokenFile}) and what it may
 * do ({@code ClientRights}): each request is checked before it is done.
 *
 * <p>A session has bounds for transactions, subscriptions and waits ({@code ClientLimits}); one
 * that is exceeded refuses the request. A message that is not in the format ends the session,
 * because nothing that comes after it can be understood.
 *
 * <p>What is taken for a client is committed after its answer has been written: an event that has
 * no place in a message stays in the space. What is taken at once within a transaction is put back
 * in that case.
 *
 * <p>One thread serves all clients of shared memory, so no request may wait there for a transaction
 * of another client, whose next request this thread would have to serve. A request that is in
 * conflict with a running transaction is put aside ({@code DeferredRequests}) and done when that
 * one has ended, or has had its time. Meanwhile other clients are served, and other requests of
 * this one, too: another thread of it may have to end the conflict. By TCP each session waits by
 * itself. One by lines or WebSocket puts its request aside, too, since one session tells all their
 * clients what has happened; the session that reads does it again.
 *
 * <p>{@code LinkService} is the thread of a host that serves all clients of this machine, by {@code
 * LinkServer}. It has a budget of the processor time that tasks leave ({@code
 * CpuManager.admitPlain}), and sleeps when that is used up: a client that floods it slows down
 * other clients, and no task.
 *
 * <p>Source: Reflexes 2 and 3.3.
 */
package dev.takt.host;
