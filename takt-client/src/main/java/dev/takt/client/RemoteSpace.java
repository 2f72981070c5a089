package dev.takt.client;

import dev.takt.client.wire.Operation;
import dev.takt.client.wire.WireLimits;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.Space;
import dev.takt.space.SpaceHandle;
import dev.takt.space.SpaceSettings;
import dev.takt.space.SpaceTransaction;
import dev.takt.space.WaitClock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The event space of a host process.
 *
 * <p><b>Purpose:</b> the operations of {@link Space} for a program outside of the host: each is a
 * request and an answer over a link, and so is each operation of a transaction but its writes,
 * which are sent one after the other.
 *
 * <p><b>Guarantees:</b> those of {@link Space}, but: predicates, records and enum constants are
 * refused, because they are code of this process; so is a priority above 0, unless the host allows
 * its clients to go before others; {@link SpaceTransaction#forEach} gives what was there when it
 * was called, also if its sink takes it meanwhile. Why a write of a transaction was refused (no
 * room, too many operations, a conflict, no right to it), its next operation tells, or the end of
 * {@code transact}; what is wrong with an event, the write itself. What the client's token gives it
 * no right to is a {@link SecurityException}.
 *
 * <p><b>When the link ends</b> the space connects again, for {@link ClientSettings#reconnectNs} at
 * most, when it is used, or at once if it has subscribers, then without end. Requests that were
 * open are done once, or end with a {@link LinkEndedException}, which tells those that are not done
 * from those of which it is not known: never a guess. Not known are those that change something, if
 * they were sent and not answered, and the host has started anew or has forgotten this client
 * meanwhile. A transaction that was not committed begins anew, as after a conflict: {@link
 * SpaceTransaction#writeNow} is done once in each run of its body, and may be done or not in one
 * that was cut off in it. Subscriptions are renewed, and each subscriber runs once, since matches
 * may have come; a handle whose subscription the host refuses to renew throws why. By TCP an event
 * that was taken outside of a transaction may come twice, if the link ends just when its arrival is
 * confirmed; who cannot bear that takes it in a transaction.
 *
 * <p><b>Thread rule:</b> any thread, also a virtual one; subscribers run on a thread of their own.
 *
 * <p><b>Memory:</b> three buffers of the largest message, for each open request some 200 bytes and
 * an event, and what {@link WireLimits} says.
 *
 * {@snippet :
 * try (RemoteSpace space = Takt.connect("trading")) {
 *   space.write(new Event("type", "order").add("id", 7));
 * }
 * }
 */
public final class RemoteSpace implements Space, AutoCloseable {
  private static final long CENTURY_S = 100L * 365 * 24 * 3_600;
  private static final long RETRY_NS = 10_000;

  final ReconnectingLink link;
  private final WaitClock clock;
  private final AtomicLong subscriptions = new AtomicLong();
  private final Map<Long, RemoteHandle> handles = new ConcurrentHashMap<>();

  RemoteSpace(
      LinkSource links,
      UUID client,
      String token,
      ClientSettings settings,
      ThreadFactory threads,
      WaitClock clock)
      throws IOException {
    this.clock = clock;
    link = new ReconnectingLink(links, client, token, settings, new Handles(), threads, clock);
  }

  /**
   * Connects to a host, again when a link has ended.
   *
   * @param links leads to it; each link is closed when it has ended, and with the space
   * @param client by which the host knows this space again: a random one that nobody else has
   * @param token who this client is, at most 256 bytes, or empty
   * @param threads makes the thread that runs subscribers, one on each link; callers on virtual
   *     threads need it, too
   * @throws IOException if the host cannot be reached, refuses, or does not speak the format
   */
  public static RemoteSpace connect(
      LinkSource links, UUID client, String token, ClientSettings settings, ThreadFactory threads)
      throws IOException {
    return new RemoteSpace(links, client, token, settings, threads, WaitClock.system());
  }

  /**
   * Says hello to a host on one link, without another one when it has ended.
   *
   * @param link leads to it; closed with the space
   * @param token who this client is, at most 256 bytes, or empty
   * @param limits what is sent and received at most
   * @param threads makes the thread that runs subscribers, when there is the first one; callers on
   *     virtual threads need it, too
   * @param timeoutNs how long the host may take to answer, in nanoseconds
   * @throws IOException if the host refuses, does not answer, or does not speak the format
   */
  public static RemoteSpace connect(
      MessageLink link, String token, WireLimits limits, ThreadFactory threads, long timeoutNs)
      throws IOException {
    return connect(
        _ -> link,
        ReconnectingLink.NOBODY,
        token,
        new ClientSettings(limits, 0, timeoutNs, 0),
        threads);
  }

  /** Ends the link: the host rolls back what runs, and ends subscriptions. */
  @Override
  public void close() throws IOException {
    link.close();
  }

  @Override
  public SpaceSettings settings() {
    return link.space();
  }

  // ---- transactions

  @Override
  public <R extends @Nullable Object> R transact(
      int priority, Function<? super SpaceTransaction, ? extends R> body) {
    int renewals = 0;
    for (int retries = 0; ; retries++) {
      long begin = (long) retries << Integer.SIZE | priority & 0xFFFF_FFFFL;
      RequestExchange on = link.current();
      RemoteTransaction transaction = null;
      try {
        int number = (int) on.ask(Operation.BEGIN, 0, begin, null, null);
        transaction = new RemoteTransaction(on, number, settings());
        R result = body.apply(transaction);
        if (commit(transaction, on)) {
          return result;
        }
      } catch (Abort abort) {
        if (abort.reason() != Abort.Reason.CONFLICT) {
          throw abort;
        }
      } catch (LinkEndedException ended) {
        boolean hasNoEffect = transaction == null || transaction.isCut(ended);
        if (!hasNoEffect || ++renewals > ReconnectingLink.MAX_RENEWALS) {
          throw ended;
        }
        link.renew(on, ended);
      } finally {
        if (transaction != null) {
          transaction.rollback();
        }
      }
      if (retries > 2) {
        clock.parkNanos(RETRY_NS);
      }
    }
  }

  private boolean commit(RemoteTransaction transaction, RequestExchange on) {
    try {
      return transaction.commit();
    } catch (LinkEndedException ended) {
      if (!ended.isUnknown()) {
        throw ended;
      }
      return link.again(Operation.COMMIT, on, ended, _ -> 0) == 1; // not done: as a conflict
    }
  }

  // ---- operations

  private boolean find(Operation operation, Event template, Event into) {
    Objects.requireNonNull(into, "into");
    return link.ask(operation, 0, template, into) == 1;
  }

  @Override
  public void write(Event event) {
    link.ask(Operation.WRITE, 0, event, null);
  }

  @Override
  public boolean take(Event template, Event into) {
    return find(Operation.TAKE, template, into);
  }

  @Override
  public boolean poll(Event template, Event into) {
    return find(Operation.POLL, template, into);
  }

  @Override
  public @Nullable Event take(Event template, Duration timeout) throws InterruptedException {
    return await(Operation.AWAIT_TAKE, template, timeout);
  }

  @Override
  public @Nullable Event read(Event template, Duration timeout) throws InterruptedException {
    return await(Operation.AWAIT_READ, template, timeout);
  }

  private @Nullable Event await(Operation operation, Event template, Duration timeout)
      throws InterruptedException {
    long timeoutNs =
        timeout.isNegative()
            ? 0
            : timeout.getSeconds() > CENTURY_S ? Long.MAX_VALUE : timeout.toNanos();
    Event into = new Event();
    return link.askAndWait(operation, timeoutNs, template, into) == 1 ? into : null;
  }

  @Override
  public boolean test(Event template) {
    return link.ask(Operation.TEST, 0, template, null) == 1;
  }

  @Override
  public boolean read(Event template, Event into) {
    return find(Operation.READ, template, into);
  }

  @Override
  public int takeAll(Event template, int max, Consumer<? super Event> sink) {
    Objects.requireNonNull(sink, "sink");
    List<Event> taken = link.askForAll(Operation.TAKE_ALL, max, template);
    int given = 0;
    try {
      while (given < taken.size()) {
        sink.accept(taken.get(given++));
      }
    } catch (Throwable thrown) {
      giveBack(taken.subList(given, taken.size()), thrown);
      throw thrown;
    }
    return given;
  }

  private void giveBack(List<Event> rest, Throwable why) {
    try {
      transact(transaction -> rest.forEach(transaction::write));
    } catch (Throwable refused) {
      IllegalStateException lost = new IllegalStateException("taken and lost: " + rest, refused);
      why.addSuppressed(lost);
      if (why.getSuppressed().length == 0) { // an Abort keeps nothing
        lost.addSuppressed(why);
        throw lost;
      }
    }
  }

  @Override
  public int forEach(Event template, Consumer<? super Event> sink) {
    Objects.requireNonNull(sink, "sink");
    List<Event> all = link.askForAll(Operation.READ_ALL, 0, template);
    all.forEach(sink);
    return all.size();
  }

  @Override
  public int count(Event template) {
    return (int) link.ask(Operation.COUNT, 0, template, null);
  }

  // ---- subscriptions

  @Override
  public SpaceHandle subscribe(Event template, Runnable onMatch) {
    return subscribe(template, Objects.requireNonNull(onMatch, "onMatch"), true);
  }

  @Override
  public SpaceHandle subscribe(Event template) {
    return subscribe(template, () -> {}, false);
  }

  private SpaceHandle subscribe(Event template, Runnable onMatch, boolean isNotified) {
    long number = subscriptions.incrementAndGet();
    RemoteHandle handle = new RemoteHandle(this, template, onMatch, number, isNotified);
    handles.put(number, handle); // before the first notice can come
    link.holdRenewals(); // they take what is held, and this is not until it is answered
    try {
      if (isNotified) {
        link.current().startReceiver();
      }
      link.ask(Operation.SUBSCRIBE, handle.asked(), template, null);
      handle.isHeld = true;
      if (isNotified) {
        link.current().startReceiver(); // of another link
      }
    } catch (Throwable refused) {
      handles.remove(number);
      throw refused;
    } finally {
      link.letRenew();
    }
    return handle;
  }

  @Override
  public void unsubscribe(SpaceHandle of) {
    Objects.requireNonNull(of, "handle");
    if (!(of instanceof RemoteHandle handle) || handle.space != this) {
      throw new IllegalArgumentException("the handle belongs to another space");
    }
    handle.end();
    link.holdRenewals();
    try {
      handles.remove(handle.number);
      if (handle.refusal == null) { // otherwise the host does not have it
        link.current().ask(Operation.UNSUBSCRIBE, 0, handle.number, null, null);
      }
    } catch (LinkEndedException _) {
      // and with its link the subscription has ended
    } finally {
      link.letRenew();
    }
  }

  /** Subscriptions, some of which have a notice until their subscriber runs. */
  private final class Handles implements ReconnectingLink.Subscriptions {
    private volatile boolean isAny;

    @Override
    public void add(long subscription) {
      RemoteHandle handle = handles.get(subscription);
      if (handle != null) {
        handle.isMatched = true;
        isAny = true;
      }
    }

    @Override
    public void run() {
      if (isAny) {
        isAny = false;
        handles.values().forEach(RemoteHandle::runIfMatched);
      }
    }

    @Override
    public void end(RequestExchange of) {
      do {
        try {
          link.renew(of, new LinkEndedException(false, new IOException("the link has ended")));
        } catch (LinkEndedException _) {
          Thread.interrupted(); // with it the wait would not wait
          clock.parkNanos(ReconnectingLink.LAST_RETRY_NS);
        }
      } while (link.mayRenew(of) && hasSubscribers()); // they wait, and nobody may ask
    }

    private boolean hasSubscribers() {
      return handles.values().stream().anyMatch(handle -> handle.isNotified);
    }

    @Override
    public void renew(RequestExchange on, Deadline until) {
      List<RemoteHandle> held = handles.values().stream().filter(each -> each.isHeld).toList();
      held.forEach(each -> renew(each, on, until));
      for (RemoteHandle each : held) {
        if (each.isNotified) {
          on.startReceiver(); // after all that is asked for a time
          on.notice(each.number); // matches may have come meanwhile
        }
      }
    }

    private static void renew(RemoteHandle handle, RequestExchange on, Deadline until) {
      try {
        on.askWithin(until, Operation.SUBSCRIBE, handle.asked(), handle.template);
        handle.refusal = null;
      } catch (LinkEndedException ended) {
        throw ended;
      } catch (RuntimeException refused) {
        handle.refusal = refused;
      }
    }
  }
}
