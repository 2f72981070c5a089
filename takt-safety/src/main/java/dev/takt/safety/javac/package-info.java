/**
 * The compiler plugin: drives the verifier and the weaver within {@code javac}. What breaks a rule
 * is reported at its file and line, and stops the build; else the classes that tasks use are woven.
 *
 * <p><b>How it works.</b> {@code TaktPlugin} starts by itself wherever {@code javac} finds it on
 * the class path or the processor path, or by {@code -Xplugin:Takt}. It uses only the public API of
 * {@code com.sun.source}, {@code javax.lang.model} and {@code javax.annotation.processing}, so it
 * needs no flags. When the compiler has written its classes, the {@linkplain
 * dev.takt.safety.rules.Verifier verifier} checks all that are in the output folder, those of
 * earlier compilations included; each finding is reported at the tree that stands at its line. Of
 * the sources themselves only R10 is read, while they are analyzed: type arguments are gone from
 * class files.
 *
 * <p><b>WeaveResult.</b> Without an error all classes of the folder are woven from what the
 * compiler wrote, which woven classes keep, and those that differ are written. So a compilation of
 * one class leaves the same folder as one of all: what it leads to or no longer needs is woven
 * anew, and the seals are renewed. A folder without a task or another stable class is left alone,
 * so ordinary programs and tests stay as they are.
 *
 * <p><b>What it needs.</b> An output folder on the disk. The compiler shows it to annotation
 * processors only; so the jar brings one, {@code TaktProcessor}, that does nothing else. A compiler
 * that runs no processors (no processor path, no {@code -proc:full}) is understood if the output
 * folder is on the class path, as Maven has it; otherwise a warning describes what to do. The
 * compiler does not show its class path at all: the jar or folder of a class is found by asking the
 * compiler for that class. Libraries that no class of the program names, and that no task leads to,
 * stay unseen; what they could bring into a task is refused at registration.
 *
 * <p><b>What is left after an error.</b> The classes of this compilation are deleted, as if the
 * compiler had found the error: the next build compiles again, and fails again. The other classes
 * stay as they are.
 *
 * <p><b>No suppression.</b> A rule that can be off is no rule. A build that does not want the check
 * leaves the jar off the paths of the compiler; with a processor path of its own, a compiler does
 * not search its class path for plugins.
 *
 * <p><b>Cost and failure.</b> In a compilation that does not see the task runtime, the plugin only
 * counts classes. A failure of the plugin itself is one warning, and the compilation goes on (with
 * {@code -Werror} a warning is an error, as everywhere).
 */
package dev.takt.safety.javac;
