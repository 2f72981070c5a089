package dev.takt.host;

import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.Operation;
import dev.takt.space.Event;
import dev.takt.space.MatchScan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer that takes more than a moment, or several messages: a count, or events. It is made in
 * steps, each of which looks at {@value #SLOTS} slots of the space and gives {@value #EVENTS}
 * events at most, so that a client which asks for all of a large space holds up nobody.
 */
final class BulkAnswer {
  /** What has come of a step. */
  enum Step {
    /** No message yet. */
    NONE,
    /** A message, but not the last one. */
    PART,
    /** The last message. */
    LAST
  }

  static final int SLOTS = 1_024;
  static final int EVENTS = 64;

  final Operation operation;
  final long request;

  /** What looks for the events; null: they are there. */
  private final @Nullable MatchScan scan;

  private final List<Event> events;
  private int next;
  private boolean isLooked;

  /** The event that is given next, if {@link #isLoaded}. */
  private Event event = new Event();

  private boolean isLoaded;

  private BulkAnswer(
      Operation operation, long request, @Nullable MatchScan scan, List<Event> events) {
    this.operation = operation;
    this.request = request;
    this.scan = scan;
    this.events = events;
  }

  /** Makes the answer to a request for what a scan finds, or counts. */
  BulkAnswer(Operation operation, long request, MatchScan scan) {
    this(operation, request, scan, List.of());
  }

  /** Makes an answer with events. */
  BulkAnswer(Operation operation, long request, List<Event> events) {
    this(operation, request, null, events);
  }

  /**
   * Does a step, which may write a message.
   *
   * @throws IllegalArgumentException if an event has no place in a message of its own
   */
  Step step(MessageWriter writer) {
    if (scan != null && operation == Operation.COUNT) {
      return count(scan, writer);
    }
    if (scan != null && !isLooked) {
      isLooked = scan.look(SLOTS);
    }
    return scan == null || isLooked ? write(writer) : Step.NONE;
  }

  private Step count(MatchScan from, MessageWriter writer) {
    if (!from.count(SLOTS)) {
      return Step.NONE;
    }
    writer.answer(MessageKind.ANSWER, operation, request, from.counted()).end();
    return Step.LAST;
  }

  private Step write(MessageWriter writer) {
    writer.answer(MessageKind.ANSWER, operation, request, 0);
    int count = 0;
    boolean isFull = false;
    for (int tries = 0; tries < EVENTS && !isFull && hasMore(); tries++) {
      load();
      if (isLoaded) {
        isFull = !put(writer, count == 0);
        count += isFull ? 0 : 1;
      }
    }
    if (hasMore() && count == 0) {
      return Step.NONE; // what was found has gone meanwhile
    }
    if (hasMore()) {
      writer.kind(MessageKind.PART).count(count).end();
      return Step.PART;
    }
    writer.count(count).end();
    return Step.LAST;
  }

  private boolean put(MessageWriter writer, boolean isFirst) {
    try {
      writer.event(event);
      isLoaded = false;
      return true;
    } catch (IllegalArgumentException full) {
      if (isFirst) {
        throw full;
      }
      return false;
    }
  }

  private boolean hasMore() {
    return isLoaded || (scan == null ? next < events.size() : scan.hasNext());
  }

  private void load() {
    if (isLoaded) {
      return;
    }
    if (scan == null) {
      event = events.get(next++);
      isLoaded = true;
    } else {
      isLoaded = scan.next(event);
    }
  }
}
