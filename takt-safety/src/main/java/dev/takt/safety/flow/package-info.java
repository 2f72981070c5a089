/**
 * What is known of the code of a method: its blocks, which code ends in an exception only, and
 * where its values come from. Verifier and weaver both rest on it, so they agree on all three.
 *
 * <p>{@code ControlFlow} has the blocks and the abort paths: an abort path is a place from which
 * every path within the method ends in a throw that no handler of the method stops, a call that
 * never returns ({@code ThrowingHelpers}) being a throw. What is made there needs no pool and
 * counts as no memory of a release, since the release ends.
 *
 * <p>{@code Interpreter} follows the values. It keeps a {@code Frame} of {@code Value}s before each
 * instruction and applies the {@code TransferFunction} of the instructions until nothing changes;
 * where control joins, marks and origins are united. A {@code Source} adds what the caller knows of
 * fields and calls, such as which arrays belong to stable objects. {@code Op} describes what an
 * instruction does, for rules that ask about single instructions.
 *
 * <p>It knows class files only, and no other classes than the one of the method.
 */
package dev.takt.safety.flow;
