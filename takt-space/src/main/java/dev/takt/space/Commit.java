package dev.takt.space;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction has written and taken, as a {@link CommitListener} sees it.
 *
 * <p>An event has a <em>number</em> that no other one of the space ever has; numbers grow as events
 * are written, compared by their difference, and events that match alike are taken in their order.
 * What a transaction has written and taken back itself is not among them.
 *
 * <p><b>Thread rule:</b> for the thread that calls the listener, until that returns.
 */
public final class Commit {
  private final TransactionLog log;
  private final @Nullable Long last;

  /** What {@link #cargo} returns. */
  @Nullable Object cargo;

  // ---- what measure() has found
  private int effects;
  private int words;
  private int references;
  private long maxBytes;

  /**
   * Makes the view of a commit.
   *
   * @param last the last number that is not reported when it is written; null: all are
   */
  Commit(TransactionLog log, @Nullable Long last) {
    this.log = log;
    this.last = last;
  }

  /** Returns how many events were written, with those that were taken back. */
  public int writtenCount() {
    return log.writtenCount;
  }

  /**
   * Copies an event that was written.
   *
   * @param at from 0 to below {@link #writtenCount}
   * @return false if its {@link #writtenNumber} is 0; or if another transaction has taken it
   *     meanwhile and its place in the space is in use again: that was reported already
   */
  public boolean written(int at, Event into) {
    return isReported(at) && load(log.written[at], log.writtenGens[at], into);
  }

  /**
   * Returns the number of an event that was written; or 0 if it was taken back, or was written
   * before the listener was attached: a scan gives that one.
   */
  public long writtenNumber(int at) {
    return isReported(at) ? log.writtenStamps[at] : 0;
  }

  private boolean isReported(int at) {
    return log.written[at] >= 0 && (last == null || log.writtenStamps[at] - last > 0);
  }

  /** Returns how many events were taken. */
  public int takenCount() {
    return log.takenCount;
  }

  /**
   * Copies an event that was taken.
   *
   * @param at from 0 to below {@link #takenCount}
   */
  public void taken(int at, Event into) {
    int slot = log.taken[at];
    load(slot, log.slots.genAcquire(slot), into);
  }

  /** Returns the number of an event that was taken. */
  public long takenNumber(int at) {
    EventSlots slots = log.slots;
    return slots.words[slots.base(log.taken[at]) + EventSlots.STAMP];
  }

  private boolean load(int slot, long gen, Event into) {
    return log.table.load(slot, gen, into);
  }

  // ---- for a journal

  /** Finds how much there is to note; returns whether there is any effect. */
  boolean measure() {
    EventSlots slots = log.slots;
    effects = 0;
    words = CommitContent.HEADER + log.takenCount;
    references = 0;
    maxBytes = 12L * words;
    for (int i = 0; i < log.writtenCount; i++) {
      int slot = log.written[i];
      if (slot >= 0) {
        long meta = slots.words[slots.base(slot) + EventSlots.META];
        effects++;
        int content = EventSlots.keyCount(meta) + EventSlots.extraCount(meta);
        int count = EventSlots.refCount(meta);
        words += CommitContent.EVENT + content;
        references += 1 + count;
        maxBytes +=
            EventParts.maxBytes(
                log.table.shape(meta),
                CommitContent.EVENT + content,
                slots.refs,
                slot * slots.refStride,
                count);
      }
    }
    return hasEvents();
  }

  /**
   * Returns what the committer has {@linkplain Transaction#commit(Object) given} to be kept with
   * the events, or null.
   */
  public @Nullable Object cargo() {
    return cargo;
  }

  /** Returns whether any event is written or taken. */
  public boolean hasEvents() {
    return effects + log.takenCount > 0;
  }

  /** Returns how many longs {@link #copyInto} writes. */
  public int words() {
    return words;
  }

  /** Returns how many references {@link #copyInto} writes. */
  public int references() {
    return references;
  }

  /**
   * Returns how many bytes all of it takes at most in a plain encoding; see {@link
   * EventParts#maxBytes}.
   */
  public long maxBytes() {
    return maxBytes;
  }

  /** Returns which transaction it is, for {@link Commits#decide}. */
  public long transaction() {
    return EventSlots.owned(0, log.owner, log.epoch);
  }

  /**
   * Copies all of it, for a {@link CommitContent} to read later: events as they are stored, strings
   * and constants by reference. Allocates nothing.
   *
   * @param toWords has room for {@link #words()} from {@code at} on
   * @param toReferences has room for {@link #references()} from {@code at} on
   */
  public void copyInto(long[] toWords, Object[] toReferences, int at) {
    EventSlots slots = log.slots;
    toWords[at] = (long) log.takenCount << 32 | effects;
    int word = at + CommitContent.HEADER;
    int reference = at;
    for (int i = 0; i < log.takenCount; i++) {
      toWords[word++] = slots.words[slots.base(log.taken[i]) + EventSlots.STAMP];
    }
    for (int i = 0; i < log.writtenCount; i++) {
      int slot = log.written[i];
      if (slot < 0) {
        continue;
      }
      int base = slots.base(slot);
      long meta = slots.words[base + EventSlots.META];
      int count = EventSlots.refCount(meta);
      int length = EventSlots.keyCount(meta) + EventSlots.extraCount(meta);
      toWords[word] = log.writtenStamps[i];
      toWords[word + 1] = meta;
      toWords[word + 2] = slots.words[base + EventSlots.TYPES];
      word += CommitContent.EVENT;
      System.arraycopy(slots.words, base + EventSlots.HEADER, toWords, word, length);
      word += length;
      toReferences[reference++] = log.table.shape(meta);
      System.arraycopy(slots.refs, slot * slots.refStride, toReferences, reference, count);
      reference += count;
    }
  }

  /**
   * Returns the class of a record or enum constant in a written event that a journal does not know;
   * null if it knows all.
   */
  public @Nullable Class<?> unknownClass(Predicate<? super Class<?>> isKnown) {
    EventSlots slots = log.slots;
    for (int i = 0; i < log.writtenCount; i++) {
      int slot = log.written[i];
      if (slot >= 0) {
        Class<?> found = unknownClass(slots, slot, isKnown);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  private static @Nullable Class<?> unknownClass(
      EventSlots slots, int slot, Predicate<? super Class<?>> isKnown) {
    int base = slots.base(slot);
    int keys = EventSlots.keyCount(slots.words[base + EventSlots.META]);
    for (int key = 0; key < keys; key++) {
      if (Types.at(slots.words[base + EventSlots.TYPES], key) == Types.RECORD) {
        int extra = base + EventSlots.HEADER + keys;
        long word = slots.words[base + EventSlots.HEADER + key];
        Class<?> type =
            EventContent.classOf(
                slots.words[extra + Values.offset(word)], slots.refs, slot * slots.refStride);
        if (type != null && !isKnown.test(type)) {
          return type;
        }
      }
    }
    return null;
  }
}
