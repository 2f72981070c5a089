package dev.takt.samples.fix;

import dev.takt.space.Event;
import dev.takt.space.SpaceTransaction;
import java.util.ArrayList;
import java.util.List;

/**
 * What one message, or some fills, do to the state of a peer: one transaction, of which everything
 * is kept or nothing.
 *
 * <p><b>Thread rule:</b> the body of the transaction, which may run again.
 */
final class FixStep {
  private final SpaceTransaction transaction;
  private final FixSettings settings;
  private final String peer;
  private final String time;
  private final Event state = new Event();
  private final List<SentMessage> sent = new ArrayList<>();

  /** Takes the state of a peer, which is there. */
  FixStep(SpaceTransaction transaction, FixSettings settings, String peer, String time) {
    this.transaction = transaction;
    this.settings = settings;
    this.peer = peer;
    this.time = time;
    if (!transaction.take(FixStore.of(FixKeys.STATE, peer), state)) {
      throw new IllegalStateException("session " + peer + " has no state; open it first");
    }
  }

  SpaceTransaction transaction() {
    return transaction;
  }

  String peer() {
    return peer;
  }

  /** Returns SendingTime of what is sent in this step. */
  String time() {
    return time;
  }

  private long get(String key) {
    return state.getLong(key);
  }

  private void add(String key, long more) {
    state.add(key, get(key) + more);
  }

  /** The message that was expected has come. */
  void received() {
    add(FixKeys.IN, 1);
  }

  /** The next message to come has this number. */
  void expect(long seq) {
    state.add(FixKeys.IN, seq);
  }

  /** Both directions begin with 1 again; what was sent before can no longer be asked for. */
  void reset() {
    add(FixKeys.EPOCH, 1);
    state.add(FixKeys.IN, 1).add(FixKeys.OUT, 1).add(FixKeys.KEPT, 0).add(FixKeys.DROPPED, 0);
  }

  /** Takes a number that no other order of this peer has. */
  long nextOrderNumber() {
    add(FixKeys.COUNT, 1);
    return get(FixKeys.COUNT);
  }

  /** Sends a message of the session itself, which is never sent again. */
  void send(String type, String body) {
    sent.add(new SentMessage(get(FixKeys.OUT), type, time, body));
    add(FixKeys.OUT, 1);
  }

  /** Sends a message of the application, and keeps it. */
  void sendKept(String type, String body) {
    Event message = FixStore.sent(peer, get(FixKeys.EPOCH), get(FixKeys.OUT));
    message.add(FixKeys.KIND, type).add(FixKeys.TIME, time).add(FixKeys.BODY, body);
    transaction.write(message);
    send(type, body);
    if (get(FixKeys.KEPT) < settings.maxKept()) {
      add(FixKeys.KEPT, 1);
      return;
    }
    Event oldest = new Event();
    Event present = FixStore.of(FixKeys.SENT, peer).add(FixKeys.EPOCH, get(FixKeys.EPOCH));
    if (transaction.take(present, oldest)) {
      state.add(FixKeys.DROPPED, oldest.getLong(FixKeys.SEQ));
    }
  }

  /** Puts the state back; returns what is to be written when all of it is safe. */
  List<SentMessage> end() {
    transaction.write(state);
    return sent;
  }
}
