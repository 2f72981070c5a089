package dev.takt.client;

import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.MessageReader;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.WireException;
import dev.takt.client.wire.WireLimits;
import dev.takt.space.Event;
import dev.takt.space.SpaceSettings;
import dev.takt.space.WaitClock;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Requests and their answers over one link.
 *
 * <p><b>Guarantees:</b> each request ends with its answer, with what the host refused it with, or,
 * when the link ends, with an {@link IllegalStateException} that says so.
 *
 * <p><b>Thread rule:</b> any thread asks; one thread is in {@link #receive}.
 */
final class RequestExchange {
  /** One request until it is answered. */
  static final class Answer {
    private final long request;
    private final Object waiter;
    private final @Nullable Event into;
    private final List<Event> events = new ArrayList<>(0);
    private long number;
    private @Nullable Throwable refusal;
    private volatile boolean isDone;

    private Answer(long request, Object waiter, @Nullable Event into) {
      this.request = request;
      this.waiter = waiter;
      this.into = into;
    }

    long number() {
      return number;
    }

    List<Event> events() {
      return events;
    }
  }

  private final MessageLink link;
  private final WireLimits limits;
  private final WaitClock clock;
  private final MessageWriter writer;
  private final MessageReader reader;
  private final ReentrantLock sending = new ReentrantLock();
  private final AtomicLong requests = new AtomicLong();
  private final Map<Long, Answer> open = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable Throwable> end = new AtomicReference<>();

  RequestExchange(MessageLink link, WireLimits limits, WaitClock clock) {
    this.link = link;
    this.limits = limits;
    this.clock = clock;
    writer = new MessageWriter(limits);
    reader = new MessageReader(limits);
  }

  /** Says hello; returns the limits of the host's space. */
  SpaceSettings hello() throws IOException {
    writer.hello(limits.maxMessageBytes());
    link.send(writer.segment(), writer.length());
    MemorySegment buffer = MemorySegment.ofArray(new byte[limits.maxMessageBytes()]);
    int length = link.receive(buffer);
    if (length < 0) {
      throw new IOException("the host has ended the link before it answered");
    }
    reader.begin(buffer, 0, length);
    if (reader.kind() == MessageKind.REFUSAL) {
      throw new IOException("the host refuses this client", reader.refusal());
    }
    if (reader.kind() != MessageKind.WELCOME) {
      throw new IOException("the host answered with a " + reader.kind() + ", expected: WELCOME");
    }
    reader.maxMessageBytes();
    return reader.settings();
  }

  // ---- asking

  /**
   * Sends a request and waits for its answer.
   *
   * @param content the event or template that it has, or null
   * @param into where to put an event that is found, or null for a list
   */
  Answer ask(
      Operation operation,
      int transaction,
      long number,
      @Nullable Event content,
      @Nullable Event into) {
    return finish(begin(operation, transaction, number, content, into));
  }

  /** Sends a request that may wait in the host; when the thread is interrupted, it is cancelled. */
  Answer askAndWait(Operation operation, long number, Event content, Event into)
      throws InterruptedException {
    Answer answer = begin(operation, 0, number, content, into);
    while (!answer.isDone) {
      if (Thread.interrupted()) {
        ask(Operation.CANCEL, 0, answer.request, null, null);
        finish(answer);
        if (answer.number == 0) {
          throw new InterruptedException("interrupted in " + operation);
        }
        Thread.currentThread().interrupt(); // it was found first, and must not be lost
        return answer;
      }
      clock.parkNanos(WaitClock.FOR_EVER_NS);
    }
    return finish(answer);
  }

  private Answer begin(
      Operation operation,
      int transaction,
      long number,
      @Nullable Event content,
      @Nullable Event into) {
    Answer answer = new Answer(requests.incrementAndGet(), clock.waiter(), into);
    sending.lock();
    try {
      writer.request(operation, transaction, answer.request, number);
      put(operation, content);
      writer.end();
      open.put(answer.request, answer);
      requireGoingOn(answer);
      link.send(writer.segment(), writer.length());
    } catch (IOException e) {
      end(e);
    } finally {
      sending.unlock();
    }
    return answer;
  }

  private void put(Operation operation, @Nullable Event content) {
    switch (operation.asked()) {
      case EVENT -> writer.event(Objects.requireNonNull(content, "event"));
      case TEMPLATE -> writer.template(Objects.requireNonNull(content, "template"));
      case NONE, EVENTS -> {}
    }
  }

  /** Whoever ends the link looks at what is open after it has said why: one of both sees it. */
  private void requireGoingOn(Answer answer) {
    Throwable why = end.get();
    if (why != null) {
      open.remove(answer.request);
      throw ended(why);
    }
  }

  private Answer finish(Answer answer) {
    boolean isInterrupted = false;
    while (!answer.isDone) {
      clock.parkNanos(WaitClock.FOR_EVER_NS);
      isInterrupted |= Thread.interrupted();
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    switch (answer.refusal) {
      case null -> {}
      case Error error -> throw error;
      case RuntimeException exception -> throw exception;
      case Throwable other -> throw new IllegalStateException(other);
    }
    return answer;
  }

  // ---- receiving

  /**
   * Receives until the link ends.
   *
   * @param notice is given the number of each subscription that may have a match
   */
  void receive(LongConsumer notice) {
    MemorySegment buffer = MemorySegment.ofArray(new byte[limits.maxMessageBytes()]);
    try {
      for (int length = link.receive(buffer); length >= 0; length = link.receive(buffer)) {
        reader.begin(buffer, 0, length);
        if (reader.kind() == MessageKind.NOTICE) {
          reader.end();
          notice.accept(reader.number());
        } else {
          answer();
        }
      }
      end(new IOException("the host has ended the link"));
    } catch (Throwable failure) {
      end(failure);
    }
  }

  private void answer() throws WireException {
    Answer answer = open.get(reader.request());
    if (answer == null) {
      return; // of a request that could not be sent whole
    }
    switch (reader.kind()) {
      case REFUSAL -> answer.refusal = reader.refusal();
      case ANSWER, PART -> {
        answer.number += reader.number();
        take(answer);
        reader.end();
      }
      default ->
          throw new IllegalStateException("the host sends a " + reader.kind() + " of its own");
    }
    if (reader.kind() != MessageKind.PART) {
      open.remove(answer.request);
      complete(answer);
    }
  }

  private void take(Answer answer) throws WireException {
    switch (reader.operation().answered()) {
      case EVENT -> {
        if (reader.number() == 1) {
          reader.event(answer.into == null ? added(answer) : answer.into);
        }
      }
      case EVENTS -> {
        for (long i = reader.number(); i > 0; i--) {
          reader.event(added(answer));
        }
      }
      case NONE, TEMPLATE -> {}
    }
  }

  private static Event added(Answer answer) {
    Event event = new Event();
    answer.events.add(event);
    return event;
  }

  private void complete(Answer answer) {
    answer.isDone = true;
    clock.unpark(answer.waiter);
  }

  /** Ends all that is open. */
  void end(Throwable why) {
    end.compareAndSet(null, why);
    for (Answer answer : open.values()) {
      answer.refusal = ended(why);
      complete(answer);
    }
  }

  private static IllegalStateException ended(Throwable why) {
    return new IllegalStateException(
        "the link to the host has ended; whether a request that was sent is done is not known: "
            + why.getMessage(),
        why);
  }
}
