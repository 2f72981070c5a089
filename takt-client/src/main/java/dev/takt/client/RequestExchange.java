package dev.takt.client;

import dev.takt.client.wire.MessageBuffer;
import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.MessageReader;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.Refusal;
import dev.takt.client.wire.WireException;
import dev.takt.client.wire.WireLimits;
import dev.takt.space.Event;
import dev.takt.space.SpaceSettings;
import dev.takt.space.WaitClock;
import java.io.IOException;
import java.net.SocketException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Requests and their answers over one link.
 *
 * <p><b>Guarantees:</b> each request ends with its answer, with what the host refused it with, or,
 * when the link ends, with a {@link LinkEndedException} that says whether it may be done. Asking
 * allocates nothing but the events of answers that have several.
 *
 * <p><b>Thread rule:</b> any thread. Callers receive for themselves and for each other, see {@link
 * AnswerWaits}.
 */
final class RequestExchange {
  /** What notices are for. */
  interface Notices {
    /** Keeps the number of a subscription that may have a match; does not wait. */
    void add(long subscription);

    /** Runs the subscribers of those that were added. */
    void run();

    /** Is told by the thread that receives that the link has ended. */
    default void end(RequestExchange of) {}
  }

  private static final long RETRY_NS = 10_000;
  private static final String BEFORE_ANSWER = "the host has ended the link before it answered; ";

  final WaitClock clock;
  private final MessageLink link;
  private final WireLimits limits;
  private final MessageWriter writer;
  private final MessageReader reader;
  private final MessageBuffer buffer;
  private final Notices notices;
  private final ThreadFactory threads;
  private final AnswerWaits waits;
  private final Confirmations confirmations;

  /** For everything that is done with the link but waiting for it. */
  private final ExchangeLock lock = new ExchangeLock();

  private final AtomicReference<@Nullable Throwable> end = new AtomicReference<>();
  private final AtomicBoolean hasReceiver = new AtomicBoolean();
  private final AnswerPlaces places = new AnswerPlaces();

  /** What the thread that has the lock polls for, and does not have to be woken for; or null. */
  private @Nullable Answer polled;

  private long requests;
  private long outcomes;

  /** Until when an answer has to come on a link that is just coming; null: without end. */
  private @Nullable Deadline deadline;

  /** What the host keeps the outcomes of, and has not answered when the link has ended. */
  private long[] unresolved = {};

  /**
   * Makes one for a link on which nothing was said.
   *
   * @param threads makes the thread that receives where callers cannot, see {@link #startReceiver}
   */
  RequestExchange(
      MessageLink link,
      WireLimits limits,
      WaitClock clock,
      Notices notices,
      ThreadFactory threads) {
    this.link = link;
    this.limits = limits;
    this.clock = clock;
    this.notices = notices;
    this.threads = threads;
    writer = new MessageWriter(limits);
    // the host brings all keys that others have used: this program's limit is not for these
    reader = new MessageReader(limits.withMaxKeys(WireLimits.MOST_KEYS));
    buffer = new MessageBuffer(limits.maxMessageBytes());
    waits = new AnswerWaits(this, link);
    confirmations = new Confirmations(link, limits, this::completeTaken);
  }

  /**
   * Says hello; returns the limits of the host's space.
   *
   * @param client by which the host knows this client again
   * @param token who this client is, or empty
   * @param until when the host has to have answered
   * @throws LinkCutException if the link has ended without an answer
   */
  SpaceSettings hello(UUID client, String token, Deadline until) throws IOException {
    writer.hello(limits.maxMessageBytes(), client, token);
    if (!offerFirst()) {
      throw new IOException("the link has no room for the first message");
    }
    int length;
    try {
      length = link.poll(buffer.segment());
      while (length == MessageLink.NONE) {
        link.await(until.requireLeft(link));
        length = link.poll(buffer.segment());
      }
    } catch (SocketException reset) {
      throw new LinkCutException(BEFORE_ANSWER + reset.getMessage(), reset);
    }
    if (length == MessageLink.ENDED) {
      throw new LinkCutException(BEFORE_ANSWER + link.doubt());
    }
    reader.begin(buffer, length);
    if (reader.kind() == MessageKind.REFUSAL) {
      Throwable why = reader.refusal();
      throw new IOException("the host refuses this client: " + why.getMessage(), why);
    }
    if (reader.kind() != MessageKind.WELCOME) {
      throw new IOException("the host answered with a " + reader.kind() + ", expected: WELCOME");
    }
    writer.limitTo(reader.maxMessageBytes());
    outcomes = reader.outcomes();
    return reader.settings();
  }

