/**
 * The command line: {@link dev.takt.cli.Main} with the commands check, weave, run and new, the help
 * files, and the reports of findings.
 *
 * <p>Commands of other modules come as services ({@link dev.takt.cli.Subcommand}); the doctor and
 * the reports have packages of their own.
 */
package dev.takt.cli;
