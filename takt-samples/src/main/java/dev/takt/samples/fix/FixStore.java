package dev.takt.samples.fix;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The state of all peers, in the event space: sequence numbers, what was sent, which orders were
 * taken.
 *
 * <p><b>Assumptions.</b> A commit of the space returns when it is safe, or {@code isSafe} is false
 * by then. One connection at a time does the steps of a peer.
 *
 * <p><b>Guarantees.</b> What {@link #step} returns is safe: it survives the end of the process and
 * of the machine. So a message that is written after it can be sent again, and an order that was
 * acknowledged is there. If that cannot be had, it throws, and nothing may be written.
 *
 * <p><b>Progress.</b> A step waits for the journal, and may run again if another transaction was
 * faster; steps of different peers do not keep each other out.
 *
 * <p><b>Thread rule:</b> any thread. <b>Memory:</b> none of its own; in the space as {@link
 * FixSettings#capacity} says.
 */
final class FixStore {
  private static final int PURGED_AT_ONCE = 500;

  /** What a peer has at a moment. */
  record Numbers(long in, long out, long epoch, long dropped) {}

  private final EventSpace space;
  private final FixSettings settings;
  private final BooleanSupplier isSafe;

  /**
   * Makes a store.
   *
   * @param isSafe whether all that was committed is safe; once false, it stays so
   */
  FixStore(EventSpace space, FixSettings settings, BooleanSupplier isSafe) {
    this.space = space;
    this.settings = settings;
    this.isSafe = isSafe;
  }

  static Event of(String type, String peer) {
    return new Event(FixKeys.TYPE, type).add(FixKeys.PEER, peer);
  }

  static Event sent(String peer, long epoch, long seq) {
    return of(FixKeys.SENT, peer).add(FixKeys.EPOCH, epoch).add(FixKeys.SEQ, seq);
  }

  EventSpace space() {
    return space;
  }

  /**
   * Makes the state of a peer if it has none.
   *
   * @throws IOException if there are too many peers
   */
  void open(String peer) throws IOException {
    boolean there =
        space.transact(
            0,
            transaction -> {
              if (transaction.test(of(FixKeys.STATE, peer))) {
                return true;
              }
              int[] peers = {0};
              transaction.forEach(new Event(FixKeys.TYPE, FixKeys.STATE), _ -> peers[0]++);
              if (peers[0] >= settings.maxPeers()) {
                return false;
              }
              Event state = of(FixKeys.STATE, peer).add(FixKeys.IN, 1).add(FixKeys.OUT, 1);
              state.add(FixKeys.EPOCH, 1).add(FixKeys.KEPT, 0).add(FixKeys.DROPPED, 0);
              transaction.write(state.add(FixKeys.COUNT, 0));
              return true;
            });
    requireSafe();
    if (!there) {
      throw new IOException(
          "session %s is refused: sessions=%s, limit=%s; begin a new data folder"
              .formatted(peer, settings.maxPeers(), settings.maxPeers()));
    }
  }

  /** Returns whether a peer has a state. */
  boolean has(String peer) {
    return space.read(of(FixKeys.STATE, peer), new Event());
  }

  /** Returns what a peer has. */
  Numbers numbers(String peer) {
    Event state = new Event();
    if (!space.read(of(FixKeys.STATE, peer), state)) {
      throw new IllegalStateException("session " + peer + " has no state; open it first");
    }
    return new Numbers(
        state.getLong(FixKeys.IN),
        state.getLong(FixKeys.OUT),
        state.getLong(FixKeys.EPOCH),
        state.getLong(FixKeys.DROPPED));
  }

  /**
   * Does one step of a peer.
   *
   * @param body what to do; it may run several times
   * @return what is to be written, in this order; all of it is safe
   * @throws dev.takt.space.Abort if the space is full or the journal refuses; nothing has happened
   * @throws FixStoppedException if it may not be safe
   */
  List<SentMessage> step(String peer, Consumer<FixStep> body) {
    List<SentMessage> sent =
        space.transact(
            0,
            transaction -> {
              String time = FixText.time(settings.clock().instant());
              FixStep step = new FixStep(transaction, settings, peer, time);
              body.accept(step);
              return step.end();
            });
    requireSafe();
    return sent;
  }

  private void requireSafe() {
    if (!isSafe.getAsBoolean()) {
      throw new FixStoppedException("the storage has failed: nothing more is acknowledged");
    }
  }

  /** Returns a message that was sent and kept, or null. */
  SentMessage sentMessage(String peer, long epoch, long seq) {
    Event found = new Event();
    return space.read(sent(peer, epoch, seq), found)
        ? new SentMessage(
            seq,
            found.getString(FixKeys.KIND),
            found.getString(FixKeys.TIME),
            found.getString(FixKeys.BODY))
        : null;
  }

  /** Takes away what was sent before the last reset; a crash may have left some of it. */
  void purge(String peer) {
    long epoch = numbers(peer).epoch();
    Event oldest = new Event();
    Event all = of(FixKeys.SENT, peer);
    while (space.read(all, oldest) && oldest.getLong(FixKeys.EPOCH) < epoch) {
      Event old = all.copy().add(FixKeys.EPOCH, oldest.getLong(FixKeys.EPOCH));
      space.takeAll(old, PURGED_AT_ONCE, _ -> {});
    }
  }
}
