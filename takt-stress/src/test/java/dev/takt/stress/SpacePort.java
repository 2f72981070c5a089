package dev.takt.stress;

import dev.takt.testkit.History.Fact;
import dev.takt.testkit.History.Pattern;
import java.util.List;

/**
 * A space as the histories see it, so that the shipped one, the shipped one loaded again with hooks
 * and faults, and the reference can be put under the same load.
 *
 * <p>Public, because an implementation may live in another class loader.
 */
public interface SpacePort {
  /** Makes spaces. */
  interface Factory {
    /** Makes an empty space with small limits. */
    SpacePort create(int capacity, int maxTransactions, int patience, int maxRetries);
  }

  /** Makes a reusable transaction. */
  Tx open();

  /** Subscribes without being told; returns the handle. */
  Object subscribe(Pattern pattern);

  /** Asks a handle of {@link #subscribe}. */
  boolean hasNextNow(Object handle);

  /** Ends a subscription. */
  void unsubscribe(Object handle);

  /** Returns how many events match. */
  int count(Pattern pattern);

  /** Returns what the space says about itself. */
  String dump();

  /** A transaction of the space. Operations throw {@link Lost}; the caller then rolls back. */
  interface Tx extends AutoCloseable {
    void begin(int priority, int retries);

    void write(Fact fact);

    Fact take(Pattern pattern);

    Fact poll(Pattern pattern);

    Fact read(Pattern pattern);

    Fact peek(Pattern pattern);

    List<Fact> readAll(Pattern pattern);

    boolean test(Pattern pattern);

    void writeNow(Fact fact);

    Fact takeNow(Pattern pattern);

    boolean testNow(Pattern pattern);

    boolean commit();

    void rollback();

    @Override
    void close();
  }

  /** The transaction cannot go on. */
  final class Lost extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Whether the space was full; otherwise a conflict was lost. */
    public final boolean isFull;

    public Lost(boolean isFull) {
      super(isFull ? "full" : "conflict", null, false, false);
      this.isFull = isFull;
    }
  }
}
