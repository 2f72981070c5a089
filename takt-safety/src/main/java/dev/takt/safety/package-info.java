/**
 * The rules R1 to R30, and what a check finds.
 *
 * <p>The bytecode verifier ({@code dev.takt.safety.rules}) finds what breaks them; it sees
 * everything that a task can reach. The compiler plugin ({@code dev.takt.safety.javac}) runs it
 * within {@code javac} and reports at the line; R10, which class files cannot show, it finds
 * itself.
 */
package dev.takt.safety;
