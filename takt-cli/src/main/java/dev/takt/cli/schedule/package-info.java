/**
 * What {@code ./takt schedule} works with: a set of tasks is read from a file, analysed ({@code
 * dev.takt.cpu.analysis}), judged as the CPU manager would judge it, and drawn.
 */
package dev.takt.cli.schedule;
