package dev.takt.realtime;

/**
 * A release in progress, at the moment of a look.
 *
 * @param number its number, from 1
 * @param dueNs when it was due
 * @param beginNs when it began
 * @param thread the thread that runs it
 */
public record RunningRelease(long number, long dueNs, long beginNs, Thread thread) {}