  private boolean offerFirst() throws LinkCutException {
    try {
      return link.offer(writer.segment(), writer.length());
    } catch (IOException ended) {
      throw new LinkCutException(BEFORE_ANSWER + ended.getMessage(), ended);
    }
  }

  /** Returns by which number the host keeps what becomes of requests, or 0. */
  long outcomes() {
    return outcomes;
  }

  /** Returns which requests were sent before the link has ended, and what became of is kept. */
  long[] unresolved() {
    lock.lock();
    try {
      return unresolved;
    } finally {
      lock.unlock();
    }
  }

  /** Numbers requests on from those of a link that has ended; before the first one. */
  void goOnAfter(RequestExchange ended) {
    ended.lock.lock();
    try {
      requests = ended.requests;
    } finally {
      ended.lock.unlock();
    }
  }

  // ---- asking

  /**
   * Sends a request and waits for its answer.
   *
   * @param content the event or template that it has, or null
   * @param into where to put an event that is found, or null
   * @return the number of the answer
   */
  long ask(
      Operation operation,
      int transaction,
      long number,
      @Nullable Event content,
      @Nullable Event into) {
    return finish(begin(operation, transaction, number, content, into)).end();
  }

  /** As {@link #ask}, on a link that nobody else uses yet: it ends if no answer comes in time. */
  long askWithin(Deadline until, Operation operation, long number, @Nullable Event content) {
    deadline = until;
    try {
      Answer answer = begin(operation, 0, number, content, null);
      awaitUntil(until, answer);
      return finish(answer).end();
    } finally {
      deadline = null;
    }
  }

  private void awaitUntil(Deadline until, Answer answer) {
    try {
      tryReceive();
      while (!answer.isDone) {
        link.await(until.requireLeft(link));
        tryReceive();
      }
    } catch (IOException failure) {
      end(failure); // and the answer with it
    }
  }

  /** As {@link #ask}; returns the events of the answer. */
  List<Event> askForAll(Operation operation, int transaction, long number, Event content) {
    return finish(begin(operation, transaction, number, content, null)).endWithEvents();
  }

  /** Sends a request that may wait in the host; when the thread is interrupted, it is cancelled. */
  long askAndWait(Operation operation, long number, Event content, Event into)
      throws InterruptedException {
    Answer answer = begin(operation, 0, number, content, into);
    while (!waits.await(answer)) {
      if (Thread.interrupted()) {
        long found = finishCancelled(answer);
        if (found == 0) {
          throw new InterruptedException("interrupted in " + operation);
        }
        Thread.currentThread().interrupt(); // it was found first, and must not be lost
        return found;
      }
    }
    return finish(answer).end();
  }

  private long finishCancelled(Answer answer) {
    try {
      try {
        ask(Operation.CANCEL, 0, answer.request, null, null);
      } catch (LinkEndedException _) {
        // which says nothing of what was to be cancelled: that may have come before
      }
      return finish(answer).end();
    } catch (RuntimeException | Error refused) {
      Thread.currentThread().interrupt();
      throw refused;
    }
  }

  /** Sends a write of a transaction, which is answered only by what the transaction does later. */
  void tell(int transaction, Event event) {
    long request = 0;
    lock.lock();
    try {
      requireGoingOn();
      request = ++requests << AnswerPlaces.BITS;
      writer.request(Operation.WRITE, transaction, request, Operation.UNANSWERED);
      put(Operation.WRITE, event);
      writer.end();
      send();
    } catch (IOException failure) {
      end(failure);
      throw new LinkEndedException(false, request, failure); // it ends with its transaction
    } finally {
      lock.unlock();
    }
  }

