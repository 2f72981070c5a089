package dev.takt.persist.journal;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.os.Sleeper;
import dev.takt.space.Abort;
import dev.takt.space.Commit;
import dev.takt.space.CommitContent;
import dev.takt.space.CommitJournal;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The ring between committers, which copy into it what they are about to do, and the writer, which
 * reads it in the order of the tickets. The package description has the picture and the protocol.
 *
 * <p><b>Guarantees:</b> {@link #prepare} and {@link #decided} wait for nothing and allocate
 * nothing.
 *
 * <p><b>Thread rule:</b> any thread commits; what is marked so is the writer's alone.
 *
 * <p><b>Memory:</b> one array of words, one of references that is as long, and a header for each
 * four places.
 */
final class CommitRing implements CommitJournal {
  /** What the writer finds at its place. */
  enum Next {
    /** Nothing yet. */
    NONE,
    /** A transaction that is not decided. */
    PREPARED,
    /** A transaction that is committed. */
    COMMITTED,
    /** Nothing to write; it can be freed. */
    VOID
  }

  private static final VarHandle HEADERS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int PREPARED = 1;
  private static final int COMMITTED = 2;
  private static final int VOID = 3;
  private static final int LENGTH_SHIFT = 2;
  private static final int LAP_SHIFT = 32;

  /**
   * A record begins at a multiple of four places, so that there is a header for each four alone.
   */
  private static final int ALIGN_SHIFT = 2;

  private static final int ALIGN_MASK = (1 << ALIGN_SHIFT) - 1;

  /** Transaction, and how far behind the content images are | largest size in bytes. */
  private static final int CONTENT = 2;

  private static final int TAIL = 16;
  private static final int HEAD = 32;
  private static final int WAITERS = 64;

  /** For how long a thread that waits sleeps at once: an unknown one is not woken. */
  private static final long LOOK_NS = 500_000;

  private final long[] words;
  private final Object[] references;

  /** Apart from the words: what a record holds can never be taken for a header. */
  private final long[] headers;

  private final int mask;
  private final int lapShift;
  private final long maxBytes;
  private final Predicate<? super Class<?>> known;
  private final NanoClock clock;

  /** Where the next record is claimed, and what is free up to one lap before; apart from others. */
  private final AtomicLongArray ends = new AtomicLongArray(48);

  private final Sleeper writer;
  private volatile boolean asleep;

  /** Of the writer, which makes safe what others wait for. */
  private volatile @Nullable Thread writerThread;

  private volatile long safe;
  private volatile boolean waits;
  private volatile @Nullable String refusal;
  private boolean closed;
  private final AtomicReferenceArray<@Nullable Thread> waiters =
      new AtomicReferenceArray<>(WAITERS);
  private final Sleeper[] sleepers = new Sleeper[WAITERS];
  private final AtomicLong refused = new AtomicLong();

  /**
   * Makes a ring.
   *
   * @param bytes how much it holds, rounded up to a power of two
   * @param maxBytes how many bytes the encoding of one commit may take
   * @param known which classes of records and enums can be encoded
   */
  CommitRing(int bytes, long maxBytes, Predicate<? super Class<?>> known, NanoClock clock) {
    int length = Integer.highestOneBit(2 * (bytes / Long.BYTES) - 1);
    this.words = new long[length];
    this.references = new Object[length];
    this.headers = new long[length >> ALIGN_SHIFT];
    this.mask = length - 1;
    this.lapShift = Integer.numberOfTrailingZeros(length);
    this.maxBytes = maxBytes;
    this.known = known;
    this.clock = clock;
    this.writer = clock.newSleeper();
    Arrays.setAll(sleepers, i -> clock.newSleeper());
  }

  // ---- committers

  @Override
  public long prepare(Commit delta) {
    String why = refusal;
    if (why != null) {
      throw refused(why);
    }
    TaskImages task = delta.cargo() instanceof TaskImages cargo ? cargo : null;
    ImageBuffer images =
        task != null && task.prepare(maxBytes - delta.maxBytes()) ? task.buffer() : null;
    if (images == null && !delta.hasEvents()) {
      return NONE;
    }
    check(delta);
    int content = Math.max(delta.words(), delta.references());
    int length = aligned(CONTENT + content + (images == null ? 0 : images.length()));
    checkLength(length, "a commit");
    long at = claim(length);
    if (at == NONE) {
      throw refused(
          ("the journal is full: bytes=%s, limit=%s; the storage is too slow for so many commits:"
                  + " try again later, or raise JournalSettings.ringBytes")
              .formatted(usedBytes() + (long) length * Long.BYTES, capacityBytes()));
    }
    int index = (int) at & mask;
    int state = VOID;
    try {
      words[index] = delta.transaction();
      words[index + 1] = delta.maxBytes();
      delta.copyInto(words, references, index + CONTENT);
      if (images != null) {
        words[index + 1] += (long) content << Integer.SIZE | images.maxBytes();
        images.copyInto(words, references, index + CONTENT + content);
      }
      state = PREPARED;
    } finally {
      HEADERS.setRelease(headers, slot(at), header(at, length, state));
    }
    return at;
  }

  /**
   * Puts images that are of no commit, and leaves room for commits beside them.
   *
   * @return false if there is no room now; nothing has happened then
   * @throws Abort if they are too large, or the journal refuses all
   */
  boolean put(ImageBuffer images) {
    String why = refusal;
    if (why != null) {
      throw refused(why);
    }
    if (images.maxBytes() > maxBytes) {
      throw refused(
          ("an object takes up to %s bytes in the journal, limit=%s; raise"
                  + " JournalSettings.blockBytes")
              .formatted(images.maxBytes(), maxBytes));
    }
    int length = aligned(CONTENT + 1 + images.length());
    checkLength(length, "an object");
    boolean hasRoom = usedBytes() + 2L * length * Long.BYTES <= capacityBytes();
    long at = hasRoom ? claim(length) : NONE; // others may be quicker
    if (at == NONE) {
      if (isWriter()) {
        throw refused(
            "the journal is full, and its own thread cannot wait for room; register tasks on another");
      }
      return false;
    }
    int index = (int) at & mask;
    words[index + 1] = 1L << Integer.SIZE | images.maxBytes();
    words[index + CONTENT] = 0; // no event: one word
    images.copyInto(words, references, index + CONTENT + 1);
    HEADERS.setVolatile(headers, slot(at), header(at, length, COMMITTED));
    wakeIfAsleep();
    return true;
  }

  private void check(Commit delta) {
    if (delta.maxBytes() > maxBytes) {
      throw refused(
          ("a commit takes up to %s bytes in the journal, limit=%s; write less at once, or raise"
                  + " JournalSettings.blockBytes")
              .formatted(delta.maxBytes(), maxBytes));
    }
    Class<?> unknown = delta.unknownClass(known);
    if (unknown != null) {
      throw refused(
          "the journal does not know %s; name it in JournalSettings.withClasses"
              .formatted(unknown));
    }
  }

  private Abort refused(String why) {
    refused.incrementAndGet();
    return CommitJournal.refused(why);
  }

  /** A longer one would have room or not by where the ring's end is, also when it is empty. */
  private void checkLength(int length, String what) {
    if (length > words.length / 2) {
      throw refused(
          ("%s takes %s bytes of the journal's ring, limit=%s, half of it; write less at once, or"
                  + " raise JournalSettings.ringBytes")
              .formatted(what, (long) length * Long.BYTES, capacityBytes() / 2));
    }
  }

  /** Claims places for a record, up to half of all; NONE: there is no room now. */
  private long claim(int length) {
    while (true) {
      long at = ends.get(TAIL);
      int left = words.length - ((int) at & mask);
      int unused = length > left ? left : 0;
      long end = at + unused + length;
      if (end - ends.get(HEAD) > words.length) {
        return NONE;
      }
      if (ends.compareAndSet(TAIL, at, end)) {
        if (unused > 0) {
          HEADERS.setRelease(headers, slot(at), header(at, unused, VOID));
        }
        return at + unused;
      }
    }
  }

  private static int aligned(int length) {
    return length + ALIGN_MASK & ~ALIGN_MASK;
  }

  private int slot(long at) {
    return ((int) at & mask) >> ALIGN_SHIFT;
  }

  private long header(long at, int length, int state) {
    return at >>> lapShift << LAP_SHIFT | (long) length << LENGTH_SHIFT | state;
  }

  private static int state(long header) {
    return (int) header & 3;
  }

  private static int length(long header) {
    return (int) header >>> LENGTH_SHIFT;
  }

  @Override
  public void decided(long ticket, boolean committed) {
    mark(ticket, committed);
    wakeIfAsleep();
  }

  /** Behind a volatile write of a header: either it is seen to sleep, or it sees the header. */
  private void wakeIfAsleep() {
    if (asleep) {
      writer.wake();
    }
  }

  /** Marks a record, unless it is marked already or its place is another one's. */
  private void mark(long ticket, boolean committed) {
    int slot = slot(ticket);
    long header = (long) HEADERS.getVolatile(headers, slot);
    long prepared = header(ticket, length(header), PREPARED);
    if (header == prepared) {
      long marked = header(ticket, length(header), committed ? COMMITTED : VOID);
      HEADERS.compareAndSet(headers, slot, prepared, marked);
    }
  }

  @Override
  public void await(long ticket) {
    if (waits && safe - ticket <= 0 && !isWriter()) {
      awaitSafe(ticket);
    }
  }

  private void awaitSafe(long ticket) {
    Thread thread = Thread.currentThread();
    boolean interrupted = false;
    int slot = (int) thread.threadId() & WAITERS - 1;
    boolean listed = waiters.compareAndSet(slot, null, thread);
    while (waits && safe - ticket <= 0) {
      interrupted |= Thread.interrupted();
      if (listed) {
        sleepers[slot].sleepUntil(clock.nanoTime() + LOOK_NS);
      } else {
        clock.parkNanos(LOOK_NS / 4);
      }
    }
    if (listed) {
      waiters.set(slot, null);
    }
    if (interrupted) {
      thread.interrupt();
    }
  }

  // ---- the writer

  /** Names the thread that does not wait for what it commits itself, as a listener may. */
  void writer(Thread thread) {
    writerThread = thread;
  }

  /** Returns whether the calling thread is the writer. */
  boolean isWriter() {
    return Thread.currentThread() == writerThread;
  }

  /** Returns where the next record will be claimed. */
  long tail() {
    return ends.get(TAIL);
  }

  /** Returns the place of the next record to read. */
  long head() {
    return ends.get(HEAD);
  }

  boolean isEmpty() {
    return head() == tail();
  }

  /** Returns how many bytes are claimed and not free again. */
  long usedBytes() {
    return (tail() - head()) * Long.BYTES;
  }

  long capacityBytes() {
    return (long) words.length * Long.BYTES;
  }

  /** Looks at the next record. */
  Next next() {
    long header = (long) HEADERS.getVolatile(headers, slot(head()));
    return switch (state(header)) {
      case PREPARED -> Next.PREPARED;
      case COMMITTED -> Next.COMMITTED;
      case VOID -> Next.VOID;
      default -> Next.NONE;
    };
  }

  /** Returns which transaction the next record is of. */
  long transaction() {
    return words[(int) head() & mask];
  }

  /** Marks the next record. */
  void decide(boolean committed) {
    mark(head(), committed);
  }

  /** Returns how many bytes the encoding of the next record takes at most. */
  long maxBytes() {
    return (int) words[((int) head() & mask) + 1];
  }

  /** Makes what reads records of this ring. */
  CommitContent content() {
    return new CommitContent(words, references);
  }

  /** Begins to read the next record. */
  void read(CommitContent content) {
    content.begin(((int) head() & mask) + CONTENT);
  }

  /** Begins to read the images of the next record; returns whether there are any. */
  boolean images(ImageCursor cursor) {
    int index = (int) head() & mask;
    int behind = (int) (words[index + 1] >>> Integer.SIZE);
    if (behind != 0) {
      cursor.begin(index + CONTENT + behind);
    }
    return behind != 0;
  }

  /** Makes what reads images of this ring. */
  ImageCursor imageCursor() {
    return new ImageCursor(words, references);
  }

  /** Frees the next record, which is read. */
  void free() {
    long at = head();
    int index = (int) at & mask;
    int length = length(headers[slot(at)]);
    Arrays.fill(references, index, index + length, null);
    headers[slot(at)] = 0;
    ends.set(HEAD, at + length);
  }

  /** All before a place is safe: those who wait for it go on. */
  void safe(long end) {
    safe = end;
    wakeWaiters();
  }

  /** Returns up to where all is safe. */
  long safe() {
    return safe;
  }

  /** Has commits wait until they are safe, or no more. */
  void waits(boolean waits) {
    this.waits = waits;
    if (!waits) {
      wakeWaiters();
    }
  }

  private void wakeWaiters() {
    for (int i = 0; i < WAITERS; i++) {
      if (waiters.get(i) != null) {
        sleepers[i].wake();
      }
    }
  }

  /** Refuses all commits for a reason; null: no more, unless it is closed. */
  synchronized void refuse(@Nullable String why) {
    if (!closed) {
      refusal = why;
    }
  }

  /** Refuses all commits for good. */
  synchronized void close() {
    closed = true;
    refusal = "the journal is closed, so nothing would be kept; open it for a new space";
  }

  long refusals() {
    return refused.get();
  }

  /** Puts the writer to sleep until there is a record to read, it is woken, or a time has come. */
  void sleep(long timeNs) {
    asleep = true;
    Next next = next();
    if (next == Next.NONE || next == Next.PREPARED) {
      writer.sleepUntil(timeNs);
    }
    asleep = false;
  }

  /** Wakes the writer; any thread. */
  void wake() {
    writer.wake();
  }
}
