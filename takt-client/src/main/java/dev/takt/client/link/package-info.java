/**
 * The link between two processes of one machine: shared memory, with a socket beside it.
 *
 * <h2>Ring</h2>
 *
 * <p>A <em>ring</em> carries <em>records</em>, strings of bytes, from one process to another: one
 * producer, one consumer, a memory that both have mapped, no lock. Its capacity is a power of two.
 *
 * <pre>
 *   offset 0        8                128                                       128 + capacity
 *          +--------+----------------+------------------------------------------+
 *          |position|  (not used)    |  records, each at a multiple of 64       |
 *          +--------+----------------+------------------------------------------+
 *           written by the consumer   written by the producer
 *
 *   record  0          8                    8 + length
 *          +----------+--------------------+---------------+
 *          | header   |  bytes             |  (not used)   |  up to the next multiple of 64
 *          +----------+--------------------+---------------+
 *           0: not there yet;  n &gt; 0: a record of n - 1 bytes
 * </pre>
 *
 * <p>All words have 64 bits, in the machine's byte order. A <em>position</em> counts the bytes
 * since the ring was made; a place in the ring is its remainder by the capacity. It may pass the
 * largest long, since only distances between positions are compared. A record that reaches the end
 * goes on at the beginning: it is copied in two parts, and its header is always in one piece.
 *
 * <ol>
 *   <li><b>Write:</b> copy the bytes; set the header of the <em>next</em> record to 0; store the
 *       record's own header, by release. There is no position of the producer in the memory: the
 *       header that the consumer waits for lies in the cache line of the record itself, so that a
 *       short one takes a single transfer between processors.
 *   <li><b>Read:</b> load the header, by acquire; check it; copy the bytes; go on to the next
 *       record. After a quarter of the capacity, store the position, by release.
 *   <li><b>Room:</b> a record is written if it and the next header end at most one capacity behind
 *       the consumer's position. The producer loads that, by acquire, only if what it has seen of
 *       it before does not do.
 * </ol>
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>The header at the producer's position is 0 until its record is whole: by the order of the
 *       stores, and at the beginning since the memory is made of zeros. So no bytes of an earlier
 *       lap can pass for a header.
 *   <li>What the producer writes is not read any more: it stays behind the position that the
 *       consumer has stored after copying.
 *   <li>A consumer that has read all has told all but a quarter, and a record with its header takes
 *       no more than half: so the producer always gets its room.
 *   <li>What a side knows it keeps to itself (positions, capacity, limits). From the shared memory
 *       it loads the other's one word, once, and checks it: a header is 1 to the limit + 1, a
 *       position of the consumer lies between the one before and the producer's own. What is copied
 *       may be nonsense, and its receiver has to expect that; it does not change afterwards.
 * </ol>
 */
@NullMarked
package dev.takt.client.link;

import org.jspecify.annotations.NullMarked;
