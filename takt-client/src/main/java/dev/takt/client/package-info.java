/**
 * The space of a host process for programs outside of it: {@code RemoteSpace} has the operations of
 * the space in the process, and sends them as messages ({@code dev.takt.client.wire}) over a {@code
 * MessageLink}.
 *
 * <pre>
 *   caller  | asks                 | ReconnectingLink | renews links       | LinkSource  |
 *   caller  | asks on one link     | RequestExchange  | sends a request    | MessageLink | host
 *   caller  | polls, then sleeps   | AnswerWaits      | receives an answer | MessageLink | host
 * </pre>
 *
 * <p>Any number of callers may wait for answers at once. Each receives itself while it waits, also
 * for the others: an answer that comes soon needs no other thread. Who has waited for long sleeps;
 * one of those who do, the sleeper, receives for all, and hands that over when it has its own
 * answer. There is a thread of the library only if there are subscribers to run, or callers on
 * virtual threads.
 *
 * <p>What a caller takes has left the host's space when it is answered. The client confirms that it
 * has come ({@code Confirmations}), and the host puts back what is not confirmed when the link
 * ends: so an event that nobody has seen is not lost.
 *
 * <p>A link that has ended is renewed ({@code ReconnectingLink}) by the next caller, or by the
 * thread that runs subscribers. The host knows the client by its random number and keeps what
 * became of its last writes and commits; it is asked for those that were open, and only what is not
 * done is asked for again.
 *
 * <p>Source: Reflexes 2 and 3.3.
 */
package dev.takt.client;
