package dev.takt.space;

/**
 * The limits of an event space. Everything is allocated when the space is made; each limit says
 * what it costs.
 *
 * @param capacity how many events the space holds at least, committed or being written; each costs
 *     {@code maxEventBytes + 4 * maxReferences + 56} bytes (rounded up to 64), and 48 to 64 bytes
 *     more for each index, with 24 to 32 for what was there before it. A write beyond it aborts
 *     with {@link Abort.Reason#SPACE_FULL}
 * @param maxEventBytes the largest encoded event: 8 bytes for each key, and the content of arrays
 *     and records
 * @param maxReferences how many references one event can hold: each string, enum constant, {@code
 *     char}, decimal, big integer, UUID and time is one, and so is each element of a {@code
 *     String[]}; those inside records included
 * @param maxIndexes how many sets of template keys there can be (at most 64), each with an index of
 *     its own; a template with a further one is refused
 * @param maxSubscriptions how many subscriptions there can be at once; 4 to 8 bytes each for every
 *     index that is subscribed to, and 80 for each subscription
 * @param maxTransactions how many transactions can be open at once (at most 16,367); some 160 bytes
 *     each, and 260 from 2,032 on. The operations of {@link EventSpace} itself have sixteen more
 * @param maxOperations how many events one transaction can write, take, and test, each
 * @param maxRetries how often the highest-priority transaction can be made to retry by others (the
 *     K of the progress guarantee), and how often the task runtime repeats a release at once
 * @param patience how often a transaction looks again at one of higher priority that is in its way
 *     and stands still before it aborts that one; sixteen times as often for each time that one was
 *     aborted before, up to {@code maxRetries}, but for no longer than 100 ms. A single operation
 *     looks 64 times at most, instead, at one of its own priority that has looked for an event
 */
public record SpaceSettings(
    int capacity,
    int maxEventBytes,
    int maxReferences,
    int maxIndexes,
    int maxSubscriptions,
    int maxTransactions,
    int maxOperations,
    int maxRetries,
    int patience) {

  /** The defaults: room for 65,536 events of up to 128 bytes. */
  public static final SpaceSettings DEFAULTS =
      new SpaceSettings(65_536, 128, 8, 32, 131_072, 1_024, 4_096, 3, 1_000);

  /** The least {@code maxEventBytes}: one key. */
  public static final int LEAST_EVENT_BYTES = 8;

  /** The greatest {@code maxEventBytes}. */
  public static final int MOST_EVENT_BYTES = 1 << 15;

  /**
   * How many transactions can be open at once at most, by their numbers in the state of an event.
   */
  public static final int MOST_TRANSACTIONS = 16_367;

  /** Checks each limit. */
  public SpaceSettings {
    check("capacity", capacity, 1, 1 << 26);
    check("maxEventBytes", maxEventBytes, LEAST_EVENT_BYTES, MOST_EVENT_BYTES);
    check("maxReferences", maxReferences, 0, 255);
    check("maxIndexes", maxIndexes, 1, 64);
    check("maxSubscriptions", maxSubscriptions, 1, 1 << 24);
    check("maxTransactions", maxTransactions, 2, MOST_TRANSACTIONS);
    check("maxOperations", maxOperations, 1, 1 << 20);
    check("maxRetries", maxRetries, 0, 30);
    check("patience", patience, 1, 1 << 30);
  }

  static void check(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + "=" + value + " (expected: " + min + " to " + max + ")");
    }
  }

  /**
   * Returns how much of the heap a space with these settings takes at least, in bytes: its indexes
   * ({@link #indexHeapBytes}) and what its events refer to come on top, and with a heap of 32 GB
   * and more, as much again for the references.
   */
  public long leastHeapBytes() {
    return EventSlots.heapBytes(this);
  }

  /**
   * Returns how much of the heap each index takes at most, in bytes: with all of its subscriptions,
   * and a full space before it was made. With a heap of 32 GB and more it is a little more.
   */
  public long indexHeapBytes() {
    return Index.heapBytes(this);
  }

  /** Returns these settings with another value of a component, by its place among them. */
  private SpaceSettings with(int place, int value) {
    int[] all = {
      capacity,
      maxEventBytes,
      maxReferences,
      maxIndexes,
      maxSubscriptions,
      maxTransactions,
      maxOperations,
      maxRetries,
      patience
    };
    all[place] = value;
    return new SpaceSettings(
        all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7], all[8]);
  }

  /** Returns these settings with another capacity. */
  public SpaceSettings withCapacity(int capacity) {
    return with(0, capacity);
  }

  /** Returns these settings with another size for the largest event. */
  public SpaceSettings withMaxEventBytes(int maxEventBytes) {
    return with(1, maxEventBytes);
  }

  /** Returns these settings with another limit of strings in one event. */
  public SpaceSettings withMaxReferences(int maxReferences) {
    return with(2, maxReferences);
  }

  /** Returns these settings with another limit of indexes. */
  public SpaceSettings withMaxIndexes(int maxIndexes) {
    return with(3, maxIndexes);
  }

  /** Returns these settings with another limit of subscriptions. */
  public SpaceSettings withMaxSubscriptions(int maxSubscriptions) {
    return with(4, maxSubscriptions);
  }

  /** Returns these settings with another limit of transactions that run at once. */
  public SpaceSettings withMaxTransactions(int maxTransactions) {
    return with(5, maxTransactions);
  }

  /** Returns these settings with another limit of operations in one transaction. */
  public SpaceSettings withMaxOperations(int maxOperations) {
    return with(6, maxOperations);
  }

  /** Returns these settings with another number of retries. */
  public SpaceSettings withMaxRetries(int maxRetries) {
    return with(7, maxRetries);
  }

  /** Returns these settings with another patience. */
  public SpaceSettings withPatience(int patience) {
    return with(8, patience);
  }
}
