package dev.takt.reflex.limit;

/**
 * A look at the memory of a task, not atomic while it runs. Sizes are in bytes, by the layout model
 * of {@code dev.takt.reflex.woven}.
 *
 * @param transientPeakBytes the most that the transient objects of one release have counted
 * @param transientLimitBytes what they may count: the size given at construction
 * @param stableUsedBytes what all stable objects of the task count now
 * @param stablePeakBytes the most that they have ever counted, also in releases that were undone
 * @param stableLimitBytes what they may count: the size given at construction
 * @param poolGrowths how often a release made an object on the heap because a pool had none left;
 *     after some releases this stays the same
 * @param logGrowths how often the log of changes had to grow in a release
 */
public record MemoryStats(
    long transientPeakBytes,
    long transientLimitBytes,
    long stableUsedBytes,
    long stablePeakBytes,
    long stableLimitBytes,
    long poolGrowths,
    long logGrowths) {}
