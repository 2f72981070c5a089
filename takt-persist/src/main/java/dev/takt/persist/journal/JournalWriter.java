package dev.takt.persist.journal;

import dev.takt.persist.format.BlockBuffers;
import dev.takt.persist.store.Storage;
import dev.takt.realtime.NanoClock;
import dev.takt.space.CommitContent;
import dev.takt.space.Commits;
import dev.takt.space.Event;
import dev.takt.space.EventParts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes records out of the ring and writes them, group by group; begins segments, and puts a base
 * into each. See the package description.
 *
 * <p><b>Thread rule:</b> {@link #begin} by the thread that opens the journal, then all by this
 * thread; what is volatile can be read by any.
 */
final class JournalWriter extends Thread {
  /** For how long a transaction may be undecided before the writer decides it. */
  private static final long UNDECIDED_NS = 2_000_000;

  /** How many places of the space are looked at between two groups. */
  private static final int SCANNED = 1_024;

  private static final long IDLE_NS = 100_000_000;

  private final JournalSettings settings;
  private final Storage storage;
  private final Commits commits;
  private final CommitRing ring;
  private final NanoClock clock;
  private final BlockBuffers buffers;
  private final CommitContent content;
  private final ImageCursor images;
  private final ImageLog log;
  private final Storage.Lock lock;
  private final int id;

  private volatile @Nullable SegmentOutput segment;
  private long number;

  /** Where to go on with the look at the space; -1: it is over. */
  private int scanned;

  /** Behind which record the base ends, when the look is over; -1: it has ended. */
  private long baseEnd;

  /** Whether a base has ended and is not safe yet. */
  private boolean baseUnsafe;

  /** How many bytes there were when the base was safe: a segment grows to twice that at least. */
  private long baseBytes;

  /** Up to where all is to be safe before the listener is told that it is; -1: nothing is told. */
  private long restoring = -1;

  private long undecided = -1;
  private long undecidedSinceNs;
  private long forcedNs;
  private long retryAtNs;
  private volatile boolean relaxed;
  private volatile boolean closing;
  private volatile long forceUpTo;
  private volatile boolean deletes;
  private volatile @Nullable Throwable failure;

  /** Whether a fresh segment is open after a failure whose base has not ended. */
  private volatile boolean waiting;

  private volatile long written;
  private volatile long groups;
  private volatile long forces;
  private volatile long bytes;
  private volatile long segments;
  private volatile long failures;

  JournalWriter(
      JournalSettings settings,
      Storage storage,
      Commits commits,
      CommitRing ring,
      ImageLog log,
      BlockBuffers buffers,
      long number,
      Storage.Lock lock,
      int id) {
    super("takt-journal");
    setDaemon(true);
    this.settings = settings;
    this.storage = storage;
    this.commits = commits;
    this.ring = ring;
    this.clock = settings.clock();
    this.buffers = buffers;
    this.content = ring.content();
    this.images = ring.imageCursor();
    this.log = log;
    this.number = number;
    this.lock = lock;
    this.id = id;
    ring.writer(this);
  }

  /** Begins the first segment, with a safe base; no transaction runs. */
  void begin() throws IOException {
    SegmentOutput first = open(true);
    try {
      while (baseEnd >= 0) {
        base(first);
        first.write();
      }
      force(first);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      if (baseUnsafe || baseEnd >= 0) {
        first.close();
      }
    }
    ring.waits(settings.policy() == FsyncPolicy.EVERY);
  }

  @Override
  public void run() {
    try {
      while (!closing || !ring.isEmpty()) {
        if (!work()) {
          ring.sleep(wakeNs());
        }
      }
    } catch (Throwable e) {
      failure = e; // in fail(): it cannot go on
      ring.refuse("the journal's thread has ended by an error; open the journal again");
      throw e;
    } finally {
      try {
        finish();
      } finally {
        lock.close();
      }
    }
  }

  /** Does what there is to do; returns whether there was something. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread updates these
  private boolean work() {
    SegmentOutput to = segment;
    try {
      if (to == null) {
        return workWithout();
      }
      relaxIfBehind();
      boolean some = group(to);
      if (baseEnd >= 0) {
        some |= base(to);
      }
      to.write();
      if (some) {
        groups++;
      }
      if (isForceDue(to) || isForceWanted()) {
        force(to);
      }
      if (deletes && !baseUnsafe && baseEnd < 0) {
        deletes = false;
        deleteOlder();
      }
      tellIfRestored();
      restoreIfEmpty();
      if (baseEnd < 0 && to.bytes() >= Math.max(settings.segmentBytes(), 2 * baseBytes)) {
        roll(to);
      }
      return some || restoring >= 0;
    } catch (UncheckedIOException e) {
      fail(Objects.requireNonNullElse(e.getCause(), e));
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
    }
    return true;
  }

  /** Puts records into the block until there is none, or one that is undecided, or it is full. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread updates these
  private boolean group(SegmentOutput to) throws IOException {
    long before = written;
    long bytes = 0;
    while (bytes < buffers.blockBytes()) {
      switch (ring.next()) {
        case COMMITTED -> {
          long maxBytes = ring.maxBytes();
          ring.read(content);
          if (ring.images(images)) {
            log.written(number, images);
            to.images(images, content, maxBytes + SegmentOutput.BLOCK_BEGIN);
          } else {
            to.commit(content, maxBytes + SegmentOutput.BLOCK_BEGIN);
          }
          bytes += maxBytes;
          written++;
          ring.free();
        }
        case VOID -> ring.free();
        case PREPARED -> {
          return decide() || written != before;
        }
        default -> {
          return written != before;
        }
      }
    }
    return true;
  }

  /** Decides the next record if its thread does not; returns whether it was done. */
  private boolean decide() {
    long nowNs = clock.nanoTime();
    if (undecided != ring.head()) {
      undecided = ring.head();
      undecidedSinceNs = nowNs;
    } else if (nowNs - undecidedSinceNs >= UNDECIDED_NS) {
      ring.decide(commits.decide(ring.transaction()));
      return true;
    }
    return false;
  }

  /** Puts a part of the base; returns whether there was something to do. */
  private boolean base(SegmentOutput to) throws IOException {
    boolean some = scanned >= 0;
    if (some) {
      int next = commits.scan(scanned, SCANNED, (event, number) -> put(to, event, number));
      scanned = next == 0 ? -1 : next;
      baseEnd = ring.tail();
    }
    if (scanned < 0 && ring.head() >= baseEnd && log.isCovered()) {
      log.putRevisions(to);
      to.baseEnd();
      baseEnd = -1;
      baseUnsafe = true;
      return true;
    }
    return some;
  }

  private static void put(SegmentOutput to, Event event, long number) {
    try {
      to.baseEvent(event, number, EventParts.maxBytes(event) + SegmentOutput.BLOCK_BEGIN);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // ---- what is safe

  private boolean isForceDue(SegmentOutput to) {
    if (baseUnsafe || restoring >= 0) {
      return true;
    }
    return !to.isForced()
        && switch (settings.policy()) {
          case NEVER -> false;
          case INTERVAL -> isIntervalOver();
          case EVERY -> !relaxed || isIntervalOver();
        };
  }

  private boolean isForceWanted() {
    long end = forceUpTo;
    return ring.safe() - end < 0 && ring.head() - end >= 0;
  }

  /** Has all before a place made safe soon; any thread. */
  void forceUpTo(long end) {
    forceUpTo = end;
    ring.wake();
  }

  /** Has segments deleted that are not needed any more; any thread. */
  void deleteSoon() {
    deletes = true;
    ring.wake();
  }

  private boolean isIntervalOver() {
    return clock.nanoTime() - forcedNs >= settings.intervalNs();
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread updates these
  private void force(SegmentOutput to) throws IOException {
    if (!to.isForced()) {
      to.force();
      forces++;
    }
    forcedNs = clock.nanoTime();
    log.safe();
    ring.safe(ring.head());
    if (baseUnsafe) {
      to.tellForced(); // before older ones go: who finds the base damaged knows that it was safe
      baseUnsafe = false;
      baseBytes = to.bytes();
      deleteOlder();
      if (failure != null) {
        restore();
      }
    }
  }

  /** What cannot be deleted harms nothing, and is tried again when the next base is safe. */
  private void deleteOlder() {
    try {
      for (long each : SegmentNames.all(storage)) {
        if (each >= number || log.needs(each)) {
          return; // and keeps all later ones: no unit is missing between two
        }
        storage.delete(SegmentNames.of(each));
        log.deleted(each);
      }
    } catch (IOException e) {
      System.getLogger("dev.takt.persist")
          .log(Level.WARNING, "older segments of the journal cannot be deleted: " + e);
    }
  }

  private void relaxIfBehind() {
    long used = ring.usedBytes();
    if (settings.relaxes()
        && settings.policy() == FsyncPolicy.EVERY
        && !relaxed
        && restoring < 0
        && failure == null
        && used > ring.capacityBytes() / 2) {
      relaxed = true;
      String why =
          ("commits are safe after %s ms only: the journal holds %s bytes that are not written,"
                  + " limit=%s; the storage is too slow for so many")
              .formatted(settings.intervalNs() / 1_000_000, used, ring.capacityBytes() / 2);
      tell(() -> settings.listener().onRelaxed(why), why);
      ring.waits(false);
    }
  }

  private void restoreIfEmpty() {
    if (relaxed && failure == null && ring.isEmpty()) {
      restore();
    }
  }

  /**
   * Puts the policy in force again: first commits wait, then what has not waited is made safe, and
   * only then the listener is told so.
   */
  private void restore() {
    failure = null;
    waiting = false;
    relaxed = false;
    ring.waits(settings.policy() == FsyncPolicy.EVERY);
    restoring = ring.tail();
    ring.refuse(null);
  }

  private void tellIfRestored() {
    if (restoring >= 0 && ring.safe() - restoring >= 0) {
      restoring = -1;
      tell(settings.listener()::onRestored, "the journal keeps its policy again");
    }
  }

  /** Calls the listener, whatever it throws: that is no failure of the storage. */
  private static void tell(Runnable call, String what) {
    try {
      call.run();
    } catch (Throwable thrown) {
      try {
        System.getLogger("dev.takt.persist")
            .log(Level.WARNING, "a listener of the journal has thrown, told that " + what, thrown);
      } catch (Throwable again) {
        // nobody is left to tell; it may be the same OutOfMemoryError, which cannot suppress itself
      }
    }
  }

  // ---- segments

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread updates these
  private SegmentOutput open(boolean fresh) throws IOException {
    Storage.Output file = storage.create(SegmentNames.of(number));
    boolean good = false;
    try {
      storage.forceNames();
      SegmentOutput next = new SegmentOutput(file, number, buffers, fresh, id);
      segment = next;
      segments++;
      scanned = 0;
      baseEnd = Long.MAX_VALUE;
      baseUnsafe = false;
      good = true;
      return next;
    } finally {
      if (!good) {
        file.close();
      }
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread updates these
  private void roll(SegmentOutput to) throws IOException {
    to.end();
    log.safe();
    ring.safe(ring.head());
    bytes += to.bytes();
    segment = null;
    number++;
    open(false);
  }

  // ---- failures

  /** Gives the segment up; threads that wait go on when the listener knows. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread updates these
  private void fail(Throwable cause) {
    boolean isFirst = failure == null;
    SegmentOutput to = segment;
    segment = null;
    log.failed(number, !isFirst);
    waiting = false;
    failure = cause;
    failures++;
    restoring = -1;
    try {
      retryAtNs = clock.nanoTime() + settings.retryNs();
      buffers.reset();
      if (!settings.goesOnUnsafe()) {
        ring.refuse(
            "the journal has failed: %s; commits are refused until a new segment is safe, which is tried each %s ms%s"
                .formatted(
                    cause,
                    settings.retryNs() / 1_000_000,
                    log.isCovered() ? "" : ", and then a full snapshot (Persistence.begin)"));
      }
      giveUp(to, isFirst, cause);
      if (isFirst) {
        tell(() -> settings.listener().onFailure(cause), "the journal has failed: " + cause);
      }
    } finally {
      ring.waits(false);
    }
  }

  private void giveUp(@Nullable SegmentOutput to, boolean isFirst, Throwable cause) {
    try {
      if (to != null) {
        to.close();
      }
      if (!isFirst) {
        storage.delete(SegmentNames.of(number)); // it is fresh, and its base incomplete
      }
    } catch (IOException | RuntimeException | Error e) {
      if (e != cause) {
        cause.addSuppressed(e);
      }
    }
  }

  /** Frees what is committed meanwhile, and tries a fresh segment when its time has come. */
  private boolean workWithout() throws IOException {
    boolean some = false;
    CommitRing.Next next = ring.next();
    while (next == CommitRing.Next.COMMITTED || next == CommitRing.Next.VOID) {
      if (next == CommitRing.Next.COMMITTED && ring.images(images)) {
        log.lost(images);
      }
      ring.free();
      some = true;
      next = ring.next();
    }
    if (next == CommitRing.Next.PREPARED) {
      some |= decide();
    }
    if (!closing && clock.nanoTime() - retryAtNs >= 0) {
      number++;
      open(true);
      waiting = true;
      return true;
    }
    return some;
  }

  // ---- life

  private long wakeNs() {
    long nowNs = clock.nanoTime();
    if (!ring.isEmpty()) {
      return nowNs + UNDECIDED_NS / 8;
    }
    SegmentOutput to = segment;
    if (to == null) {
      return Math.min(retryAtNs, nowNs + IDLE_NS);
    }
    return to.isForced() || settings.policy() == FsyncPolicy.NEVER
        ? nowNs + IDLE_NS
        : forcedNs + settings.intervalNs();
  }

  /** Ends the segment; also if the thread was never started. */
  void finish() {
    SegmentOutput to = segment;
    try {
      if (to != null) {
        to.end();
      }
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
    } finally {
      segment = null;
      ring.safe(ring.head());
      ring.waits(false);
    }
  }

  /** Has the thread end when all is written; any thread. */
  void close() {
    closing = true;
    ring.wake();
  }

  /** Returns why commits are not safe, or null. */
  @Nullable Throwable failure() {
    return failure;
  }

  /** Returns whether there is a segment again after a failure, which is not the journal yet. */
  boolean isWaiting() {
    return waiting;
  }

  boolean isRelaxed() {
    return relaxed;
  }

  JournalStats stats() {
    SegmentOutput now = segment;
    long all = bytes + (now == null ? 0 : now.bytes());
    return new JournalStats(written, groups, forces, all, segments, ring.refusals(), failures);
  }
}
