package dev.takt.reflex;

import dev.takt.reflex.limit.MemoryStats;

/**
 * A look at the counters of a task, not atomic while it runs.
 *
 * @param releases the releases begun; {@code commits + conflicts + aborts + failures} of them have
 *     ended
 * @param commits the releases that committed
 * @param conflicts the releases that lost against others even after their retries
 * @param aborts the releases that called {@code abort()}
 * @param failures the releases that an exception or a limit of the space ended; a full space, too,
 *     which does not count for {@link RuntimeSettings#maxFailures()}
 * @param lateStarts the releases that began later than they were due by a period or more; of a
 *     passive task, by its deadline or more
 * @param misses the releases that ended past their deadline
 * @param skipped the periods in which no release began, because their deadline had passed before
 * @param overruns the releases that took more processor time than their budget
 * @param spunNs for how long the thread of an active task has spun in wait of releases, in
 *     nanoseconds; 0 for a passive task
 * @param memory what its memory was used for
 */
public record TaskStats(
    long releases,
    long commits,
    long conflicts,
    long aborts,
    long failures,
    long lateStarts,
    long misses,
    long skipped,
    long overruns,
    long spunNs,
    MemoryStats memory) {}
