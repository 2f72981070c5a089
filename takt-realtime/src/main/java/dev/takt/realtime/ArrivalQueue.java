package dev.takt.realtime;

import dev.takt.realtime.os.OperatingSystem;
import org.jspecify.annotations.Nullable;

/**
 * The arrivals that wait to be released, and the rules of {@link QueuePolicy}.
 *
 * <p>Each arrival in the queue has a <em>release time</em>: when it came, or later if it is saved
 * because it came too soon.
 *
 * <p><b>Guarantees.</b> (1) Arrivals are released in the order in which they came, none before its
 * release time. (2) With a minimum inter-arrival time, two release times are never closer than
 * that. (3) Never more than the queue's capacity wait. (4) Each arrival is counted once, by what
 * became of it.
 *
 * <p><b>Assumption.</b> The times that it is given do not go back. If they do, by little, because
 * two threads bring arrivals at once, the later call counts as made at the other's release time.
 *
 * <p><b>Thread rule:</b> any thread, also a virtual one. A call holds a lock for a few dozen
 * instructions and waits for nothing inside; where the operating system offers that, a thread that
 * is stopped there inherits the priority of those that wait for it.
 *
 * <p><b>Memory:</b> 8 bytes for each place, and 128 of native memory. Calls allocate nothing, but a
 * thread's first one, and one that must wait where there is no inheritance.
 */
public final class ArrivalQueue {
  /** In place of a time: there is none. */
  public static final long NONE = Long.MIN_VALUE;

  private final long minInterarrivalNs;
  private final QueuePolicy tooSoon;
  private final QueuePolicy whenFull;
  private final long[] releaseNs;
  private final long[] counts = new long[Arrival.values().length];

  /** Guards all that follows, and the arrays. */
  private final PiLock lock;

  private int head;
  private int size;
  private boolean closed;
  private boolean hasLast;

  /** The release time of the newest arrival that was queued. */
  private long lastNs;

  /**
   * Makes the queue of a sporadic thread or handler.
   *
   * @param parameters its parameters
   * @param system makes the lock
   */
  public ArrivalQueue(Sporadic parameters, OperatingSystem system) {
    this(
        parameters.minInterarrivalNs(),
        parameters.tooSoon(),
        parameters.whenFull(),
        parameters.queueCapacity(),
        system);
  }

  /**
   * Makes the queue of an aperiodic thread or handler.
   *
   * @param parameters its parameters
   * @param system makes the lock
   */
  public ArrivalQueue(Aperiodic parameters, OperatingSystem system) {
    this(0, QueuePolicy.SAVE, parameters.whenFull(), parameters.queueCapacity(), system);
  }

  /** Returns the queue of what is released by arrivals; null for what is released by time. */
  public static @Nullable ArrivalQueue of(ReleaseParameters parameters, OperatingSystem system) {
    return switch (parameters) {
      case Sporadic sporadic -> new ArrivalQueue(sporadic, system);
      case Aperiodic aperiodic -> new ArrivalQueue(aperiodic, system);
      case Periodic _, Continuous _ -> null;
    };
  }

  private ArrivalQueue(
      long minInterarrivalNs,
      QueuePolicy tooSoon,
      QueuePolicy whenFull,
      int capacity,
      OperatingSystem system) {
    this.minInterarrivalNs = minInterarrivalNs;
    this.tooSoon = tooSoon;
    this.whenFull = whenFull;
    this.releaseNs = new long[capacity];
    this.lock = new PiLock(system);
  }

  /**
   * Brings an arrival.
   *
   * @param nowNs the time
   * @return what became of it
   */
  public Arrival arrive(long nowNs) {
    lock.lock();
    try {
      Arrival arrival = decide(nowNs);
      counts[arrival.ordinal()]++;
      return arrival;
    } finally {
      lock.unlock();
    }
  }

  private Arrival decide(long nowNs) {
    if (closed) {
      return Arrival.IGNORED;
    }
    long soonestNs = lastNs + minInterarrivalNs;
    boolean soon = hasLast && nowNs - soonestNs < 0;
    if (soon && tooSoon != QueuePolicy.SAVE) {
      return instead(tooSoon, nowNs, Arrival.REFUSED_TOO_SOON);
    }
    // So far ahead there is no room either: the next would be released at a time that has passed.
    if (size == releaseNs.length || soon && soonestNs - nowNs > ReleaseParameters.MAX_NS) {
      return instead(whenFull, nowNs, Arrival.REFUSED_FULL);
    }
    lastNs = soon ? soonestNs : nowNs;
    hasLast = true;
    releaseNs[index(size)] = lastNs;
    size++;
    return soon ? Arrival.SAVED : Arrival.ACCEPTED;
  }

  /** What becomes of an arrival that cannot be queued. */
  private Arrival instead(QueuePolicy policy, long nowNs, Arrival refused) {
    if (policy == QueuePolicy.EXCEPT) {
      return refused;
    }
    if (policy == QueuePolicy.IGNORE || size == 0) {
      return Arrival.IGNORED;
    }
    if (nowNs - lastNs > 0) {
      lastNs = nowNs;
      releaseNs[index(size - 1)] = nowNs;
    }
    return Arrival.REPLACED;
  }

  private int index(int position) {
    int at = head + position;
    return at < releaseNs.length ? at : at - releaseNs.length;
  }

  /** Returns when the oldest arrival is to be released; {@link #NONE} if none waits. */
  public long nextNs() {
    lock.lock();
    try {
      return size == 0 ? NONE : releaseNs[head];
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes the oldest arrival out, if its release time has come.
   *
   * @param nowNs the time
   * @return its release time; {@link #NONE} if there is none to be released now
   */
  public long poll(long nowNs) {
    lock.lock();
    try {
      if (size == 0 || nowNs - releaseNs[head] < 0) {
        return NONE;
      }
      long polledNs = releaseNs[head];
      head = index(1);
      size--;
      return polledNs;
    } finally {
      lock.unlock();
    }
  }

  /** Ignores all arrivals from now on: what they were for will not be released any more. */
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes the oldest arrivals out, whether their release times have come or not.
   *
   * @param count how many; if fewer wait, all of them
   */
  public void dropOldest(long count) {
    lock.lock();
    try {
      int dropped = (int) Math.clamp(count, 0, (long) size);
      head = index(dropped);
      size -= dropped;
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many arrivals wait. */
  public int size() {
    lock.lock();
    try {
      return size;
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many arrivals have had this result so far. */
  public long count(Arrival arrival) {
    lock.lock();
    try {
      return counts[arrival.ordinal()];
    } finally {
      lock.unlock();
    }
  }
}
