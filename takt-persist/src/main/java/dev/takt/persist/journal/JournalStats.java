package dev.takt.persist.journal;

/**
 * A look at the counters of a journal since it was opened.
 *
 * @param commits the commits written
 * @param groups how often some of them were written together
 * @param forces how often the storage was asked to make them safe
 * @param bytes the bytes written, bases included
 * @param segments the segments begun
 * @param refused the commits refused
 * @param failures how often the storage has failed
 */
public record JournalStats(
    long commits,
    long groups,
    long forces,
    long bytes,
    long segments,
    long refused,
    long failures) {}
