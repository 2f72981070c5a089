package dev.takt.host;

import dev.takt.client.wire.KeyTree;
import dev.takt.space.WaitClock;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * A client with its rights, and what all its connections have together, also while it has none.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class ClientAccount {
  private static final WaitClock CLOCK = WaitClock.system();
  private static final long SECOND_NS = 1_000_000_000;

  private final ClientRights rights;
  private final HeldBytes held;
  private final KeyTree keys;
  private final KnownClients clients =
      new KnownClients(() -> UUID.randomUUID().getLeastSignificantBits(), CLOCK);
  private final AtomicInteger sessions = new AtomicInteger();
  private final long nsPerRequest;

  /** When a client that asks as fast as it may would ask next; in the past if it has not. */
  private final AtomicLong nextNs = new AtomicLong(CLOCK.nanoTime());

  private final LongAdder requests = new LongAdder();
  private final LongAdder delayed = new LongAdder();

  /** Makes one without connections. */
  public ClientAccount(ClientRights rights) {
    this(rights, 1);
  }

  /**
   * Makes one of several.
   *
   * @param accounts how many share what they may have in the heap, each an equal part
   */
  ClientAccount(ClientRights rights, int accounts) {
    this.rights = rights;
    held = new HeldBytes(rights.name(), rights.limits().maxAccountBytes() / accounts);
    keys = new KeyTree(rights.limits().wire().maxKeys());
    nsPerRequest = SECOND_NS / rights.maxRequestsPerSecond();
  }

  /** Returns what the client may do. */
  public ClientRights rights() {
    return rights;
  }

  public KeyTree keys() {
    return keys;
  }

  HeldBytes held() {
    return held;
  }

  /** Returns those that it has, and has had, by their names. */
  KnownClients clients() {
    return clients;
  }

  /** Returns how many connections there are. */
  public int sessions() {
    return sessions.get();
  }

  /**
   * Counts one more connection, until {@link #leave}.
   *
   * @throws SecurityException if there are as many as may be
   */
  public void enter() {
    if (!tryEnter()) {
      throw new SecurityException(
          "client %s has too many sessions: limit=%s; close one"
              .formatted(rights.name(), rights.maxSessions()));
    }
  }

  /** As {@link #enter}; returns whether there is one more. */
  boolean tryEnter() {
    int max = rights.maxSessions();
    return sessions.getAndUpdate(count -> Math.min(count + 1, max)) < max;
  }

  /** Counts one connection less. */
  public void leave() {
    sessions.decrementAndGet();
  }

  /**
   * Counts a request; a second's requests may come at once.
   *
   * @return for how long it has to wait, in nanoseconds; 0 or less: not at all
   */
  public long delayNs(long nowNs) {
    requests.increment();
    if (nsPerRequest <= 1) {
      return 0;
    }
    while (true) {
      long next = nextNs.get();
      long begin = Math.max(next - nowNs, -SECOND_NS) + nowNs; // what is older is not saved up
      if (nextNs.compareAndSet(next, begin + nsPerRequest)) {
        if (begin - nowNs > 0) {
          delayed.increment();
        }
        return begin - nowNs;
      }
    }
  }

  /** Returns how many requests were counted. */
  long requests() {
    return requests.sum();
  }

  /** Returns how many of them had to wait. */
  long delayed() {
    return delayed.sum();
  }
}
