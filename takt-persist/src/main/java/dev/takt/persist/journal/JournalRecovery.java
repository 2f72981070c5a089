package dev.takt.persist.journal;

import org.jspecify.annotations.Nullable;

/**
 * What a journal held when it was opened.
 *
 * @param isWarm whether there was a journal
 * @param segment the last segment of it that counted, or 0
 * @param events how many events were put into the space
 * @param commits how many commits were read to find them
 * @param cut what is wrong behind the last group that is whole, with file and offset: what a crash
 *     has left of a group that was being written; null if there was nothing
 */
public record JournalRecovery(
    boolean isWarm, long segment, int events, long commits, @Nullable String cut) {}
