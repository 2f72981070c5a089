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
 * refused, because they are code of this process; {@link SpaceTransaction#forEach} gives what was
 * there when it was called, also if its sink takes it meanwhile. Why a write of a transaction was
 * refused (no room, too many operations, a conflict, no right to it), its next operation tells, or
 * the end of {@code transact}; what is wrong with an event, the write itself.
 *
 * <p><b>Errors:</b> when the link ends, open requests and all later ones throw a {@link
 * LinkEndedException}, which tells those that are not done from those of which it is not known.
 *
 * <p><b>Thread rule:</b> any thread, also a virtual one; subscribers run on a thread of their own.
 *
 * <p><b>Memory:</b> three buffers of the largest message, some 200 bytes for each open request, and
 * what {@link WireLimits} says.
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

  final RequestExchange exchange;
  private final MessageLink link;
  private final WaitClock clock;
  private final SpaceSettings settings;
  private final AtomicLong subscriptions = new AtomicLong();
  private final Map<Long, RemoteHandle> handles = new ConcurrentHashMap<>();

  private RemoteSpace(
      MessageLink link,
      String token,
      WireLimits limits,
      WaitClock clock,
      ThreadFactory threads,
      long timeoutNs)
      throws IOException {
    this.link = link;
    this.clock = clock;
    exchange = new RequestExchange(link, limits, clock, new MatchNotices(), threads);
    settings = exchange.hello(token, timeoutNs);
  }

  /**
   * Says hello to a host.
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
    return new RemoteSpace(link, token, limits, WaitClock.system(), threads, timeoutNs);
  }

  /** Ends the link: the host rolls back what runs, and ends subscriptions. */
  @Override
  public void close() throws IOException {
    exchange.end(new IOException("closed by this program"));
    link.close();
  }

  @Override
  public SpaceSettings settings() {
    return settings;
  }

  // ---- transactions

  @Override
  public <R extends @Nullable Object> R transact(
      int priority, Function<? super SpaceTransaction, ? extends R> body) {
    for (int retries = 0; ; retries++) {
      long begin = (long) retries << Integer.SIZE | priority & 0xFFFF_FFFFL;
      int number = (int) exchange.ask(Operation.BEGIN, 0, begin, null, null);
      RemoteTransaction transaction = new RemoteTransaction(exchange, number, settings);
      try {
        R result = body.apply(transaction);
        if (transaction.commit()) {
          return result;
        }
      } catch (Abort abort) {
        if (abort.reason() != Abort.Reason.CONFLICT) {
          throw abort;
        }
      } finally {
        transaction.rollback();
      }
      if (retries > 2) {
        clock.parkNanos(RETRY_NS);
      }
    }
  }

  // ---- operations

  private boolean find(Operation operation, Event template, Event into) {
    Objects.requireNonNull(into, "into");
    return exchange.ask(operation, 0, 0, template, into) == 1;
  }

  @Override
  public void write(Event event) {
    exchange.ask(Operation.WRITE, 0, 0, event, null);
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
    return exchange.askAndWait(operation, timeoutNs, template, into) == 1 ? into : null;
  }

  @Override
  public boolean test(Event template) {
    return exchange.ask(Operation.TEST, 0, 0, template, null) == 1;
  }

  @Override
  public boolean read(Event template, Event into) {
    return find(Operation.READ, template, into);
  }

  @Override
  public int takeAll(Event template, int max, Consumer<? super Event> sink) {
    Objects.requireNonNull(sink, "sink");
    List<Event> taken = exchange.askForAll(Operation.TAKE_ALL, 0, max, template);
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
    List<Event> all = exchange.askForAll(Operation.READ_ALL, 0, 0, template);
    all.forEach(sink);
    return all.size();
  }

  @Override
  public int count(Event template) {
    return (int) exchange.ask(Operation.COUNT, 0, 0, template, null);
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
    RemoteHandle handle = new RemoteHandle(this, template, onMatch, number);
    handles.put(number, handle); // before the first notice can come
    if (isNotified) {
      exchange.startReceiver();
    }
    try {
      exchange.ask(Operation.SUBSCRIBE, 0, isNotified ? number : -number, template, null);
    } catch (Throwable refused) {
      handles.remove(number);
      throw refused;
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
    handles.remove(handle.number);
    exchange.ask(Operation.UNSUBSCRIBE, 0, handle.number, null, null);
  }

  /** Subscriptions that have a notice, until their subscriber runs. */
  private final class MatchNotices implements RequestExchange.Notices {
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
  }
}
