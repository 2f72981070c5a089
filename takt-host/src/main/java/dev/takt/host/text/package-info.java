/**
 * The space of a host by texts: lines for people at {@code nc}, scripts and other languages, and
 * objects of JSON by WebSocket for browsers.
 *
 * <p>One text is one request, and is answered by a text. {@code TextRequests} makes a message of
 * the binary format (package {@code dev.takt.client.wire}) of each, a {@code ClientSession} does
 * what it asks for, and {@code TextAnswers} makes texts of its messages: so there is one
 * implementation of the operations, with the same limits and outcomes. What differs between both
 * forms is the arguments' place ({@code LineArguments}, {@code JsonArguments}) and the look of an
 * answer ({@code LineAnswers}, {@code JsonAnswers}).
 *
 * <pre>
 *   write {"type":"order","id":7}             ok
 *   take {"type":"order"}                     ok {"type":"order","id":7}
 *   take {"type":"order"} 500ms               none
 *   #5 in 1 take {"type":"order"}             #5 none
 *   wirte {}                                  error argument operation=wirte, expected: ...
 * </pre>
 *
 * <p>The same as objects: {@code {"id":5,"in":1,"op":"take","template":{"type":"order"}}}, and
 * {@code {"id":5,"ok":false}}.
 *
 * <p>A request without a number is done when the one before is answered, belongs to the transaction
 * that a {@code begin} without a number has begun, and what it takes counts as received when its
 * answer has been written. One with a number may be answered after later ones, says by {@code in}
 * to which transaction it belongs, and what it takes is put back when the connection ends, unless
 * {@code received NUMBER} has come.
 *
 * <p>Requests that come and answers that are not read have room for 16 KB on each connection, and
 * for what is longer all connections of a server together ({@code HeldText}, {@code TcpLimits}):
 * whoever would have more is told so and cut off. It cannot be refused one request, as by the
 * binary format, because the number of an object may stand at its end, and an answer is not known
 * before what it answers is done. Of what was long nothing is kept: what has read or made it is
 * made anew.
 *
 * <p>Values are those of {@code dev.takt.client.json}.
 *
 * <p>{@code TextServer} lets clients in at an address; {@code TextProtocol} serves those of any
 * {@code Transport}. {@code WebSocketTransport} is one whose lines are the texts of a WebSocket.
 */
package dev.takt.host.text;
