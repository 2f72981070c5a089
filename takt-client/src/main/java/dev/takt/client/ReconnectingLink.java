package dev.takt.client;

import dev.takt.client.link.LinkException;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.WireLimits;
import dev.takt.space.Event;
import dev.takt.space.SpaceSettings;
import dev.takt.space.WaitClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The way to a host: a link, and another one when that has ended.
 *
 * <p>Who finds the link ended makes another one, and all who come meanwhile wait for it. What was
 * sent and not answered is resolved before anybody asks there: the host knows this client by its
 * random name, and tells what became of its writes and commits; what was taken and has not come, it
 * has put back. What is not done is asked again. If the host is another one, or has forgotten the
 * client, it is not known, and its caller is told so.
 *
 * <p><b>Thread rule:</b> any thread.
 */
final class ReconnectingLink {
  /** Takes what comes when nobody asks. */
  interface Subscriptions extends RequestExchange.Notices {
    /**
     * Subscribes on another link, before anybody else asks there.
     *
     * @param until when the host has to have answered all of it
     */
    void renew(RequestExchange on, Deadline until);
  }

  /** Asks on another link what is known not to be done. */
  interface Again<X extends Exception> {
    /** Asks; returns the number of the answer. */
    long ask(RequestExchange on) throws X;
  }

  /**
   * What has become of a request.
   *
   * @param number of the OUTCOME
   * @param refusal what the request was refused with, or null
   */
  private record Outcome(long number, @Nullable Throwable refusal) {}

  /** A link on which the host has answered the HELLO. */
  private record Greeted(RequestExchange on, SpaceSettings space) {}

  /** Of a client that does not come again. */
  static final UUID NOBODY = MessageWriter.NO_CLIENT;

  /** How often a request is asked again: the host may end links because of it. */
  static final int MAX_RENEWALS = 16;

  /** A request that has waited so long has not made the host end the link. */
  private static final long LONG_NS = 60_000_000_000L;

  private static final String CLOSED = "closed by this program";
  private static final long FIRST_RETRY_NS = 1_000_000;
  static final long LAST_RETRY_NS = 100_000_000;

  final WaitClock clock;
  private final LinkSource links;
  private final UUID client;
  private final String token;
  private final ClientSettings settings;
  private final Subscriptions subscriptions;
  private final ThreadFactory threads;

  /** Of requests whose callers have not come for them; by their numbers. */
  private final Map<Long, Outcome> resolved = new ConcurrentHashMap<>();

  private final ReentrantLock renewing = new ReentrantLock();
  private volatile RequestExchange current;

  /** One that is being greeted, or is about to become the current one. */
  private volatile @Nullable RequestExchange coming;

  private volatile SpaceSettings space;
  private volatile boolean isClosed;

  // ---- under the lock

  /** Whether the link has ended and there was no other one yet, since a time. */
  private boolean isLost;

  private long lostNs;

  /** Why somebody has given up, and when. */
  private @Nullable Throwable failure;

  private long failedNs;

  ReconnectingLink(
      LinkSource links,
      UUID client,
      String token,
      ClientSettings settings,
      Subscriptions subscriptions,
      ThreadFactory threads,
      WaitClock clock)
      throws IOException {
    this.links = links;
    this.client = client;
    this.token = token;
    this.settings = settings;
    this.subscriptions = subscriptions;
    this.threads = threads;
    this.clock = clock;
    Greeted first = greetFirst(untilTimeout());
    current = first.on;
    coming = null;
    space = first.space;
  }

  /**
   * Connects for the first time, and again if the link ends before the HELLO is answered: the host
   * was there, and was killed, starts anew, or has no place at the moment. That is safe: a HELLO is
   * all that was said, and has no effect that outlives its link. Not tried again is what would end
   * in the same way: no host is there, it refuses, or does not speak the format.
   */
  private Greeted greetFirst(Deadline until) throws IOException {
    boolean wasThere = false;
    long retryNs = FIRST_RETRY_NS;
    while (true) {
      try {
        return greet(wasThere ? connectAfterCut(until) : connect(until), until);
      } catch (LinkCutException cut) {
        long leftNs = until.leftNs();
        if (settings.reconnectNs() == 0 || leftNs <= 0 || Thread.currentThread().isInterrupted()) {
          throw cut;
        }
        wasThere = true;
        clock.parkNanos(Math.min(retryNs, leftNs));
        retryNs = Math.min(2 * retryNs, LAST_RETRY_NS);
      }
    }
  }

  private MessageLink connect(Deadline until) throws IOException {
    return links.connect(Math.max(1, until.leftNs()), () -> isClosed);
  }

