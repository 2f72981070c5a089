package dev.takt.session;

/**
 * What a set of sessions has done so far; not atomic while sessions start and end.
 *
 * @param running how many sessions there are
 * @param completed how many have returned
 * @param failed how many have ended by an exception
 * @param cancelled how many have ended because they were cancelled
 * @param refused how many were not started for want of room
 */
public record SessionStats(
    long running, long completed, long failed, long cancelled, long refused) {}
