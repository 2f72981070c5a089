/**
 * Which authentication class code is of: a policy file, and the signatures of jars.
 *
 * <p><b>Problem.</b> Jars of several makers run in one process. What each may take of the
 * processors must not depend on what it says of itself, but on who vouches for it, as far as the
 * machine's operator trusts that one.
 *
 * <pre>
 *  policy file --PolicyFile.read--&gt; classes, signers, unsigned     (again when it changes:
 *                                          |                            PolicyWatch)
 *                                          v
 *  jar --JarVerifier--&gt; VerifiedJar --judge--&gt; JarVerdict: a class, or why it has none
 *          |             (signers)                  |
 *          v                                        v
 *       copy of what was verified --loader--&gt; CodeOrigins: Class --&gt; CodeClass --&gt; CpuManager
 * </pre>
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>What is loaded was verified: the copy is written of the bytes that were read for the
 *       verification, and holds nothing else. The jar is read once; what becomes of it then does
 *       not matter.
 *   <li>A signature counts if it covers every entry of the jar, and its certificate, or one that
 *       has issued it, is in the policy.
 *   <li>Code of which nothing is known is of the class of unsigned code; it is never of a higher
 *       one.
 *   <li>A policy file is in force as a whole, or not at all: a version with an error changes
 *       nothing.
 *   <li>Nothing that is read is trusted in its size: each limit is a constant, and its error names
 *       value and limit.
 * </ol>
 *
 * <p><b>What this is not.</b> A JVM does not isolate code: hostile code in a process can reach
 * everything in it. Classes keep apart what is well-meant and what is not known; the document
 * {@code docs/policy.md} has the list of what they can not prevent.
 *
 * <p>Source: CPU control 2.4.
 */
@NullMarked
package dev.takt.cpu.policy;

import org.jspecify.annotations.NullMarked;