  /** As {@link #connect(Deadline)}, to a host that was there. */
  private MessageLink connectAfterCut(Deadline until) throws LinkCutException {
    try {
      return connect(until);
    } catch (IOException none) {
      throw new LinkCutException(
          "the host has ended the link before it answered, and then: " + none.getMessage(), none);
    }
  }

  private Greeted greet(MessageLink link, Deadline until) throws IOException {
    RequestExchange on;
    try {
      on = exchange(link);
    } catch (Throwable failure) {
      link.close();
      throw failure;
    }
    coming = on;
    try {
      closeIfClosed(on); // it may have missed this one
      return new Greeted(on, on.hello(client, token, until));
    } catch (Throwable failure) {
      coming = null;
      on.close(failure);
      throw failure;
    }
  }

  private Deadline untilTimeout() {
    return new Deadline(clock, settings.timeoutNs(), "ClientSettings.timeoutNs");
  }

  private RequestExchange exchange(MessageLink link) throws LinkException {
    WireLimits wire = settings.wire();
    int longest = Math.min(wire.maxMessageBytes(), link.maxMessageBytes());
    if (longest < WireLimits.LEAST_MESSAGE_BYTES) {
      throw new LinkException(
          "the host takes messages of %d bytes at most (expected: %d or more); let it have longer records"
              .formatted(longest, WireLimits.LEAST_MESSAGE_BYTES));
    }
    return new RequestExchange(
        link, wire.withMaxMessageBytes(longest), clock, subscriptions, threads);
  }

  /** Returns the limits of the host's space. */
  SpaceSettings space() {
    return space;
  }

  /** Returns the link that there is, which may have ended. */
  RequestExchange current() {
    return current;
  }

  /** Lets no other thread make another link until {@link #letRenew}. */
  void holdRenewals() {
    renewing.lock();
  }

  /** Returns whether another link than one that has ended is not there yet and may come. */
  boolean mayRenew(RequestExchange ended) {
    return current == ended && !isClosed && settings.reconnectNs() > 0;
  }

  void letRenew() {
    renewing.unlock();
  }

  void close() throws IOException {
    isClosed = true;
    RequestExchange next = coming;
    if (next != null) {
      next.close(new IOException(CLOSED));
    }
    current.close(new IOException(CLOSED));
  }

  // ---- asking

  /** As {@link RequestExchange#ask}, outside of transactions. */
  long ask(Operation operation, long number, @Nullable Event content, @Nullable Event into) {
    RequestExchange on = current;
    try {
      return on.ask(operation, 0, number, content, into);
    } catch (LinkEndedException ended) {
      return again(operation, on, ended, next -> next.ask(operation, 0, number, content, into));
    }
  }

  /** As {@link RequestExchange#askForAll}, outside of transactions. */
  List<Event> askForAll(Operation operation, long number, Event content) {
    RequestExchange on = current;
    try {
      return on.askForAll(operation, 0, number, content);
    } catch (LinkEndedException ended) {
      List<Event> all = new ArrayList<>();
      Again<RuntimeException> again =
          next -> {
            all.addAll(next.askForAll(operation, 0, number, content));
            return all.size();
          };
      again(operation, on, ended, again);
      return all;
    }
  }

  /** As {@link RequestExchange#askAndWait}; waits longer only while there is no link. */
  long askAndWait(Operation operation, long timeoutNs, Event content, Event into)
      throws InterruptedException {
    RequestExchange on = current;
    long beginNs = clock.nanoTime();
    try {
      return on.askAndWait(operation, timeoutNs, content, into);
    } catch (LinkEndedException ended) {
      Again<InterruptedException> again =
          next -> {
            long leftNs = timeoutNs - (clock.nanoTime() - beginNs);
            return next.askAndWait(operation, Math.max(0, leftNs), content, into);
          };
      return again(operation, on, ended, again);
    }
  }

  /**
   * Asks again on other links, as long as it is known that the request is not done.
   *
   * @param operation outside of transactions, or {@code COMMIT}
   * @param on where it was asked
   * @param ended how it has ended there
   * @return the number of the answer
   * @throws LinkEndedException if there is no other link in time, or it is not known
   */
  <X extends Exception> long again(
      Operation operation, RequestExchange on, LinkEndedException ended, Again<X> again) throws X {
    RequestExchange failed = on;
    LinkEndedException last = ended;
    long askedNs = clock.nanoTime();
    int renewals = 0;
    while (last.isUnknown() || renewals < MAX_RENEWALS) {
      RequestExchange next = renew(failed, last);
      if (last.isUnknown()) {
        if (operation.isKept(0)) {
          Outcome outcome = resolved.remove(last.request());
          if (outcome == null) {
            throw last;
          }
          if (outcome.refusal != null) {
            throw Answer.unchecked(outcome.refusal);
          }
          if (outcome.number > 0) {
            return outcome.number - 1;
          }
        } else if (next.outcomes() == 0 || next.outcomes() != failed.outcomes()) {
          throw last;
        } // else the host has put back what was taken
        last = last.notDone();
      }
      if (clock.nanoTime() - askedNs > LONG_NS) {
        renewals = 0;
      }
      if (renewals++ == MAX_RENEWALS) {
        break;
      }
      askedNs = clock.nanoTime();
      try {
        return again.ask(next);
      } catch (LinkEndedException e) {
        failed = next;
        last = e;
      }
    }
    throw last;
  }

