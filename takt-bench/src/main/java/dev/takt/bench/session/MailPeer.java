package dev.takt.bench.session;

import java.util.Locale;
import java.util.concurrent.Executors;

/** What runs the mail's transactions. */
public enum MailPeer {
  /** One after the other on one thread. */
  SYNC,
  /** Sessions of Takt as they are without further settings. */
  SESSION,
  /** Sessions of Takt that one thread steps. */
  SESSION_RAW,
  /** A thread for each end of a connection, kept for the next ones. */
  THREADS,
  /** Bare virtual threads. */
  VIRTUAL,
  /** Continuations of javaflow, on one thread. */
  JAVAFLOW,
  /** A thread for each connection of Apache MINA's pipe within the JVM. */
  MINA,
  /** Callbacks, written by hand, on Netty's channels within the JVM. */
  NETTY;

  /** Returns the word in the names of results. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether it can be told that the other end answers in the call that writes. */
  boolean canBeCalled() {
    return this == SYNC || this == SESSION || this == SESSION_RAW;
  }

  /**
   * Returns it ready to run.
   *
   * @param delayNs how long each read and each write is delayed
   * @param called whether the other end answers in the call that writes
   */
  MailProgram open(long delayNs, boolean called) {
    return switch (this) {
      case SYNC -> new BlockingMail.Synchronous(delayNs, called);
      case SESSION -> new BlockingMail.OfSessions(delayNs, called);
      case SESSION_RAW -> new SteppedMail(delayNs, called);
      case THREADS -> new BlockingMail.OfThreads(delayNs, Executors.newCachedThreadPool());
      case VIRTUAL ->
          new BlockingMail.OfThreads(delayNs, Executors.newVirtualThreadPerTaskExecutor());
      case JAVAFLOW -> new FlowMail(delayNs);
      case MINA -> new MinaMail(delayNs);
      case NETTY -> new NettyMail(delayNs);
    };
  }
}
