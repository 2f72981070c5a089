package dev.takt.host;

/**
 * A look at what the clients that a host knows by their tokens have, and have done, all together.
 *
 * @param sessions connections of clients that are known
 * @param requests the requests so far, as {@link ClientRights#maxRequestsPerSecond} counts them
 * @param delayed how many of these had to wait, because their client asks more often than it may
 * @param heldBytes what is kept in the heap for them, as {@link ClientLimits#maxAccountBytes}
 *     counts it
 * @param maxHeldBytes the most that may be
 * @param fullestPpm which part of its own most is kept for the client that has most of it, in
 *     millionths
 */
public record AccountStats(
    int sessions,
    long requests,
    long delayed,
    long heldBytes,
    long maxHeldBytes,
    long fullestPpm) {}
