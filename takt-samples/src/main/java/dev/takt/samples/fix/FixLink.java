package dev.takt.samples.fix;

import dev.takt.space.Event;
import dev.takt.space.SpaceTransaction;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The way out of a session that is logged on: numbers are given, made safe and written in one turn.
 *
 * <p><b>Assumptions.</b> Both of its sessions look by {@link #requireMoving} now and then: a write
 * that has no room cannot end itself.
 *
 * <p><b>Guarantees.</b> Messages are written in the order of their numbers, each after all that it
 * tells is safe. A write that has no room for longer than {@link FixSettings#writeTimeout} ends the
 * connection with the next look of the other session, at most {@link #LOOK_NS} later: it looks also
 * while it waits for its turn.
 *
 * <p><b>Thread rule:</b> the session that reads, and the one that reports fills. <b>Memory:</b> the
 * messages of one step; of a resend, about 16 KB.
 */
final class FixLink {
  /** How many fills one step reports at most. */
  private static final int MAX_FILLS = 64;

  /** How often who waits looks whether a write takes too long: so late its end may be. */
  static final long LOOK_NS = 200_000_000;

  private static final int CHUNK_BYTES = 16_384;
  private static final long NONE = Long.MAX_VALUE;

  private final FixWire wire;
  private final FixStore store;
  private final FixSettings settings;
  private final String version;
  private final String target;
  private final String peer;
  private final ExecutionReports reports;
  private final SendTurn turn = new SendTurn();
  private volatile long writtenNs;
  private volatile long writeEndNs = NONE;

  /** Set in a turn: no number is given any more. */
  private volatile boolean ended;

  FixLink(FixWire wire, FixStore store, FixSettings settings, String version, String target) {
    this.wire = wire;
    this.store = store;
    this.settings = settings;
    this.version = version;
    this.target = target;
    peer = version + ":" + target;
    reports = new ExecutionReports(version);
    writtenNs = wire.nanoTime();
  }

  /** Returns when something was written last. */
  long writtenNs() {
    return writtenNs;
  }

  /** Closes the connection if a write, of whichever session, takes too long. */
  void requireMoving() throws SocketTimeoutException {
    long endNs = writeEndNs; // once: the write may end here
    if (endNs != NONE && wire.nanoTime() - endNs > 0) {
      wire.close();
      throw stuck();
    }
  }

  private SocketTimeoutException stuck() {
    return new SocketTimeoutException(
        "no room for a message within %d ms: the other end does not read"
            .formatted(settings.writeTimeout().toMillis()));
  }

  private void takeTurn() throws IOException, InterruptedException {
    while (!turn.take(LOOK_NS)) {
      requireMoving(); // who waits here is the one who sees that the other's write is stuck
    }
    if (ended) {
      turn.release();
      throw new EOFException("the session has ended");
    }
  }

  /** Returns whether no further message is sent. */
  boolean isEnded() {
    return ended;
  }

  /** Lets no further message be sent; who sends one has done so when this returns. */
  void end() throws IOException, InterruptedException {
    takeTurn();
    ended = true;
    turn.release();
  }

  /** Does a step of the session, and writes what it sends. */
  void step(Consumer<FixStep> body) throws IOException, InterruptedException {
    takeTurn();
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      for (SentMessage each : store.step(peer, body)) {
        out.writeBytes(bytes(each, null));
      }
      write(out);
    } finally {
      turn.release();
    }
  }

  /**
   * Reports fills, if there are any within a time; they are taken and their reports kept in one
   * step.
   */
  void reportFills(Duration timeout) throws IOException, InterruptedException {
    Event fills = FixStore.of(FixKeys.FILL, peer);
    if (store.space().read(fills, timeout) != null) {
      step(
          step -> {
            Event fill = new Event();
            for (int i = 0; i < MAX_FILLS && step.transaction().take(fills, fill); i++) {
              step.sendKept(FixType.EXECUTION_REPORT, reports.filled(fill, step.time()));
              keepState(fill, step.transaction());
            }
          });
    }
    requireMoving();
  }

  /** Keeps how far an order has been reported as filled. */
  private void keepState(Event fill, SpaceTransaction transaction) {
    Event known = new Event();
    if (transaction.take(NewOrders.known(peer, fill.getString(FixKeys.CLIENT_ID)), known)) {
      known.add(FixKeys.DONE, fill.getLong(FixKeys.DONE));
      transaction.write(known.add(FixKeys.VALUE, fill.getLong(FixKeys.VALUE)));
    }
  }

  /**
   * Sends again what was sent, from one number to another: messages of the application as they
   * were, the others as gaps.
   */
  void resend(long begin, long end) throws IOException, InterruptedException {
    takeTurn();
    try {
      FixStore.Numbers numbers = store.numbers(peer);
      long last = Math.min(end, numbers.out() - 1);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      long gap = begin;
      for (long seq = begin; seq <= last; seq++) {
        SentMessage message = store.sentMessage(peer, numbers.epoch(), seq);
        if (message != null) {
          fillGap(gap, seq, out);
          out.writeBytes(bytes(message, message.time()));
          gap = seq + 1;
        }
        if (out.size() > CHUNK_BYTES) {
          write(out);
        }
      }
      fillGap(gap, last + 1, out);
      write(out);
    } finally {
      turn.release();
    }
  }

  private void fillGap(long from, long next, ByteArrayOutputStream out) {
    if (from < next) {
      String now = FixText.time(settings.clock().instant());
      String body =
          FixText.field(FixTag.GAP_FILL_FLAG, "Y") + FixText.field(FixTag.NEW_SEQ_NO, next);
      out.writeBytes(bytes(new SentMessage(from, FixType.SEQUENCE_RESET, now, body), now));
    }
  }

  /** Returns a message; one that is sent again has the time at which it was sent first. */
  private byte[] bytes(SentMessage message, String originalTime) {
    boolean again = originalTime != null;
    String time = again ? FixText.time(settings.clock().instant()) : message.time();
    String header =
        FixText.field(FixTag.MSG_TYPE, message.type())
            + FixText.field(FixTag.SENDER_COMP_ID, settings.compId())
            + FixText.field(FixTag.TARGET_COMP_ID, target)
            + FixText.field(FixTag.MSG_SEQ_NUM, message.seq())
            + (again ? FixText.field(FixTag.POSS_DUP_FLAG, "Y") : "")
            + FixText.field(FixTag.SENDING_TIME, time)
            + (again ? FixText.field(FixTag.ORIG_SENDING_TIME, originalTime) : "");
    return FixText.message(version, header + message.body());
  }

  private void write(ByteArrayOutputStream out) throws IOException {
    if (out.size() == 0) {
      return;
    }
    long endNs = wire.nanoTime() + settings.writeTimeout().toNanos();
    writeEndNs = endNs;
    try {
      wire.write(out.toByteArray());
    } catch (IOException failure) {
      throw wire.nanoTime() - endNs > 0 ? stuck() : failure;
    } finally {
      writeEndNs = NONE;
    }
    out.reset();
    writtenNs = wire.nanoTime();
  }
}
