package dev.takt.rtsj;

import dev.takt.realtime.ArrivalException;

/**
 * What has happened to a {@link RealtimeThread} so far.
 *
 * @param releases releases that have begun
 * @param lateStarts releases that have begun later than they were due by a period or, of a sporadic
 *     thread, by the minimum inter-arrival time; else by the deadline
 * @param misses releases that ended past their deadline
 * @param overruns releases that took more processor time than their budget
 * @param skipped periods that had no release, because their deadline was over when the release
 *     before ended
 * @param failures exceptions that its body, program or handlers have thrown
 * @param allocating releases of a {@link ThreadKind#NO_HEAP} thread that have allocated
 * @param allocatedBytes how many bytes these have allocated
 * @param accepted arrivals that were queued to be released at once
 * @param saved arrivals that were queued to be released later, because they came too soon
 * @param replaced arrivals that have taken the place of another one
 * @param ignored arrivals that were dropped
 * @param refused arrivals that were refused with an {@link ArrivalException}
 * @param spunNs for how long it has spun before releases, in nanoseconds
 * @param sleptNs for how long it has slept before releases, in nanoseconds
 */
public record ReleaseCounts(
    long releases,
    long lateStarts,
    long misses,
    long overruns,
    long skipped,
    long failures,
    long allocating,
    long allocatedBytes,
    long accepted,
    long saved,
    long replaced,
    long ignored,
    long refused,
    long spunNs,
    long sleptNs) {}
