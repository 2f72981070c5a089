/**
 * A FIX 4.2/4.4 acceptor as sequential session code: orders become events, fills become reports,
 * and a restart in mid-session loses no order and doubles none.
 *
 * <h2>Problem</h2>
 *
 * <p>A FIX engine is a protocol with a memory: both ends count messages, keep what they have sent,
 * and after any break agree on what is missing. Written with callbacks, the protocol is spread over
 * them; and where the store of the engine and that of the application are two, there is a moment in
 * which an order is in one and not in the other.
 *
 * <h2>Words</h2>
 *
 * <ul>
 *   <li><b>peer</b>: the session of a client, as FIX means it: BeginString and its SenderCompID.
 *   <li><b>number</b>: MsgSeqNum; <b>in</b> is that of the next message to come, <b>out</b> that of
 *       the next one to send.
 *   <li><b>step</b>: one transaction that does what a message, or some fills, do to the state.
 *   <li><b>turn</b>: the time from the begin of a step until what it sends is written.
 *   <li><b>epoch</b>: the time between two resets of the numbers of a peer.
 *   <li><b>safe</b>: forced to the journal.
 * </ul>
 *
 * <h2>Parts</h2>
 *
 * <pre>
 *   socket                session: FixConnection.serve               event space, with a journal
 *
 *   bytes  --&gt;  FixParser --&gt; handle --&gt; [ step ] ------------&gt;   state, known, order, sent
 *                                            |                          |            ^
 *          &lt;--------------- FixLink: write &lt;-+                          v            |
 *                                            |                      OrderFiller --&gt; fill
 *                         session: fills     |                      (a Reflex task)
 *                         FixLink.reportFills: [ step ] &lt;--------------------------- +
 * </pre>
 *
 * <p>{@code FixConnection} reads a message and answers it, in one method that waits where it waits;
 * heartbeats and TestRequests come from reads that end without bytes. A second session waits for
 * fills in the space. Both send in turns ({@code SendTurn}), so messages are written in the order
 * of their numbers.
 *
 * <h2>State: events</h2>
 *
 * <pre>
 *   fix-state    peer, in, out, epoch, kept, dropped, count      one for each peer
 *   fix-sent     peer, epoch, seq, kind, time, body              each application message sent
 *   fix-known    peer, client-id, that of fix-order              each order taken, by its ClOrdID
 *   fix-order    order-id, symbol, side, quantity, limit, done   to be filled
 *   fix-resting  the same                                        waits for another price
 *   fix-fill     the same, last-quantity, price                  filled, and not yet reported
 *   fix-last     symbol, price                                   the last traded price
 * </pre>
 *
 * <h2>One step, one transaction</h2>
 *
 * <pre>
 *   NewOrderSingle   in+1, order, known, sent (New), out+1       then: write New
 *   fill             (task) order -&gt; fill, what is left of the order
 *   report           fills -&gt; sent, out+n                        then: write them
 *   TestRequest      in+1, out+1                                 then: write Heartbeat
 *   Heartbeat        in+1
 *   reset            in=1, out=1, epoch+1                        then: write Logon
 * </pre>
 *
 * <p>The space's commit is forced before it returns ({@code FsyncPolicy.EVERY}), and a failure of
 * the storage is told before a commit returns: then the gateway writes nothing more, for good.
 *
 * <p>A kill can come in each place:
 *
 * <ul>
 *   <li><b>before the commit is safe</b>: nothing has happened. The peer has no answer, and its
 *       message has the number that is expected. When it logs on again with a higher number, it is
 *       asked for the message (ResendRequest), and sends it with PossDupFlag.
 *   <li><b>between commit and write</b>: the peer sees a gap in our numbers and asks; reports come
 *       again from the space, as they were, with PossDupFlag and OrigSendingTime; what was of the
 *       session alone is a gap fill. Its order is not taken again: its number is too low and marked
 *       as possible duplicate, or with PossResend its ClOrdID is known.
 *   <li><b>between order and fill</b>: the order is in the space, and the task goes on with it.
 * </ul>
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>What was written to a connection is safe, with the number that it has.
 *   <li>A number was never given to two messages of one epoch. A number that was given is found in
 *       {@code fix-sent}, or is one of the session alone and filled as a gap.
 *   <li>An order with a ClOrdID is in the space at most once for a peer, whatever is sent again and
 *       after whatever reset; each fill is in exactly one report.
 *   <li>{@code in} moves only by a message that had that number, a gap fill, or a reset. Garbled
 *       messages, and those with a higher number, leave it.
 *   <li>A peer has one connection at a time: the second is closed without a message, because a
 *       message would take a number. It is free again when no session of the first can send.
 *   <li>Everything is bounded: length and fields of a message, kept messages and orders, peers,
 *       connections, the time of a write, of a logon, of an answer.
 * </ol>
 *
 * <h2>Gaps</h2>
 *
 * <p>Messages behind a gap are not queued: the gateway asks for all from the gap on (EndSeqNo 0),
 * so they come again in their order. What cannot wait is answered at once: ResendRequest, because
 * both ends could wait for each other, TestRequest and Logout. If nothing comes in time the gap is
 * asked for again, three times in all; then the gateway logs out.
 *
 * <p>An engine may send a message on one thread while it answers on another, up to the number
 * before it: then that message comes ahead of its turn, and is no part of the answer. So when all
 * is there that had come before the gap was asked for, and more had come since, the rest is asked
 * for after a second ({@code FixGap}).
 *
 * <h2>Alternatives</h2>
 *
 * <ol>
 *   <li><em>A message store beside the space</em>, as FIX engines have: two stores and a crash
 *       between them. Here one commit is both.
 *   <li><em>Acknowledging before it is safe</em> is faster by a disk write for each order, and
 *       loses what it has acknowledged.
 *   <li><em>Going on after the storage has failed</em>: what was told before and what is safe
 *       differ then, and no peer could find out.
 * </ol>
 *
 * <h2>Sources</h2>
 *
 * <p>FIX 4.2 and FIX 4.4 with errata 20030618, volume 2 (session protocol, test cases) and volume 4
 * (orders).
 */
package dev.takt.samples.fix;
