package dev.takt.realtime.os;

import java.util.List;
import java.util.function.Consumer;

/**
 * Gives the threads that work in the JVM's pauses a real-time priority (FIFO).
 *
 * <p><b>Purpose.</b> While the JVM's thread stops the program, collects or redirects compiled code,
 * all Java threads wait for it, or will; by default it shares fairly with the other threads of the
 * machine. If real-time threads that do not end use all processors, it never runs, and whoever
 * could take their priority away may be waiting for it: for a collection, because it allocates, or
 * for a deoptimization. With a priority above theirs it runs at once, and the pauses that they wait
 * for are shorter.
 *
 * <p><b>Guarantees.</b> (1) While it is held, the threads that work in pauses and were there when
 * it was made have this priority or a higher one, and so have those that they start. (2) When the
 * last one is closed, they share fairly again. (3) Nothing is thrown because something is refused:
 * see {@link #shortfalls}.
 *
 * <p><b>What it does not do.</b> Threads that compile, or collect while the program runs, stay as
 * they are: they work for long, and nobody waits for them.
 *
 * <p><b>Thread rule.</b> Any thread. <b>Cost.</b> A look at the name of each thread of the process.
 */
public final class PausePriority implements AutoCloseable {
  /** The name of the service in a shortfall. */
  public static final String SERVICE = "pauses first";

  private final int priority;
  private final List<Shortfall> shortfalls;
  private final Consumer<PausePriority> release;

  /**
   * Made by {@link OperatingSystem#raisePauses}.
   *
   * @param priority what was asked for
   * @param shortfalls what is refused
   * @param release ends it; called each time this is closed
   */
  public PausePriority(int priority, List<Shortfall> shortfalls, Consumer<PausePriority> release) {
    this.priority = priority;
    this.shortfalls = List.copyOf(shortfalls);
    this.release = release;
  }

  /** Returns the priority that was asked for. */
  public int priority() {
    return priority;
  }

  /** Returns whether all of it was granted. */
  public boolean isGranted() {
    return shortfalls.isEmpty();
  }

  /** Returns what was not granted; empty if everything was. */
  public List<Shortfall> shortfalls() {
    return shortfalls;
  }

  /** Ends it; closing it again does nothing. */
  @Override
  public void close() {
    release.accept(this);
  }

  @Override
  public String toString() {
    return isGranted() ? "pauses at priority " + priority : shortfalls.getFirst().toString();
  }
}
