/**
 * What {@code takt snapshot} shows of the files of persistence: their state, classes, differences,
 * and all of their objects as JSON lines.
 *
 * <p>Objects pass one by one; names and texts of a file, which anybody may have written, reach a
 * terminal without control characters.
 */
package dev.takt.cli.snapshot;