  /** Sends a request, and polls for its answer for as long as no other thread wants the lock. */
  private Answer begin(
      Operation operation,
      int transaction,
      long number,
      @Nullable Event content,
      @Nullable Event into) {
    lock.lock();
    try {
      Answer answer = sendRequest(operation, transaction, number, content, into);
      if (lock.mayKeep()) {
        polled = answer;
        waits.pollLocked(answer);
      }
      return answer;
    } finally {
      polled = null;
      lock.unlock();
    }
  }

  private Answer sendRequest(
      Operation operation,
      int transaction,
      long number,
      @Nullable Event content,
      @Nullable Event into) {
    Answer answer = null;
    long request = 0;
    try {
      requireGoingOn();
      int at = places.free();
      request = ++requests << AnswerPlaces.BITS | at;
      writer.request(operation, transaction, request, number);
      put(operation, content);
      writer.end();
      answer = places.use(at);
      answer.begin(request, clock.waiter(), into, operation.isTaken(transaction));
      send();
      answer.isUnknown = operation.isLasting(transaction);
      answer.isKept = operation.isKept(transaction);
      return answer;
    } catch (IOException failure) {
      free(answer);
      if (operation.isKept(transaction)) {
        addUnresolved(request);
      }
      end(failure);
      throw new LinkEndedException(operation.isLasting(transaction), request, failure);
    } catch (Throwable failure) {
      free(answer);
      throw failure;
    }
  }

  private void addUnresolved(long request) {
    unresolved = Arrays.copyOf(unresolved, unresolved.length + 1);
    unresolved[unresolved.length - 1] = request;
  }

  /** Forgets a request of {@link #unresolved}, if it is one. */
  void forget(long request) {
    lock.lock();
    try {
      unresolved = Arrays.stream(unresolved).filter(other -> other != request).toArray();
    } finally {
      lock.unlock();
    }
  }

  private static void free(@Nullable Answer answer) {
    if (answer != null) {
      answer.end();
    }
  }

  private void put(Operation operation, @Nullable Event content) {
    switch (operation.asked()) {
      case EVENT -> writer.event(Objects.requireNonNull(content, "event"));
      case TEMPLATE -> writer.template(Objects.requireNonNull(content, "template"));
      case NONE, EVENTS -> {}
    }
  }

