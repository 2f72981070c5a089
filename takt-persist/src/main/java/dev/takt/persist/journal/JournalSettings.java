package dev.takt.persist.journal;

import dev.takt.persist.format.Format;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.internal.Ranges;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The limits and promises of a journal; immutable.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class JournalSettings implements Cloneable {
  /**
   * {@code EVERY}; for {@code INTERVAL} 10 ms; a ring of 4 MiB, groups of 1 MiB, segments of 64
   * MiB; commits are refused when the journal cannot keep up or the storage has failed, which is
   * tried again each second; the listener is {@link JournalListener#LOG}.
   */
  public static final JournalSettings DEFAULTS = new JournalSettings();

  private FsyncPolicy policy = FsyncPolicy.EVERY;
  private long intervalNs = 10_000_000;
  private int ringBytes = 4 << 20;
  private int blockBytes = 1 << 20;
  private long segmentBytes = 64 << 20;
  private boolean relaxes;
  private boolean goesOnUnsafe;
  private long retryNs = 1_000_000_000;
  private int id;
  private List<Class<?>> classes = List.of();
  private JournalListener listener = JournalListener.LOG;
  private NanoClock clock = NanoClock.system();

  private JournalSettings() {}

  private JournalSettings with(Consumer<JournalSettings> change) {
    try {
      JournalSettings copy = (JournalSettings) clone();
      change.accept(copy);
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns when commits are forced. */
  public FsyncPolicy policy() {
    return policy;
  }

  /** Returns these settings with another policy. */
  public JournalSettings withPolicy(FsyncPolicy policy) {
    Objects.requireNonNull(policy, "policy");
    return with(copy -> copy.policy = policy);
  }

  /** Returns how often commits are forced under {@link FsyncPolicy#INTERVAL}, in nanoseconds. */
  public long intervalNs() {
    return intervalNs;
  }

  /**
   * Returns these settings with another interval.
   *
   * @param intervalNs 100,000 to 60,000,000,000 ns
   */
  public JournalSettings withIntervalNs(long intervalNs) {
    Ranges.check("intervalNs", intervalNs, 100_000, 60_000_000_000L);
    return with(copy -> copy.intervalNs = intervalNs);
  }

  /**
   * Returns how much may be committed and not yet written, in bytes; there are references beside
   * it, half as large, and headers, a quarter.
   */
  public int ringBytes() {
    return ringBytes;
  }

  /**
   * Returns the largest group, and so the largest commit, in bytes; two buffers have that size. A
   * commit takes half of the ring at most, too: there each number, reference and flag of an image
   * takes eight bytes.
   */
  public int blockBytes() {
    return blockBytes;
  }

  /**
   * Returns from how many bytes on the next segment is begun; later, if the events that are there
   * take more than half of it.
   */
  public long segmentBytes() {
    return segmentBytes;
  }

  /**
   * Returns these settings with other sizes.
   *
   * @param ringBytes twice {@code blockBytes} to 1,073,741,824; rounded up to a power of two
   * @param blockBytes 65,536 to 16,777,215
   * @param segmentBytes at least 65,536
   * @throws IllegalArgumentException if one is out of its range
   */
  public JournalSettings withSizes(int ringBytes, int blockBytes, long segmentBytes) {
    Ranges.check("blockBytes", blockBytes, 1 << 16, Format.MAX_BLOCK_BYTES);
    Ranges.check("ringBytes (two blocks and more)", ringBytes, 2L * blockBytes, 1 << 30);
    Ranges.check("segmentBytes", segmentBytes, 1 << 16, 1L << 40);
    return with(
        copy -> {
          copy.ringBytes = ringBytes;
          copy.blockBytes = blockBytes;
          copy.segmentBytes = segmentBytes;
        });
  }

  /**
   * Returns whether {@code EVERY} becomes {@code INTERVAL} when the ring is half full, until it is
   * empty.
   */
  public boolean relaxes() {
    return relaxes;
  }

  /** Returns these settings with an answer to {@link #relaxes()}. */
  public JournalSettings withRelaxing(boolean relaxes) {
    return with(copy -> copy.relaxes = relaxes);
  }

  /**
   * Returns whether commits go on, unsafe, when the storage has failed; otherwise they are refused.
   */
  public boolean goesOnUnsafe() {
    return goesOnUnsafe;
  }

  /** Returns these settings with an answer to {@link #goesOnUnsafe()}. */
  public JournalSettings withGoingOnUnsafe(boolean goesOnUnsafe) {
    return with(copy -> copy.goesOnUnsafe = goesOnUnsafe);
  }

  /** Returns how long after a failure a fresh segment is tried, in nanoseconds. */
  public long retryNs() {
    return retryNs;
  }

  /**
   * Returns these settings with another pause between two tries after a failure.
   *
   * @param retryNs 1,000,000 to 60,000,000,000 ns
   */
  public JournalSettings withRetryNs(long retryNs) {
    Ranges.check("retryNs", retryNs, 1_000_000, 60_000_000_000L);
    return with(copy -> copy.retryNs = retryNs);
  }

  /** Returns the id that a new journal gets; 0: one of its own. */
  public int id() {
    return id;
  }

  /**
   * Returns these settings with the id of another journal, whose place a new one takes: that has
   * gone, and the program is to go on from the snapshots that go with it, without what only it had.
   * For the first start after that; the new journal keeps the id.
   *
   * @param id as the message of {@link dev.takt.persist.Persistence#recover(Journal)} has it; 0: a
   *     new journal gets one of its own
   */
  public JournalSettings withId(int id) {
    return with(copy -> copy.id = id);
  }

  /** Returns the classes of records and enums that events may hold. */
  public List<Class<?>> classes() {
    return classes;
  }

  /**
   * Returns these settings with the classes of records and enums that events hold; those that these
   * consist of come with them. A commit with another one is refused, and none is made whatever a
   * file says.
   */
  public JournalSettings withClasses(Class<?>... classes) {
    List<Class<?>> all = List.of(classes);
    return with(copy -> copy.classes = all);
  }

  /** Returns what is told when the journal does not keep its policy. */
  public JournalListener listener() {
    return listener;
  }

  /** Returns these settings with another listener. */
  public JournalSettings withListener(JournalListener listener) {
    Objects.requireNonNull(listener, "listener");
    return with(copy -> copy.listener = listener);
  }

  /** Returns what the writer waits by. */
  public NanoClock clock() {
    return clock;
  }

  /** Returns these settings with another clock. */
  public JournalSettings withClock(NanoClock clock) {
    Objects.requireNonNull(clock, "clock");
    return with(copy -> copy.clock = clock);
  }
}
