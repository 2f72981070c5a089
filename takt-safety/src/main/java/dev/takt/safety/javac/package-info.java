/**
 * The compiler plugin: drives the verifier within {@code javac}, so that what breaks a rule is
 * reported at its file and line, and stops the build.
 *
 * <p><b>How it works.</b> {@code TaktPlugin} starts by itself wherever {@code javac} finds it on
 * the class path or the processor path, by {@code -Xplugin:Takt}. It uses only the public API of
 * {@code com.sun.source}, {@code javax.lang.model} and {@code javax.annotation.processing}, so it
 * needs no flags. When the compiler has written its classes, the {@linkplain
 * dev.takt.safety.bytecode.Verifier verifier} checks all that are in the output folder, those of
 * earlier compilations included; each finding is reported at the tree that stands at its line. Of
 * the sources themselves only R10 is read, while they are analyzed: type arguments are gone from
 * class files.
 *
 * <p><b>What it needs.</b> The compiler shows its output folder to annotation processors only; so
 * the jar brings one, {@code TaktProcessor}, that does nothing else. A compiler that runs no
 * processors (no processor path, no {@code -proc:full}), or loads them apart from plugins (a
 * processor module path), is understood if the output folder is on the class path, as Maven has it;
 * otherwise a warning says what to do. The class path is not shown to anybody: the jar or folder of
 * a class is found by asking the compiler for that class. Libraries that no class of the program
 * leads to stay unseen; what they could bring into a task is refused at registration.
 *
 * <p><b>What is left after an error.</b> The classes of this compilation are deleted, as if the
 * compiler had found the error: the next build compiles again, and fails again.
 *
 * <p><b>No switch.</b> There is no suppression and no option, since a rule that is off is no rule.
 * A build that does not want the check leaves the jar off the paths of the compiler; with a
 * processor path of its own, a compiler does not search its class path for plugins.
 *
 * <p><b>Cost and failure.</b> In a compilation that does not see the task runtime, the plugin only
 * counts classes. A failure of the plugin itself is one warning, and the compilation goes on (with
 * {@code -Werror} a warning is an error, as everywhere).
 */
package dev.takt.safety.javac;
