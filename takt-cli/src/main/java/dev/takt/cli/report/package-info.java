/**
 * What a command found, as JSON for scripts, as a table for the terminal, and as one self-contained
 * HTML file with plots.
 *
 * <p>A {@link dev.takt.cli.report.Report} holds {@link dev.takt.cli.report.Result}s and, for the
 * HTML file, {@link dev.takt.cli.report.Plot}s. None of these is thread-safe; a command fills one
 * report on one thread.
 */
package dev.takt.cli.report;
