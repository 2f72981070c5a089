/**
 * Persistence 5 again, and what it asks for beyond that: how long graphs take to be stored and
 * loaded, beside serializers and a store of today; how long an increment is; what a periodic task
 * notices of it; and how soon a program goes on that starts with what was stored.
 *
 * <p><b>What is the same for all.</b> The graphs have the same classes: woven ones where Takt
 * stores them, as they were compiled where a peer does. All keep shared references and circles, as
 * Takt has to. What is stored goes into memory, with Takt's checksums, so that no disk counts; but
 * for EclipseStore, which knows files alone. A serializer alone ends with an array: what it would
 * take as part of a store, with checksums and a file of its own, is {@code fory-safe}, beside the
 * bare {@code fory}, which is what Takt is held against. Each program has a JVM of its own, in
 * which nothing was compiled for another one.
 *
 * <p>An increment's pause is the time from its begin to its end, all that comes between included.
 * Its floor is the same thread's, with the same period, that does nothing but look at the clock for
 * the target pause: what is longer there is the machine's.
 *
 * <p>Source: Persistence 5.
 */
package dev.takt.bench.persist;
