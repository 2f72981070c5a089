package dev.takt.realtime.os;

import java.util.List;
import java.util.function.Consumer;

/**
 * Keeps all threads of this process that have no real-time policy on some of the processors, so
 * that the others are for real-time threads alone. The kernel calls such processors
 * <em>housekeeping</em> ones.
 *
 * <p><b>Purpose.</b> A real-time thread must not wait for a thread that it keeps from running; and
 * in a JVM it may. When compiled code is replaced, a thread of the JVM, or a Java thread that found
 * an assumption of the code violated, first redirects the callers of the old code and then
 * publishes the new one. A thread that preempts it in between and calls the method spins in the
 * JVM: for a microsecond if it is on another processor, for as long as it has priority if it is on
 * the same one. That ends when Linux moves the other thread to another processor, after 20 to 100
 * ms; if the thread is bound to its processor, it never ends. So no other threads may use the
 * processors of real-time threads.
 *
 * <p>It is also what keeps compilations, concurrent collections and other programs' work out of the
 * caches and off the processors of real-time threads.
 *
 * <p>The threads that work in the JVM's pauses may use every processor: no Java thread runs then,
 * the real-time ones wait for the end, and fewer workers would only make it later.
 *
 * <p><b>Guarantees.</b> (1) While it is held, each thread of the process that shares fairly and was
 * there when it was made runs on {@link #cpus} only, and so does every thread that such a one
 * starts; but for the workers of the JVM's pauses. (2) A thread that has been bound to other
 * processors alone, and one with a real-time policy, also for a while, by a ceiling, stays where it
 * is. (3) If several are held, the processors that all of them name are used. (4) When the last one
 * is closed, threads may run where they could before, or where they have been bound to since, and
 * those that were started meanwhile on all processors of the process. (5) Nothing is thrown because
 * something is refused: see {@link #shortfalls}.
 *
 * <p><b>What it does not do.</b> Two real-time threads of different priority that share a processor
 * may still meet as described, if the lower one is preempted in the moment in which it replaces
 * code; each should have a processor of its own where it matters. {@link
 * Runtime#availableProcessors} counts the housekeeping processors only in a confined thread. A
 * real-time thread that a confined thread starts inherits its processors, and so must ask for its
 * own ({@link ThreadScheduling#withCpus}).
 *
 * <p><b>Thread rule.</b> Any thread. <b>Cost.</b> A few system calls for each thread of the
 * process.
 *
 * {@snippet :
 * OperatingSystem system = OperatingSystems.current();
 * CpuPartition cpus = CpuPartition.usual(system).orElseThrow();
 * try (CpuConfinement _ = system.confine(cpus.housekeeping())) {
 *   system.schedule(ThreadScheduling.fifo(50).withCpus(cpus.realtime()));
 *   runControlLoop();
 * }
 * }
 */
public final class CpuConfinement implements AutoCloseable {
  /** The name of the service in a shortfall. */
  public static final String SERVICE = "processors apart";

  private final CpuSet cpus;
  private final List<Shortfall> shortfalls;
  private final Consumer<CpuConfinement> release;

  /**
   * Made by {@link OperatingSystem#confine}.
   *
   * @param cpus the processors asked for
   * @param shortfalls what is refused
   * @param release ends the confinement; called each time this is closed
   */
  public CpuConfinement(CpuSet cpus, List<Shortfall> shortfalls, Consumer<CpuConfinement> release) {
    this.cpus = cpus;
    this.shortfalls = List.copyOf(shortfalls);
    this.release = release;
  }

  /** Returns where the threads may run that have no real-time policy, as it was asked for. */
  public CpuSet cpus() {
    return cpus;
  }

  /** Returns whether all of it was granted. */
  public boolean isGranted() {
    return shortfalls.isEmpty();
  }

  /** Returns what was not granted; empty if everything was. */
  public List<Shortfall> shortfalls() {
    return shortfalls;
  }

  /** Ends the confinement; closing it again does nothing. */
  @Override
  public void close() {
    release.accept(this);
  }

  @Override
  public String toString() {
    return isGranted()
        ? "other threads on processors " + cpus
        : "other threads not kept apart: " + shortfalls.getFirst();
  }
}
