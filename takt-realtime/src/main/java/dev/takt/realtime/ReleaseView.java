package dev.takt.realtime;

/**
 * What {@link RunningRelease} holds, in an object that the caller keeps: for looks that must
 * allocate nothing, because who allocates may wait for the JVM, and the JVM for the release that is
 * looked at.
 *
 * <p><b>Thread rule:</b> one thread.
 */
public final class ReleaseView {
  private long number;
  private long dueNs;
  private long beginNs;
  private Thread thread = Thread.currentThread();

  /** Makes one, with a release 0 of the calling thread until it is set. */
  public ReleaseView() {}

  /**
   * Sets all of it.
   *
   * @param number its number, from 1
   * @param dueNs when it was due
   * @param beginNs when it began
   * @param thread the thread that runs it
   */
  public void set(long number, long dueNs, long beginNs, Thread thread) {
    this.number = number;
    this.dueNs = dueNs;
    this.beginNs = beginNs;
    this.thread = thread;
  }

  /** Returns its number, from 1. */
  public long number() {
    return number;
  }

  /** Returns when it was due. */
  public long dueNs() {
    return dueNs;
  }

  /** Returns when it began. */
  public long beginNs() {
    return beginNs;
  }

  /** Returns the thread that runs it. */
  public Thread thread() {
    return thread;
  }

  /** Returns the same as a value. */
  public RunningRelease toRelease() {
    return new RunningRelease(number, dueNs, beginNs, thread);
  }
}