  /** Sends what the writer has. While there is no room, the host may wait for some itself. */
  private void send() throws IOException {
    boolean isInterrupted = false;
    try {
      while (!link.offer(writer.segment(), writer.length())) {
        receive();
        requireGoingOn();
        if (deadline != null) {
          deadline.requireLeft(link);
        }
        isInterrupted |= Thread.interrupted(); // otherwise no wait would wait
        if (!waits.awaitLink(RETRY_NS)) {
          clock.parkNanos(RETRY_NS);
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
    writer.sent();
  }

  private void requireGoingOn() {
    Throwable why = end.get();
    if (why != null) {
      throw new LinkEndedException(false, why);
    }
  }

  private Answer finish(Answer answer) {
    boolean isInterrupted = false;
    while (!waits.await(answer)) {
      isInterrupted |= Thread.interrupted();
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    Throwable refusal = answer.refusal;
    if (refusal != null) {
      answer.end();
      refusal.fillInStackTrace(); // it was made by the thread that has received it
      throw Answer.unchecked(refusal);
    }
    return answer;
  }

  // ---- receiving

  /**
   * Starts a thread that receives as long as the link is there; the second call does nothing. It is
   * needed for notices, which come when nobody asks, and for virtual threads.
   */
  void startReceiver() {
    if (!hasReceiver.get() && hasReceiver.compareAndSet(false, true)) {
      try {
        threads.newThread(this::receiveUntilEnd).start();
      } catch (Throwable refused) {
        hasReceiver.set(false);
        throw refused;
      }
    }
  }

  private void receiveUntilEnd() {
    try {
      waits.receiveUntilEnd(notices::run);
    } catch (RuntimeException | Error fault) {
      end(fault); // callers that wait would wait for ever
      Thread own = Thread.currentThread();
      own.getUncaughtExceptionHandler().uncaughtException(own, fault);
    }
    notices.end(this);
  }

  /** Has the subscriber of a subscription run, as if there was a match. */
  void notice(long subscription) {
    notices.add(subscription);
    waits.notice();
  }

  /** Receives what is there, if nobody else does; returns whether it was this thread. */
  boolean tryReceive() {
    if (!lock.tryLock()) {
      return false;
    }
    try {
      receive();
    } finally {
      lock.unlock();
    }
    return true;
  }

  /** Returns whether the thread that has the lock is to let it go. */
  boolean isLockWanted() {
    return lock.isWanted();
  }

  /** Receives what is there; of a thread that has the lock. */
  void receive() {
    if (end.get() != null) {
      return;
    }
    try {
      int length = link.poll(buffer.segment());
      while (length >= 0) {
        reader.begin(buffer, length);
        if (reader.kind() == MessageKind.NOTICE) {
          reader.end();
          notices.add(reader.number());
          waits.notice(); // subscribers run on the receiver
        } else {
          answer();
        }
        confirmations.send();
        length = link.poll(buffer.segment());
      }
      confirmations.send();
      if (length == MessageLink.ENDED) {
        end(new IOException("the host has ended the link"));
      }
    } catch (Throwable failure) {
      end(failure);
    }
  }

  private void answer() throws IOException, WireException {
    Answer answer = places.find(reader.request());
    if (answer == null) {
      throw reader.wrongRequest();
    }
    switch (reader.kind()) {
      case REFUSAL -> {
        boolean isUnknown = reader.number() == Refusal.UNKNOWN.code();
        Throwable why = reader.refusal();
        answer.refusal = isUnknown ? new LinkEndedException(true, answer.request, why) : why;
      }
      case ANSWER, PART -> {
        answer.number += reader.number();
        take(answer);
        reader.end();
      }
      default -> throw reader.wrongKind(MessageKind.ANSWER);
    }
    if (reader.kind() != MessageKind.PART) {
      if (answer.isTaken && answer.number > 0) {
        confirmations.add(answer);
      } else {
        complete(answer);
      }
    }
  }

  private void take(Answer answer) throws WireException {
    switch (reader.operation().answered()) {
      case EVENT -> {
        if (reader.number() == 1) {
          reader.event(answer.next());
        }
      }
      case EVENTS -> {
        for (long i = reader.number(); i > 0; i--) {
          reader.event(answer.next());
        }
      }
      case NONE, TEMPLATE -> {}
    }
  }

  private void completeTaken(Answer answer) {
    answer.deliver();
    complete(answer);
  }

  @SuppressWarnings("ReferenceEquality") // whether it is this thread's
  private void complete(Answer answer) {
    if (answer == polled) {
      answer.endPolled();
    } else {
      answer.isDone = true;
      waits.wake(answer);
    }
  }

  /** Wakes one of the callers that are parked without an answer. */
  void wakeOne() {
    for (Answer answer : places.all()) {
      if (answer.isParked && !answer.isDone) {
        Object waiter = answer.waiter;
        if (waiter != null) {
          clock.unpark(waiter);
          return;
        }
      }
    }
  }

  // ---- the end

  boolean hasEnded() {
    return end.get() != null;
  }

  /** Ends all that is open. */
  void end(Throwable why) {
    end.compareAndSet(null, why);
    link.wakeUp(); // whoever holds the lock may wait for room
    lock.lock();
    try {
      for (Answer answer : places.all()) {
        if (!answer.isFree && !answer.isDone) {
          if (answer.isKept) {
            addUnresolved(answer.request);
          }
          answer.refusal = new LinkEndedException(answer.isUnknown, answer.request, why);
          complete(answer);
        }
      }
    } finally {
      lock.unlock();
    }
    link.wakeUp(); // who was woken before may have slept again
  }

  /** Ends all that is open, and lets the link go. */
  void close(Throwable why) throws IOException {
    end(why);
    link.close();
  }
}
