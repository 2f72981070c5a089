/**
 * What is known of the code of a method: its blocks, which code ends in an exception only, and
 * where the values come from that it handles ({@code Interpreter}).
 *
 * <p>Verifier and weaver both rest on it, so they agree on what an abort path is: a place from
 * which every path within the method ends in a throw that no handler of the method stops, a call
 * that never returns ({@code ThrowingHelpers}) being a throw. What is made there needs no pool and
 * counts as no memory of a release, since the release ends.
 *
 * <p>It knows class files only, and nothing of tasks.
 */
package dev.takt.safety.flow;
