package dev.takt.host;

import dev.takt.client.wire.MessageReader;
import dev.takt.client.wire.Operation;
import dev.takt.space.ConflictDeferral;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Template;

/**
 * What a client asks for, from its message until its answer: what it is about is its own, so that
 * others can be handled while it is in conflict with a transaction.
 *
 * <p><b>Thread rule:</b> that of its session; used again for later requests.
 */
final class ClientRequest {
  final ConflictDeferral deferral;
  final Event event = new Event();
  Template template = new Template();
  Operation operation = Operation.NONE;
  long request;
  long number;
  int transaction;

  /** As how much it is counted while it is deferred, or its template waits or subscribes. */
  int bytes;

  /** When it has come, if it is deferred. */
  long cameNs;

  ClientRequest(EventSpace space) {
    deferral = new ConflictDeferral(space);
  }

  /** Begins with a message, of which what it is about is not read yet. */
  void begin(MessageReader reader, int messageBytes) {
    operation = reader.operation();
    request = reader.request();
    number = reader.number();
    transaction = reader.transaction();
    bytes = HeldBytes.of(messageBytes);
  }

  /** Returns whether it ends its transaction. */
  boolean isEnd() {
    return operation == Operation.COMMIT || operation == Operation.ROLLBACK;
  }

  /** Returns whether it is a write that its transaction does not wait for. */
  boolean isUnanswered() {
    return operation == Operation.WRITE && transaction != 0 && number == Operation.UNANSWERED;
  }
}
