package dev.takt.session;

import dev.takt.cpu.CpuManager;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Runs ordinary blocking code as sessions, each on a virtual thread of its own.
 *
 * <p><b>Purpose.</b> A protocol is written as it reads: one call after the other, each of which
 * waits. Thousands of them run on a few threads of the operating system, because a session that
 * waits gives its carrier to others.
 *
 * <p><b>Assumptions.</b> The code waits by the JDK's means: sockets, streams, locks, queues, {@code
 * LockSupport}, and what is built on them, such as the timed operations of an event space. Code
 * that waits in native code, or computes for long, keeps its carrier.
 *
 * <p><b>Guarantees.</b> (1) The code of at most {@link SessionSettings#maxSessions} sessions runs
 * at once. (2) A session that was started is in {@link SessionStats#running} until its code has
 * ended, and after that in exactly one of the other figures. Each that fails is told to {@link
 * SessionSettings#failureHandler}, or else to the log. (3) After {@link #stop} or {@link #drain}
 * has begun, none starts. (4) After {@link #stop} has returned an empty list, no code of a session
 * runs.
 *
 * <p><b>Thread rule.</b> Any thread, sessions included, but for {@link #drain}, {@link #stop} and
 * {@link #close}: a session that called them would wait for itself.
 *
 * <p><b>Memory.</b> Some 500 bytes for each session while it runs, and the used part of its stack.
 *
 * {@snippet :
 * try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
 *   Session<String> session = sessions.start("greeting", () -> client.ask("hello"));
 *   String answer = session.await().value();
 * }
 * }
 */
public final class Sessions implements SessionStarter, AutoCloseable {
  /** The name of the log, of sessions and stages. */
  public static final String LOG = "dev.takt.session";

  private final SessionSettings settings;
  private final SessionRoster roster;
  private final ThreadFactory threads = Thread.ofVirtual().factory();

  /** Null: nobody has to be told of sessions that keep their carriers. */
  private final @Nullable CarrierWatch watch;

  private Sessions(SessionSettings settings) {
    this.settings = settings;
    roster = new SessionRoster(settings);
    watch =
        CpuManager.installed().isEmpty()
            ? null
            : CarrierWatch.start(this, CarrierWatch.DEFAULT_LIMIT, Sessions::log);
  }

  /**
   * Makes a set without sessions. In a process with a CPU manager ({@link CpuManager#installed})
   * its sessions are watched until it is stopped: one that keeps its carrier for {@link
   * CarrierWatch#DEFAULT_LIMIT} is logged with its name.
   */
  public static Sessions open(SessionSettings settings) {
    return new Sessions(settings);
  }

  private static void log(HeldCarrier held) {
    if (held.session() != null) { // other sets tell of theirs
      System.getLogger(LOG).log(Level.WARNING, held.toString());
    }
  }

  @Override
  public <T extends @Nullable Object> Session<T> start(String name, Callable<T> code) {
    Session<T> session = roster.add(name, code);
    try {
      Thread thread = threads.newThread(() -> roster.end(session, session.run()));
      thread.setName(name);
      session.runsOn(thread);
      roster.requireOpen(session);
      thread.start();
    } catch (Throwable notStarted) {
      roster.withdraw(session, notStarted);
      throw notStarted;
    }
    return session;
  }

  /** Returns what makes the threads of what sessions stand on; these are none of them. */
  ThreadFactory threads() {
    return threads;
  }

  /**
   * Returns the sessions that have not ended; not atomic while others start and end: one whose
   * outcome is there may be among them for a moment.
   */
  public List<Session<?>> running() {
    return roster.running();
  }

  /** Returns the counters. */
  public SessionStats stats() {
    return roster.stats();
  }

  /**
   * Lets no further session start, and waits until those that run have ended.
   *
   * @param timeout how long to wait at most
   * @return the sessions that have not ended within that time; they go on
   */
  public List<Session<?>> drain(Duration timeout) throws InterruptedException {
    roster.drain();
    return roster.awaitEnd(timeout);
  }

  /**
   * Lets no further session start, cancels those that run, and waits until they have ended.
   *
   * @param timeout how long to wait at most
   * @return the sessions whose code has not ended within that time: it ignores that it was
   *     interrupted, or does not wait by the JDK's means
   */
  public List<Session<?>> stop(Duration timeout) throws InterruptedException {
    roster.stop();
    List<Session<?>> left = roster.awaitEnd(timeout);
    if (watch != null && left.isEmpty()) {
      watch.close(); // it would end by itself, only later
    }
    return left;
  }

  /** Whether all sessions have ended and none can start. */
  boolean hasEnded() {
    return roster.hasEnded();
  }

  /**
   * Stops within {@link SessionSettings#closeTimeout}.
   *
   * @throws IllegalStateException with some of their names, if sessions have not ended within that
   *     time, or the caller is interrupted, which it stays
   */
  @Override
  public void close() {
    List<Session<?>> left;
    try {
      left = stop(settings.closeTimeout());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(
          "interrupted while " + stats().running() + " sessions were to end; they are cancelled",
          e);
    }
    SessionRoster.requireNone(
        left,
        "within " + settings.closeTimeout(),
        "interrupted, or computes; mend it, or raise SessionSettings.closeTimeout");
  }
}
