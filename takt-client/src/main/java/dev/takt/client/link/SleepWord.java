package dev.takt.client.link;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A word of shared memory by which one side says for what it sleeps, so that the other one wakes it
 * and does without a system call as long as it is awake.
 *
 * <p>The sleeper announces, <em>then</em> looks once more whether what it waits for is there; the
 * other side makes it be there, <em>then</em> claims. Between the two of each is a full fence, so
 * at least one sees the other (Dekker): no wake-up is lost. A claim takes the announcement away, so
 * that a sleeper is woken once.
 *
 * <p><b>Thread rule:</b> one thread of the sleeper's side, one of the other side at a time. Every
 * method is wait-free and allocates nothing. What the other side writes can cause a wake-up that
 * was not needed, or none: the sleeper's time limit has to bound its sleep.
 */
public final class SleepWord {
  /** Sleeps until there is a record. */
  public static final int RECORDS = 1;

  /** Sleeps until there is room for a record. */
  public static final int ROOM = 2;

  static final int ANY = RECORDS | ROOM;

  /** Sleeps at the word itself, see {@link SharedFutex}; without it: at the socket. */
  static final int AT_FUTEX = 4;

  private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();

  private final MemorySegment memory;
  private final long offset;

  /**
   * Makes a view of the word.
   *
   * @param offset in bytes, a multiple of 4
   */
  public SleepWord(MemorySegment memory, long offset) {
    this.memory = memory;
    this.offset = offset;
  }

  /**
   * Says that the caller is about to sleep; it has to look once more before it does.
   *
   * @param reasons {@link #RECORDS}, {@link #ROOM} or both, and where it sleeps
   */
  public void announce(int reasons) {
    WORD.setOpaque(memory, offset, reasons);
    VarHandle.fullFence();
  }

  /** Says that the caller is awake. */
  public void clear() {
    WORD.setOpaque(memory, offset, 0);
  }

  /**
   * Takes the announcement of the other side away, if it sleeps for that reason.
   *
   * @return what it has announced: the caller has to wake it; 0 if not
   */
  public int claim(int reason) {
    VarHandle.fullFence();
    return ((int) WORD.getOpaque(memory, offset) & reason) == 0
        ? 0
        : (int) WORD.getAndSet(memory, offset, 0);
  }

  /** Returns where the word is, for {@link SharedFutex}. */
  long address() {
    return memory.address() + offset;
  }
}
