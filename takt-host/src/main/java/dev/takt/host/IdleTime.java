package dev.takt.host;

import java.util.function.LongUnaryOperator;

/**
 * How long a client may still be silent: the time in which it waits for the host does not count.
 * TCP finds out whether it is still there.
 *
 * <p><b>Thread rule:</b> {@link #look} one thread at a time, {@link #applyAsLong} any thread.
 */
public final class IdleTime implements LongUnaryOperator {
  /** For how long one that waits goes on until it is looked at again, if it has no limit. */
  private static final long LOOK_NS = 30_000_000_000L;

  private final long limitNs;
  private volatile boolean isExpecting;

  /** When that has changed. */
  private volatile long sinceNs;

  /**
   * Makes one of a client that waits for nothing.
   *
   * @param limitNs in nanoseconds; 0: what its transport allows
   */
  public IdleTime(long limitNs, long nowNs) {
    this.limitNs = limitNs > 0 ? limitNs : LOOK_NS;
    sinceNs = limitNs > 0 ? nowNs : nowNs - LOOK_NS; // no more, as long as it has not waited
  }

  /**
   * Looks whether the client waits for something; is called when its session has done something.
   */
  public void look(ClientSession session, long nowNs) {
    boolean is = session.isExpecting();
    if (is != isExpecting) {
      sinceNs = nowNs;
      isExpecting = is;
    }
  }

  /** Returns for how long a client may go on that has sent nothing for so long as it may. */
  @Override
  public long applyAsLong(long nowNs) {
    return isExpecting ? limitNs : sinceNs + limitNs - nowNs;
  }
}
