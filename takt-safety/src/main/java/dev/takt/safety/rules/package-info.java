/**
 * The bytecode verifier: whether what a task {@linkplain dev.takt.safety.reach reaches} obeys the
 * rules. It has the last word: what it accepts may be woven and run as a task.
 *
 * <h2>Which class checks what</h2>
 *
 * <table>
 * <caption>Rules by class</caption>
 * <tr><th>class<th>looks at<th>rules
 * <tr><td>AllocationRules<td>what a release of a task that is marked {@code @NoAlloc} allocates<td>R7, R27
 * <tr><td>AtomicRules, FlowRules<td>atomic methods: what they do, where their arguments go<td>R30
 * <tr><td>CodeRules<td>one method by itself; {@code ApiFilter} and {@code Natives} have its tables<td>R2, R3, R5, R7, R20, R21, R22, R24, R26
 * <tr><td>FlowRules<td>where values go<td>R11, R18, R24, R25
 * <tr><td>OutsideRules<td>code that no task reaches<td>R16
 * <tr><td>ReachRules<td>which classes a task makes instances of<td>R4, R8, R19, R26, R28, R29
 * <tr><td>SharedRules<td>numbers in constants that all tasks share; {@code WriteEffects}: who writes to them<td>R15
 * <tr><td>StableRules<td>fields and supertypes of stable classes<td>R8, R9, R11, R21, R23, R24
 * <tr><td>StaticRules<td>reads and writes of static fields; {@code StaticConstants}: what they hold<td>R14, R15
 * <tr><td>TaskRules<td>constructors, fields and use of task classes<td>R16, R17
 * <tr><td>Verifier<td>classes that are missing, damaged, marked or out of place<td>R1
 * </table>
 *
 * <p>{@link dev.takt.safety.rules.Verifier} calls them; a {@code LocalFinding} is what a method has
 * wrong by itself, {@code FindingCollector} turns it into a finding with the task and its call
 * path.
 *
 * <h2>What it trusts</h2>
 *
 * <p>No name and no mark. Takt is what is in takt's own files ({@code TaktFiles}): a class in one
 * of its packages that is not there is the user's, and an error as soon as it is in the application
 * or a task reaches it. A woven class keeps the class file that it was made of ({@link
 * dev.takt.safety.classes.OriginalClass}); that is what is looked at, and what is woven again. A
 * class with the weaver's mark and without an original is an error (R1).
 *
 * <p>What was verified is written down with hashes, in the seal of each task ({@code Seals} in the
 * weaver's package), and compared by the runtime when the task is registered: with a class that was
 * exchanged, woven for another program, or that was not there, it is refused, by rule R1 too.
 *
 * <p><b>Limits:</b> the seal is no signature: who runs the weaver on a program of his own choice,
 * or writes class files with hashes that fit, gets past it. {@code check} of a woven jar looks at
 * the originals, and compares what was made of them with what the weaver makes of them. Objects
 * that come by the arguments of atomic methods, or as records of events, are not looked at by the
 * runtime; those in fields are.
 *
 * <h2>Known holes</h2>
 *
 * <p>Each is a test that shows the program that gets through: with {@code Hole} in its name, or a
 * program {@code hole_*} of the rules' corpus.
 *
 * <ul>
 *   <li>A reference of interface type that is made raw or cast unchecked is not seen (R10): type
 *       arguments are gone from bytecode. The plugin sees it, and the weaver checks the stores.
 *   <li>A class of the JDK that is not final is RefImm by its own fields; subclasses of it in the
 *       JDK are not looked at.
 *   <li>An object with numbers that is not stable (a counter) can be held by a final field of a
 *       task; changes of its numbers are not undone.
 *   <li>Of several calls into the JDK that reach one offender, the first in the order of the search
 *       is reported; the others appear when it is mended.
 *   <li>A capsule is not followed after it was sent (R24).
 * </ul>
 */
package dev.takt.safety.rules;
