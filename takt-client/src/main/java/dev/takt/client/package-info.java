/**
 * The space of a host process for programs outside of it: {@code RemoteSpace} has the operations of
 * the space in the process, and sends them as messages ({@code dev.takt.client.wire}) over a {@code
 * MessageLink}.
 *
 * <pre>
 *   caller  | asks            | RequestExchange | sends a request    | MessageLink | host
 *   caller  | is woken up     | RequestExchange | receives an answer | MessageLink | host
 * </pre>
 *
 * <p>Any number of callers may wait for answers at once. One thread, which the user's factory
 * makes, receives all messages: it hands each answer to who asked, and runs subscribers for
 * notices, so those must be short.
 *
 * <p>Source: Reflexes 2 and 3.3.
 */
package dev.takt.client;
