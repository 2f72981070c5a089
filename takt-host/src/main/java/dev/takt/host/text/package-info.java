/**
 * The line protocol: the space of a host for people at {@code nc}, scripts and other languages.
 *
 * <p>One line is one request, and is answered by a line. {@code LineRequests} makes a message of
 * the binary format (package {@code dev.takt.client.wire}) of each line, a {@code ClientSession}
 * does what it asks for, and {@code LineAnswers} makes lines of its messages: so there is one
 * implementation of the operations, with the same limits and outcomes.
 *
 * <pre>
 *   write {"type":"order","id":7}             ok
 *   take {"type":"order"}                     ok {"type":"order","id":7}
 *   take {"type":"order"} 500ms               none
 *   #5 in 1 take {"type":"order"}             #5 none
 *   wirte {}                                  error argument operation=wirte, expected: ...
 * </pre>
 *
 * <p>A request without a number is done when the one before is answered, belongs to the transaction
 * that a {@code begin} without a number has begun, and what it takes counts as received when its
 * answer has been written. One with a number may be answered after later ones, says by {@code in}
 * to which transaction it belongs, and what it takes is put back when the connection ends, unless
 * {@code received NUMBER} has come.
 *
 * <p>Values are those of {@code dev.takt.client.json}.
 */
package dev.takt.host.text;
