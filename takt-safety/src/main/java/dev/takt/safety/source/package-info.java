/**
 * The source front end: a compiler plugin that reports what breaks a rule at its file, line and
 * column.
 *
 * <p><b>How it works.</b> {@code TaktPlugin} starts by itself wherever {@code javac} finds it on
 * the class path or the processor path, by {@code -Xplugin:Takt}, or on a processor module path. It
 * uses only the public API of {@code com.sun.source} and {@code javax.lang.model}, so it needs no
 * flags. When the compiler has analyzed a class, and before it rewrites the tree, the
 * <i>scanners</i> read its facts: calls, instances, field accesses, throws, captures, arrays, each
 * with its place. When all classes are analyzed, the <i>closure</i> of each task is computed from
 * its entries (the constructors, {@code initialize}, {@code execute}, {@code warmUp}, atomic
 * methods), and the <i>rules</i> judge what is in it. Nothing else is judged: ordinary code may do
 * what it likes, except get into a task (R16). Stable classes are judged wherever they are.
 *
 * <p><b>What it cannot see.</b>
 *
 * <ul>
 *   <li>Code that is not part of the compilation. Well-known library API is in a table ({@code
 *       ForbiddenApi}); other library code is followed by the bytecode verifier only. Incremental
 *       builds that compile a few files see only those.
 *   <li>What the compiler adds: bridges, boxing in places that only bytecode shows, bootstrap
 *       methods; and class loading, initializers, natives and monitors of libraries (R1, R2, R6).
 *   <li>Private fields of JDK classes when the compiler is given {@code --release}: whether such a
 *       class is reference-immutable is then unknown, and nothing is said.
 *   <li>Where objects come from: that a record in a final field was made by a release, and so is
 *       pooled, is found in bytecode.
 *   <li>Use after the release (R13), identity of pooled objects in libraries (R26), stores past the
 *       barrier (R29) beyond those of the table.
 * </ul>
 *
 * <p><b>Who has the last word.</b> The bytecode verifier: it sees everything a task can reach,
 * whatever compiler made it, and the runtime refuses a class that it has not passed. The plugin is
 * there so that one learns of a violation at the line while writing it. It keeps silent where it
 * does not know, and both give the same rule for the same program: one corpus of programs goes
 * through both.
 *
 * <p><b>Abort paths.</b> Code that can only end in a throw may allocate, box and format: the
 * release is over. What stays is judged there too: effects and static fields.
 *
 * <p><b>No switch.</b> There is no suppression and no option, since a rule that is off is no rule.
 * Whoever does not want the check leaves the jar off the paths of the compiler; with a processor
 * path of its own, a compiler does not search its class path for plugins.
 *
 * <p><b>Cost and failure.</b> In a compilation that neither has a stable class nor imports the task
 * runtime, the plugin only looks at the headers. A failure of the plugin itself is one warning, and
 * the compilation goes on (with {@code -Werror} a warning is an error, as everywhere).
 */
package dev.takt.safety.source;
