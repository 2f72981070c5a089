/**
 * The rules R1 to R30, and what a check finds.
 *
 * <p>Two front ends report the same rules: the compiler plugin ({@code dev.takt.safety.source}) at
 * the line while one writes, and the bytecode verifier ({@code dev.takt.safety.bytecode}), which
 * sees everything that a task can reach and has the last word.
 */
package dev.takt.safety;
