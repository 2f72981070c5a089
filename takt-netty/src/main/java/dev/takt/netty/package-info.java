/**
 * The transport of sessions over Netty: the same blocking protocol code on connections that Netty
 * has made.
 *
 * <h2>Problem</h2>
 *
 * <p>A program that has Netty already has its event loops, its TLS and its handlers, and wants new
 * protocols as plain blocking code beside them, without a second way to the network.
 *
 * <h2>How it works</h2>
 *
 * <p>Bytes are Netty's and lines are the session's. An event loop appends what it has read to the
 * connection's buffer and resumes the session that waits for it ({@link
 * dev.takt.session.Suspension}); the session itself looks for the line's end and decodes it, so a
 * long line keeps no event loop busy. A session that writes encodes its line and hands it to the
 * event loop.
 *
 * <p>Both ways are bounded. When a session leaves more unread than a line may be long, its
 * connection reads no further ({@code autoRead} is off), and TCP stops the other end; it reads
 * again when half of that is taken. When the other end does not read, {@code Channel.isWritable}
 * turns false at the high water mark, and the next write waits until it is true again.
 *
 * <h2>What it costs</h2>
 *
 * <p>A line is handed from the event loop to the session's carrier and its answer back; {@link
 * dev.takt.session.SocketTransport} does both on the carrier. So this is for programs that have
 * Netty, not for speed.
 *
 * <h2>Netty on JDK 25</h2>
 *
 * <p>Netty's own access to memory without checks is for the program to decide: it reads the JVM's
 * option {@code --sun-misc-unsafe-memory-access} and its own property {@code io.netty.noUnsafe}.
 * This package sets neither and needs neither.
 */
package dev.takt.netty;