  // ---- other links

  /**
   * Returns the link that there is instead of one that has ended.
   *
   * @param why is thrown if there is none in time
   */
  RequestExchange renew(RequestExchange ended, LinkEndedException why) {
    long askedNs = clock.nanoTime();
    renewing.lock();
    boolean isInterrupted = Thread.interrupted(); // the time is bounded
    try {
      if (current == ended) {
        try {
          throwFailureSince(askedNs, why);
          isInterrupted |= connectAgain(ended, why);
        } catch (LinkEndedException none) {
          ended.forget(why.request()); // its caller does not come for the outcome
          throw none;
        }
      }
      return current;
    } finally {
      renewing.unlock();
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Throws if another caller has given up meanwhile: who comes next would wait as long again. */
  private void throwFailureSince(long askedNs, LinkEndedException why) {
    Throwable last = failure;
    if (last != null && failedNs - askedNs >= 0) {
      why.giveUp(last, settings.reconnectNs());
      throw why;
    }
  }

  /** Connects, or throws; returns whether the thread was interrupted. */
  private boolean connectAgain(RequestExchange ended, LinkEndedException why) {
    boolean isInterrupted = false;
    if (isClosed || settings.reconnectNs() == 0) {
      throw why;
    }
    long retryNs = FIRST_RETRY_NS;
    if (!isLost) {
      isLost = true;
      lostNs = clock.nanoTime();
      letGo(ended, why);
    }
    boolean isLate = leftNs() <= 0;
    while (true) {
      try {
        connect(ended, isLate ? untilTimeout() : untilGivenUp());
        return isInterrupted;
      } catch (IOException | LinkEndedException refused) {
        long leftNs = leftNs();
        if (isClosed || leftNs <= 0) {
          failure = refused;
          failedNs = clock.nanoTime();
          why.giveUp(refused, settings.reconnectNs());
          throw why;
        }
        isInterrupted |= Thread.interrupted();
        clock.parkNanos(Math.min(retryNs, leftNs));
        retryNs = Math.min(2 * retryNs, LAST_RETRY_NS);
      }
    }
  }

  /** Returns for how long callers still try, in nanoseconds; 0 or less: their time is over. */
  private long leftNs() {
    return settings.reconnectNs() - (clock.nanoTime() - lostNs);
  }

  /** Returns until when an attempt has to be done: all of it, within the time of its callers. */
  private Deadline untilGivenUp() {
    long leftNs = Math.max(1, leftNs());
    return leftNs < settings.timeoutNs()
        ? new Deadline(clock, leftNs, "ClientSettings.reconnectNs")
        : untilTimeout();
  }

  /** Lets a link go that has ended: the host notices it at the latest by this. */
  private static void letGo(RequestExchange ended, LinkEndedException why) {
    try {
      ended.close(why);
    } catch (IOException e) {
      why.addSuppressed(e);
    }
  }

  private void connect(RequestExchange ended, Deadline until) throws IOException {
    Greeted found = greet(connect(until), until);
    RequestExchange next = found.on;
    next.goOnAfter(ended);
    try {
      resolve(ended, next, until);
      subscriptions.renew(next, until);
    } catch (Throwable refused) {
      next.close(refused);
      throw refused;
    } finally {
      coming = null;
    }
    space = found.space;
    current = next;
    isLost = false;
    failure = null;
    closeIfClosed(next);
  }

  private void closeIfClosed(RequestExchange next) throws IOException {
    if (isClosed) {
      next.close(new IOException(CLOSED));
    }
  }

  private void resolve(RequestExchange ended, RequestExchange next, Deadline until) {
    if (next.outcomes() == 0 || next.outcomes() != ended.outcomes()) {
      return;
    }
    for (long request : ended.unresolved()) {
      try {
        long number = next.askWithin(until, Operation.OUTCOME, request, null);
        resolved.put(request, new Outcome(number, null));
      } catch (LinkEndedException failure) {
        if (next.hasEnded()) {
          throw failure;
        } // else it is not kept any more
      } catch (VirtualMachineError own) {
        throw own; // of this JVM, which says nothing of the request
      } catch (Throwable refusal) {
        resolved.put(request, new Outcome(0, refusal));
      }
    }
  }
}
