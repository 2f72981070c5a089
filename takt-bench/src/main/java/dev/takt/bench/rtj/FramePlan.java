package dev.takt.bench.rtj;

/**
 * Which frames a real-time test takes; they have 20 Hz but in tests of the measuring code.
 *
 * @param count how many
 * @param block how many in a row, before it is the floor's turn
 * @param periodNs how long one is, in nanoseconds
 * @param warmupMs about how long a case warms up, in milliseconds
 * @param floorsAgain how often at most the floor of a case is run again by itself, until it has
 *     failed where the case did
 */
public record FramePlan(int count, int block, long periodNs, int warmupMs, int floorsAgain) {}
