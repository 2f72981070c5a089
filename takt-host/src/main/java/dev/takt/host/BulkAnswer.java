package dev.takt.host;

import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.Operation;
import dev.takt.space.Event;
import java.util.List;

/** An answer with several events, which takes as many messages as they need. */
final class BulkAnswer {
  final Operation operation;
  final long request;
  private final List<Event> events;
  private int sent;

  BulkAnswer(Operation operation, long request, List<Event> events) {
    this.operation = operation;
    this.request = request;
    this.events = events;
  }

  /**
   * Writes the next message.
   *
   * @return whether it is the last one
   * @throws IllegalArgumentException if an event has no place in a message of its own
   */
  boolean write(MessageWriter writer) {
    writer.answer(MessageKind.ANSWER, operation, request, 0);
    int first = sent;
    while (sent < events.size()) {
      try {
        writer.event(events.get(sent));
        sent++;
      } catch (IllegalArgumentException full) {
        if (sent == first) {
          throw full;
        }
        writer.kind(MessageKind.PART).count(sent - first).end();
        return false;
      }
    }
    writer.count(sent - first).end();
    return true;
  }
}
