/**
 * The message format between a host process and its clients, version 3.
 *
 * <p>A link carries messages whole, in both directions: the shared-memory link as a record each, a
 * stream with the message's own length in front. All numbers are little-endian, without alignment;
 * {@code u} is unsigned, {@code i} is signed. A message is a header and what its kind has.
 *
 * <pre>
 *   0        1        2                 4                                   8
 *   +--------+--------+-----------------+-----------------------------------+
 *   | kind   | opera- | transaction     | length of the message in bytes    |
 *   |     u8 | tion u8|             u16 |                               u32 |
 *   +--------+--------+-----------------+-----------------------------------+
 *   | request number                                                    u64 |
 *   +-----------------------------------------------------------------------+
 *   | number                                                            i64 |
 *   +-----------------------------------------------------------------------+
 *   | content ...
 *
 *   kind        from     operation  number                         content
 *   1 HELLO     client   0          highest version known          u32 largest message it takes,
 *                                                                  2 x u64 client, 0 for none
 *                                                                  text: token, empty for none
 *   2 WELCOME   host     0          version that is spoken         u32 largest message it takes,
 *                                                                  u64 outcomes, 0 for none
 *                                                                  9 x u32 limits of the space
 *   3 REQUEST   client   see below  see below                      see below
 *   4 ANSWER    host     its        see below                      see below
 *   5 PART      host     its        as ANSWER, which follows       as ANSWER
 *   6 REFUSAL   host     its        why, see Refusal               text
 *   7 NOTICE    host     0          subscription with a match      none
 *   8 RECEIVED  client   0          0                              none
 * </pre>
 *
 * <p>HELLO is the first message of a client, WELCOME the answer; a host that knows no version of
 * the client's, or not its token, refuses. A token has at most 256 bytes; by shared memory it is
 * empty. Neither side sends a message that is larger than the other one takes. Requests of one link
 * are begun in their order; waits are answered when they end. An answer has the request's number.
 * {@code transaction} is 0 outside of transactions, else the number that BEGIN was answered with.
 *
 * <p>A client that may come again on another link names itself by a random number of 128 bits,
 * which no other client of its token has, and numbers its requests upwards, over all its links. The
 * host ends the link on which it was before, puts back what was not confirmed there, and only then
 * answers the HELLO. It keeps the outcomes of the last 64 requests of the client that were WRITE or
 * TRY_WRITE outside of transactions, or COMMIT: while it has a link and for a minute after that, of
 * the last 256 clients that have gone. {@code outcomes} is a random number: if it is the same as on
 * the link before, OUTCOME tells what became of a request there, and one that was not done never
 * will be. So the client repeats what is not done, and it counts once. If {@code outcomes} is
 * another number, what became of a request that was sent and not answered is not known. So it is if
 * the space is full and does not take back what was not confirmed: the client, which may be the one
 * that makes room, is answered at once, and the rest is put back when there is room.
 *
 * <p>A transaction need not wait for each of its writes. If one that is not answered is refused,
 * the transaction is rolled back, and each later request of it but ROLLBACK is refused for the same
 * reason.
 *
 * <p>What TAKE, POLL, TAKE_ALL, AWAIT_TAKE and NEXT find outside of transactions, and TAKE_NOW and
 * POLL_NOW in them, has left the space when it is answered. The client confirms each such answer by
 * RECEIVED, with the request's number; by shared memory it stores that number instead, as <a
 * href="../link/package-summary.html">acknowledged</a>, which confirms the answers before it, too,
 * since they come in the order of the takes. What is not confirmed when the link ends, the host
 * puts back into the space, as events that were written at that time.
 *
 * <pre>
 *   operation      number of request      content    number of answer        content of answer
 *    1 WRITE       0, or 1 in a trans-    event      0                       none
 *                  action: no answer
 *    2 TRY_WRITE   0                      event      1, or 0: space full     none
 *    3 TAKE        0                      template   1, or 0: no match       event if 1
 *    4 POLL        0                      template   1 or 0                  event if 1
 *    5 READ        0                      template   1 or 0                  event if 1
 *    6 PEEK        0                      template   1 or 0                  event if 1
 *    7 TEST        0                      template   1 or 0                  none
 *    8 COUNT       0                      template   how many                none
 *    9 TAKE_ALL    how many at most       template   how many in it          events
 *   10 READ_ALL    0                      template   how many in it          events
 *   11 AWAIT_TAKE  nanoseconds at most    template   1 or 0                  event if 1
 *   12 AWAIT_READ  nanoseconds at most    template   1 or 0                  event if 1
 *   13 CANCEL      request that waits     none       1, or 0: has ended      none
 *   14 SUBSCRIBE   its number, from 1     template   0                       none
 *                  on; negated: without
 *                  notices
 *   15 UNSUBSCRIBE subscription           none       0                       none
 *   16 NEXT        subscription           none       1 or 0                  event if 1
 *   17 HAS_NEXT    subscription           none       1 or 0                  none
 *   18 BEGIN       priority; in the upper none       its number, from 1 on   none
 *                  half: times it was tried,
 *                  at most those it has lost
 *   19 COMMIT      0                      none       1, or 0: conflict       none
 *   20 ROLLBACK    0                      none       0                       none
 *   21 WRITE_NOW   0                      event      0                       none
 *   22 TAKE_NOW    0                      template   1 or 0                  event if 1
 *   23 POLL_NOW    0                      template   1 or 0                  event if 1
 *   24 TEST_NOW    0                      template   1 or 0                  none
 *   25 OUTCOME     request before         none       0: not done; or 1 more  none
 *                                                    than its answer had
 *   26 IS_RUNNING  0                      none       1, or 0: has lost       none
 *                                                    a conflict
 *
 *   event, template:  keys; for each of them: value
 *   keys:             u16: 0 to 1023: those that the sender has given this number
 *                          32,768 + number, or 65,535: they follow: u8 how many, at most 16;
 *                          for each: u8 length in bytes, UTF-8
 *   text:             u32 length in bytes, UTF-8
 *   value:            u8 tag, and what the tag has:
 *      0 any value (templates only)            8 character         u16
 *      1 integer        i64                    9 big integer       u32 length, bytes of the two's
 *      2 floating point f64                                        complement, highest first
 *      3 false                                10 big decimal       i32 scale, big integer
 *      4 true                                 11 UUID              u64 upper half, u64 lower half
 *      5 text                                 12 instant           i64 seconds, u32 nanoseconds
 *      6 array: u8 type, one of ZBSCIFJD,     13 duration          i64 seconds, u32 nanoseconds
 *        u32 how many, elements;              14 date              i64 days since 1970-01-01
 *        a boolean is a byte, 0 or 1          15 time              u64 nanoseconds of the day
 *      7 array of texts: u32 how many,        16 date and time     date, time
 *        for each: u8 0 null, or 1 and text   17 conditions        u8 how many, from 1 on
 *     18 to 24 integer of 1 to 7 bytes           (templates only)
 *   condition:        u8 code: 1 at least i64 | 2 at most i64 | 3 from i64 to i64
 *                            | 4 from f64 to f64 | 5 any but value (a number,
 *                              a boolean or a text)
 * </pre>
 *
 * <p>OUTCOME is refused as the request was, if it was, and as UNKNOWN if the request is older than
 * what is kept.
 *
 * <p>Events of one kind have the same keys in the same order, so a sequence of keys crosses a link
 * once in each direction. Whoever sends it first gives it a number from 0 to 1023, and names it by
 * that in later messages; a number that is given again stands for the later sequence. Who has no
 * number left, or wants none, sends the keys each time, with 65,535.
 *
 * <p>Integers are in two's complement. A writer sends each in as few bytes as it has, so most
 * events fit into one cache line of a link by shared memory; a reader takes any.
 *
 * <p>Predicates, records and enum constants have no place in a message: they are code of one
 * process. Nor have keys of more than 255 bytes, and strings with half of a surrogate pair. Each is
 * refused before anything is sent.
 *
 * <h2>Trust</h2>
 *
 * <p>{@code MessageReader} trusts nothing: each length, count, tag, code and byte of text is
 * checked before it is used, and what is wrong is a {@code WireException} that names offset, value
 * and what was expected; nothing else is thrown. Nothing in a message refers to another one but the
 * number of a sequence of keys; no value is nested, no class is named. A reader keeps each sequence
 * of keys that it has seen once, because the space does so for good; {@code WireLimits} bounds how
 * many one client may make up, on all its connections together where their readers have one {@code
 * KeyTree}. A host refuses a request with one more, and those that name its keys by their number;
 * the link goes on. What is read takes no more memory than some times the size of its message.
 *
 * <p>Source: Reflexes 2 and 3.3.
 */
package dev.takt.client.wire;
