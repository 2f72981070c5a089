/**
 * The link between two processes of one machine: shared memory, with a socket beside it.
 *
 * <h2>Where to begin</h2>
 *
 * <p>A host opens a {@link dev.takt.client.link.LinkListener} in a folder of its own and accepts
 * links; a client makes one by {@link dev.takt.client.link.Link#connect}. Both send and receive
 * records by their {@link dev.takt.client.link.Link}, and wait by a {@link
 * dev.takt.client.link.LinkWaiter}, a host for many links at once. {@link
 * dev.takt.client.link.RingProducer} and {@link dev.takt.client.link.RingConsumer} are useful
 * alone, on any memory that two threads or processes share. What is in a record is not this
 * package's.
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
 *   record  0          4                    4 + length
 *          +----------+--------------------+---------------+
 *          | header   |  bytes             |  (not used)   |  up to the next multiple of 64
 *          +----------+--------------------+---------------+
 *           0: not there yet;  n &gt; 0: a record of n - 1 bytes
 * </pre>
 *
 * <p>A header has 32 bits, a position 64, in the machine's byte order. A <em>position</em> counts
 * the bytes since the ring was made; a place in the ring is its remainder by the capacity. It may
 * pass the largest long, since only distances between positions are compared. A record that reaches
 * the end goes on at the beginning: it is copied in two parts, and its header is always in one
 * piece.
 *
 * <ol>
 *   <li><b>Write:</b> copy the bytes; set the header of the <em>next</em> record to 0, unless it
 *       is; store the record's own header, by release. There is no position of the producer in the
 *       memory: the header that the consumer waits for lies in the cache line of the record itself,
 *       so that a short one takes a single transfer between processors. Then set the headers of the
 *       next few lines to 0, as far as there is room: stores become visible in their order, so a
 *       line that a processor has yet to fetch for writing keeps back the header behind it.
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
 *
 * <h2>Introduction</h2>
 *
 * <p>The host's folder has the mode 0700 and in it a Unix domain socket, {@code host}, and a file,
 * {@code lock}, that the host's process has locked, so that there is one host at a time, whether it
 * runs or stands still. A host that ends well removes all three. Both sides check that the folder
 * is no symbolic link, is their own user's, and lets nobody else in. All numbers are little-endian.
 *
 * <pre>
 *   client                                      host
 *     | hello: TAKTLINK, version, F (8+4+4 bytes) |
 *     |------------------------------------------&gt;|  makes the file link-PID-NUMBER
 *     | welcome: TAKTLINK, version, answer,       |  (0600, O_EXCL, written with zeros)
 *     |   ring bytes, record bytes, PID, NUMBER,  |
 *     |   F (8+4+4 +4+4+8+8 +4 bytes, zeros up    |
 *     |   to 64)                                  |
 *     |&lt;------------------------------------------|
 *     | checks and maps the file                  |
 *     | ready: a byte                             |
 *     |------------------------------------------&gt;|  removes the file
 *     |              wake-ups: bytes              |
 *     |&lt;-----------------------------------------&gt;|
 *
 *   file  0        8       12         16           20  24   32       128         256    384
 *         +--------+-------+----------+------------+---+----+------+-+-----------+------+-----+
 *         |TAKTLINK|version|ring bytes|record bytes|   |PID |NUMBER| |host sleeps|client|ack- |
 *         +--------+-------+----------+------------+---+----+------+-+-----------+sleeps+nowl.|
 *         4096                          4096 + 128 + ring bytes
 *         +-----------------------------+-----------------------------+
 *         |ring from client to host     |ring from host to client     |
 *         +-----------------------------+-----------------------------+
 * </pre>
 *
 * <p>F is 1 if the client can sleep and wake by a futex, and in the answer if both can; else 0.
 *
 * <p><i>Acknowledged</i> is a number of 64 bits that the client stores, by release, and the host
 * looks at when it likes, also after the client has ended: what says how far it has come needs no
 * record for each step.
 *
 * <p>An answer other than 0 is a refusal (1: another version, 2: too many links, 3: no memory),
 * with its limit in place of the ring bytes. The file has a name from when it is made until the
 * client is ready, or has died, or its time is over; what a host that is killed meanwhile leaves,
 * the next one removes. Its size never changes. Each side takes sizes and limits from the
 * introduction, and none from the memory later.
 *
 * <h2>Waking</h2>
 *
 * <p>Who waits spins for a bounded time first. Then it says for what it sleeps in a word of the
 * shared memory ({@link dev.takt.client.link.SleepWord}), looks once more, and sleeps. Who has
 * written a record, or has told that a quarter of a ring is free, looks at that word, and wakes the
 * other side if it sleeps. So there is no system call while both are awake.
 *
 * <p>Where both have native access, a side sleeps at the word itself, by a futex, and says so in it
 * (4; 1 is for records, 2 for room). Otherwise it sleeps at the socket and is woken by a byte,
 * which takes longer. A host sleeps for all of its links in one of the two ways: if one client has
 * no native access, the others wake it by bytes, too. Why both: {@code
 * docs/decisions/0007-waking-another-process.md}.
 *
 * <p>A wait for room is also one for records: two sides that wait for room in each other's ring and
 * read nothing would wait for ever. Whoever is refused by {@code offer} has to go on with {@code
 * poll}.
 *
 * <h2>The end</h2>
 *
 * <p>The socket ends with its process, however that ends, and wakes a side that sleeps there. One
 * that sleeps at a futex looks every 50 ms; who closes a link wakes it. A side that never sleeps
 * learns of it when it looks ({@code await(0)}). The records that were whole by then can be read;
 * one that was being written is not there. Nothing is left: the file has no name, its memory goes
 * with the last mapping, and a link unmaps when it is closed.
 *
 * <h2>What a process can do to the other one</h2>
 *
 * <p>It can write into the rings what it likes: see the invariants. It can withhold or multiply
 * wake-ups: waits have a time limit, and an offer makes at most one system call that does not
 * block. It can stop: the other side's ring gets full, and its offers are refused. It can cut off
 * the file while it has it open. An access then ends in an {@code InternalError} of the JVM, which
 * a link makes a {@link dev.takt.client.link.LinkException} of; but the JDK promises that error
 * only for the access <em>or some later time</em>, so that it may meet the thread outside of the
 * link. This is the one hole: closing it needs sealed memory, which the JDK has no interface for.
 *
 * <p>It cannot read what other clients have: each has a file of its own.
 */
@NullMarked
package dev.takt.client.link;

import org.jspecify.annotations.NullMarked;
