/**
 * The files of {@code ./takt schedule}: a set of tasks is read from one, analysed ({@code
 * dev.takt.cpu.analysis}), and drawn.
 */
package dev.takt.cli.schedule;
