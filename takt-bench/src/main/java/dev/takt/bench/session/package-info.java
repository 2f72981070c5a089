/**
 * The mail's experiment and what follows from it: what protocol code costs that is plain blocking
 * Java and runs as sessions, beside the same on threads, virtual threads, javaflow and MINA, and
 * beside callbacks on Netty.
 *
 * <p><b>What is the same for all.</b> A transaction has a connection of its own within the JVM and
 * writes and reads ten lines each; at the other end something else (a session, a thread, a
 * callback) writes them back, so each read of blocking code has to wait for another one to run. The
 * mail's own setting was easier: its echo answered in the call that wrote, and nobody waited. It is
 * measured beside it where that can be chosen ({@code called_n1_ms}, {@code called_n1000_ms} and
 * between). Each program has a JVM of its own.
 *
 * <p><b>What takes turns.</b> A machine that others use, too, changes its speed by more than two
 * programs differ. So all echo servers with the same number of clients take turns, and their ratio
 * is the median of those of the rounds; a task of 1 kHz takes turns with its floor.
 *
 * <p>Source: S. Bagnara, "javaflow and SEDA networking", 2008.
 */
package dev.takt.bench.session;
