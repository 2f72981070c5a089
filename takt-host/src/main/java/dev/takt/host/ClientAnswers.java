package dev.takt.host;

import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.Refusal;
import dev.takt.space.Event;

/**
 * Writes what one client is answered, and keeps what it may ask for again.
 *
 * <p><b>Thread rule:</b> that of its session.
 *
 * <p><b>Memory:</b> a buffer of the largest message.
 */
final class ClientAnswers {
  /** A writer that has had longer answers is not kept by {@link #letGo}. */
  private static final int KEPT_BYTES = HeldBytes.SHORT_BYTES;

  /** How much of a refusal's text is told: it may show the whole event that was refused. */
  private static final int TOLD_CHARS = 4_096;

  private final ClientLimits limits;
  private final Outbox outbox;
  private final ReturningClient client;
  private MessageWriter writer;

  /** The largest message that the client takes. */
  private int clientMaxBytes;

  /** The transaction of the request that is answered, or 0. */
  private int transaction;

  /** Makes a client's. */
  ClientAnswers(ClientLimits limits, Outbox outbox, ReturningClient client) {
    this.limits = limits;
    this.outbox = outbox;
    this.client = client;
    writer = new MessageWriter(limits.wire());
    clientMaxBytes = limits.wire().maxMessageBytes();
  }

  /** Begins to answer a request of a transaction, or of none. */
  void begin(int newTransaction) {
    transaction = newTransaction;
  }

  /** Returns what writes the next message. */
  MessageWriter writer() {
    return writer;
  }

  /** Writes no message that is larger than the client takes. */
  void limitTo(int maxBytes) {
    clientMaxBytes = maxBytes;
    writer.limitTo(maxBytes);
  }

  /** Sends what was written. */
  void send() {
    outbox.send(writer.segment(), writer.length());
    writer.sent();
  }

  void answer(Operation operation, long request, long number) {
    client.keep(operation, transaction, request, number, null);
    writer.answer(MessageKind.ANSWER, operation, request, number).end();
    send();
  }

  void answer(Operation operation, long request, boolean is) {
    answer(operation, request, is ? 1 : 0);
  }

  /**
   * Writes an answer with the event that was found, if there was one; it is not sent yet.
   *
   * @return its length in bytes, or 0 if there was none
   * @throws IllegalStateException if there is no room to send it
   */
  int writeFound(Operation operation, long request, boolean isFound, Event found) {
    writer.answer(MessageKind.ANSWER, operation, request, isFound ? 1 : 0);
    if (isFound) {
      writer.event(found);
    }
    writer.end();
    reserve();
    return isFound ? writer.length() : 0;
  }

  /**
   * Has room for what was written.
   *
   * @throws IllegalStateException if there is none
   */
  void reserve() {
    outbox.reserve(writer.length());
  }

  void refuse(Operation operation, long request, Throwable why) {
    Refusal refusal = Refusal.of(why);
    String text = String.valueOf(why.getMessage());
    client.keep(operation, transaction, request, refusal.code(), text);
    writer.refusal(operation, request, refusal, toldPart(text));
    send();
  }

  /** Returns so much of a text that the message is not long, for which there may be no room. */
  private static String toldPart(String text) {
    return text.substring(0, Math.min(text.length(), TOLD_CHARS));
  }

  void tellMatch(long subscription) {
    writer.notice(subscription);
    send();
  }

  /** Lets go of the room that a long answer has left. */
  void letGo() {
    if (writer.segment().byteSize() > KEPT_BYTES) {
      writer = new MessageWriter(limits.wire()); // it gives each sequence of keys a number anew
      writer.limitTo(clientMaxBytes);
    }
  }
}
