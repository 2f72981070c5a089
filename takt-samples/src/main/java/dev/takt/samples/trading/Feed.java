package dev.takt.samples.trading;

import dev.takt.realtime.NanoClock;
import dev.takt.samples.market.MarketDataException;
import dev.takt.samples.market.MarketReader;
import dev.takt.space.Abort;
import dev.takt.space.Space;
import dev.takt.space.SpaceTransaction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;

/**
 * Writes every line of the market into the space, up to {@link #BATCH_LINES} in one transaction.
 *
 * <p>It loses nothing: when the space has no room the batch is kept and written again. It leaves
 * half of the space to the tasks, because a task that finds no room for its answer could not make
 * room by taking.
 *
 * <p><b>Thread rule:</b> one ordinary thread; {@link #cancel} from any.
 */
final class Feed {
  /** How many lines go into one transaction at most. */
  static final int BATCH_LINES = 64;

  /**
   * How many events may wait in the space before the feed waits: it bounds how long an event waits
   * under overload.
   */
  static final int MAX_AHEAD = 2_048;

  /** The smallest capacity that leaves the tasks room for their own events. */
  static final int MIN_CAPACITY = 512;

  private static final long ROOM_LOOK_NS = 20_000;
  private static final long ROOM_TIMEOUT_NS = 60_000_000_000L;

  private final Space space;
  private final IntSupplier events;
  private final NanoClock clock;
  private final Pacer pacer;
  private final BooleanSupplier healthy;
  private final int maxEvents;
  private volatile boolean cancelled;
  private long stalls;

  /** How many events there can be, as far as the feed knows without asking. */
  private int known = Integer.MAX_VALUE;

  // what the transaction writes: fields, since a lambda for each batch would be garbage
  private Batch writing;
  private int writingCount;
  private final Function<SpaceTransaction, Void> write = this::write;

  /**
   * Makes a feed.
   *
   * @param space where the tasks are, in this process or in another one
   * @param events how many events it holds, which may cost more than a write
   * @param healthy whether the tasks still take; when not, waiting for room is pointless
   */
  Feed(Space space, IntSupplier events, NanoClock clock, Pacer pacer, BooleanSupplier healthy) {
    this.space = space;
    this.events = events;
    this.clock = clock;
    this.pacer = pacer;
    this.healthy = healthy;
    int capacity = space.settings().capacity();
    if (capacity < MIN_CAPACITY) {
      throw new IllegalArgumentException(
          "capacity=" + capacity + " (expected: at least " + MIN_CAPACITY + ")");
    }
    maxEvents = Math.min(MAX_AHEAD, capacity / 2);
  }

  /** Ends the replay soon; what is written stays written. */
  void cancel() {
    cancelled = true;
    pacer.cancel();
  }

  boolean isCancelled() {
    return cancelled;
  }

  /** Returns how often the feed had to wait for room. */
  long stalls() {
    return stalls;
  }

  /**
   * Writes everything that the reader has in this excerpt.
   *
   * @param excerpt which of its lines
   * @param from what of them was read before this program began: it is passed over, without a pause
   * @param progress gets how many lines this call has written so far
   * @return how many lines it has written
   * @throws MarketDataException if the reader meets data that it cannot read; what comes before is
   *     written
   */
  long replay(MarketReader reader, Excerpt excerpt, ReadPosition from, LongConsumer progress)
      throws MarketDataException {
    Batch batch = new Batch(BATCH_LINES, !reader.hasQuotes(), from);
    long lines = 0;
    long left = excerpt.skip(reader) ? excerpt.lines() : 0;
    pacer.restart();
    while (!cancelled) {
      int count;
      try {
        count = left == 0 ? 0 : reader.poll(batch, limit(batch, left));
        left -= count;
      } catch (MarketDataException e) {
        lines += batch.size();
        write(batch, batch.size());
        progress.accept(lines);
        throw e;
      }
      if (count > 0 && pacer.isPaced() && !batch.isLastRead() && !pacer.isDue(batch.lastTimeNs())) {
        // what is due goes now, all at once; the last line has to wait
        lines += write(batch, batch.size() - 1);
        progress.accept(lines);
        if (!pacer.await(batch.lastTimeNs())) {
          break;
        }
      }
      if (count == 0 || batch.room() == 0) {
        lines += write(batch, batch.size());
        progress.accept(lines);
      }
      if (count == 0) {
        break;
      }
    }
    return lines;
  }

  private int limit(Batch batch, long left) {
    return pacer.isPaced() ? 1 : (int) Math.min(batch.room(), left);
  }

  /** Writes behind the last event of each stream that the pass is over, or broken off. */
  void endPass(long pass, boolean isWhole) {
    Batch batch = new Batch(BATCH_LINES, false, ReadPosition.START);
    batch.addEnds(pass, isWhole);
    write(batch, batch.size());
  }

  private int write(Batch batch, int count) {
    while (count > 0) {
      awaitRoom();
      try {
        writing = batch;
        writingCount = count;
        space.transact(0, write);
        known += Batch.EVENTS_OF_A_LINE * count;
        batch.remove(count);
        return count;
      } catch (Abort e) {
        if (e.reason() != Abort.Reason.SPACE_FULL) {
          throw e;
        }
        stalls++;
        pause();
      }
    }
    return 0;
  }

  private Void write(SpaceTransaction transaction) {
    writing.write(transaction, writingCount, clock.nanoTime());
    return null;
  }

  private void awaitRoom() {
    if (known > maxEvents && isFull()) {
      stalls++;
      long deadlineNs = clock.nanoTime() + ROOM_TIMEOUT_NS;
      while (isFull()) {
        pause();
        if (clock.nanoTime() - deadlineNs > 0) {
          throw new IllegalStateException(
              "no room in the space for %s s: %s events in it"
                  .formatted(ROOM_TIMEOUT_NS / 1_000_000_000, known));
        }
      }
    }
  }

  private boolean isFull() {
    known = events.getAsInt();
    return known > maxEvents;
  }

  private void pause() {
    if (!healthy.getAsBoolean()) {
      throw new IllegalStateException("a task was stopped because it failed again and again");
    }
    clock.parkNanos(ROOM_LOOK_NS);
  }
}
