package dev.takt.client;

import dev.takt.space.Event;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The place of one request until its caller has its answer; used again for later requests.
 *
 * <p><b>Thread rule:</b> the caller, and beside it, under the lock of its {@link RequestExchange},
 * whoever receives; {@link #isDone} hands the results over, {@link #isFree} the place.
 */
final class Answer {
  private static final VarHandle IS_DONE = flag("isDone");
  private static final VarHandle IS_FREE = flag("isFree");

  /** Where to put an event that is found, or null for {@link #events}. */
  @Nullable Event into;

  /** What the caller waits by, see {@link dev.takt.space.WaitClock#waiter}. */
  @Nullable Object waiter;

  /** Its request, or that of the one before. */
  long request;

  /** Whether the host is to be told that the answer has come. */
  boolean isTaken;

  /** Whether it is not known what became of the request if there is no answer to it. */
  boolean isUnknown;

  /** Whether the host keeps what becomes of it. */
  boolean isKept;

  long number;

  /** Why the request was not done, or null. */
  @Nullable Throwable refusal;

  /** Whether the caller sleeps, and has to be woken. */
  volatile boolean isParked;

  /** Whether its caller has polled for as long as it may. */
  boolean isPolledInVain;

  volatile boolean isDone;
  volatile boolean isFree = true;
  private @Nullable List<Event> events;

  /** What is taken until the host is told that it has come: before, it may be put back. */
  private @Nullable Event taken;

  private static VarHandle flag(String name) {
    try {
      return MethodHandles.lookup().findVarHandle(Answer.class, name, boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  void begin(long newRequest, Object newWaiter, @Nullable Event newInto, boolean newIsTaken) {
    isTaken = newIsTaken;
    request = newRequest;
    waiter = newWaiter;
    into = newInto;
    isUnknown = false;
    isKept = false;
    number = 0;
    refusal = null;
    events = null;
    isPolledInVain = false;
    IS_DONE.set(this, false); // whoever else looks at it has the lock, as this thread
    IS_FREE.set(this, false);
  }

  /** Hands the results over to the thread that has received them: there is nobody to be woken. */
  void endPolled() {
    IS_DONE.setRelease(this, true);
  }

  /** Returns whether this is the place of a request that has no answer yet. */
  boolean isOf(long asked) {
    return !isFree && !isDone && request == asked;
  }

  /** Returns an event to put the next one of the answer into. */
  Event next() {
    if (into != null && isTaken) {
      taken = taken == null ? new Event() : taken;
      return taken;
    }
    if (into != null) {
      return into;
    }
    Event event = new Event();
    if (events == null) {
      events = new ArrayList<>();
    }
    events.add(event);
    return event;
  }

  /** Gives the caller what is taken. */
  void deliver() {
    if (into != null && taken != null) {
      into.copyFrom(taken);
      taken.clear();
    }
  }

  /** Frees the place; returns the number of the answer. */
  long end() {
    long result = number;
    into = null;
    waiter = null;
    IS_FREE.setRelease(this, true);
    return result;
  }

  /** Frees the place; returns the events of the answer. */
  List<Event> endWithEvents() {
    List<Event> result = events == null ? List.of() : events;
    events = null;
    end();
    return result;
  }

  /** Returns what a request was refused with, to be thrown; throws it itself if it is an error. */
  static RuntimeException unchecked(Throwable refusal) {
    return switch (refusal) {
      case Error error -> throw error;
      case RuntimeException exception -> exception;
      default -> new IllegalStateException(refusal);
    };
  }
}
