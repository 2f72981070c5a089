package dev.takt.host;

import dev.takt.client.wire.MessageBuffer;
import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.MessageReader;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.WireException;
import dev.takt.space.ConflictDeferral;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.lang.foreign.MemorySegment;
import java.util.UUID;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Does what one client asks for.
 *
 * <p><b>Guarantees:</b> each request is answered or refused once, those that do not wait at once
 * and in their order, but for writes of a transaction that say that they are not waited for. What a
 * client does or leaves undone, nothing of it is left after {@link #close}: its transactions are
 * rolled back, its subscriptions and waits have ended. What it has taken and not confirmed is put
 * back by {@link #putBack}. A client that has ended on another link and comes again is greeted when
 * that one has ended, and is told what became of its requests if nothing of it is left there.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 *
 * <p><b>Memory:</b> two buffers, which grow up to the largest message and {@link #letGo} lets go
 * of, what {@link ClientLimits} allows, and the events of one answer.
 */
public final class ClientSession implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ClientSession.class.getName());
  private static final long LOOK_NS = 1_000_000;

  /** What a connection keeps whose client has gone, beside the events that are to be put back. */
  private static final int LEFT_BYTES = 16_384;

  private final EventSpace space;
  private final ClientRights rights;
  private final boolean mayAll;
  private final ClientLimits limits;
  private final Outbox outbox;
  private final Runnable wake;
  private final MessageReader reader;
  private final ClientAnswers answers;
  private final ClientWaits waits;
  private final ClientOperations operations;
  private final DeferredRequests deferred;
  private final ClientTransactions transactions;
  private final UnconfirmedTakes takes;
  private final ReturningClient client;
  private final HeldBytes held;
  final ClientSubscriptions subscriptions;
  private final LongConsumer matchTold;

  /** Begun by those who put back while their thread has other work. */
  final ConflictDeferral deferral;

  /** The one that is handled. */
  private ClientRequest now;

  private final ClientBulk bulk;

  /** Whether there may be something to tell the client that no message of it asks for. */
  private volatile boolean isDue;

  private boolean isGreeted;

  /** Whether {@link #LEFT_BYTES} are counted. */
  private boolean isLeftCounted;

  /** Whether its thread does not wait for transactions. */
  private boolean isDeferring;

  /** The length of the message that is handled. */
  private int messageBytes;

  /** The time of the message that is handled, if it was given. */
  private long givenNs;

  private final LongSupplier given = () -> givenNs;

  /** Makes the session of a client that may do everything and is not known by a name. */
  public ClientSession(EventSpace space, ClientLimits limits, Outbox outbox, Runnable wake) {
    this(space, new ClientAccount(ClientRights.all("local", limits)), outbox, wake);
  }

  /**
   * Makes the session of a client whose token is known, but that has to be greeted: its HELLO is
   * the first message for {@link #handle}.
   *
   * @param outbox is given each message to the client
   * @param wake is called by other threads when {@link #isDue} has become true
   */
  public ClientSession(EventSpace space, ClientAccount account, Outbox outbox, Runnable wake) {
    this.wake = wake;
    this.space = space;
    rights = account.rights();
    mayAll = rights.areAll();
    limits = rights.limits();
    this.outbox = outbox;
    reader = new MessageReader(limits.wire(), account.keys());
    client = new ReturningClient(account.clients(), outbox);
    answers = new ClientAnswers(limits, outbox, client);
    matchTold = answers::tellMatch;
    deferral = new ConflictDeferral(space);
    transactions = new ClientTransactions(space, limits);
    held = account.held();
    takes = new UnconfirmedTakes(limits.maxUnconfirmed(), held, outbox::confirmed);
    bulk = new ClientBulk(outbox, held, takes, answers);
    subscriptions = new ClientSubscriptions(space, limits.maxSubscriptions(), held, this::setDue);
    operations =
        new ClientOperations(
            space,
            rights,
            answers,
            client,
            takes,
            bulk,
            subscriptions,
            transactions,
            held,
            this::setDue);
    waits = operations.waits;
    deferred = new DeferredRequests(held);
    now = new ClientRequest(space);
  }

  /**
   * Puts requests aside that are in conflict with transactions, until {@link #advance}, where they
   * would otherwise be waited for: for a thread that serves other clients, too.
   */
  public void deferConflicts() {
    isDeferring = true;
    waits.deferConflicts();
  }

  /**
   * Does what a message asks for.
   *
   * @param message where it begins; may be changed by others meanwhile
   * @param length how many bytes it has
   * @param nowNs the time by which waits end
   * @throws WireException if it is not in the format: the session is to be closed
   */
  public void handle(MemorySegment message, int length, long nowNs) throws WireException {
    reader.begin(message, 0, length);
    messageBytes = length;
    givenNs = nowNs;
    handle(given);
  }

  /**
   * Does what a message asks for.
   *
   * @param clock is asked for the time by which waits end, if there is one
   * @throws WireException as above
   */
  public void handle(MessageBuffer message, int length, LongSupplier clock) throws WireException {
    reader.begin(message, length);
    messageBytes = length;
    handle(clock);
  }

  private void handle(LongSupplier clock) throws WireException {
    takes.forget();
    switch (reader.kind()) {
      case HELLO -> {
        requireGreeted(false);
        greet(clock.getAsLong());
      }
      case RECEIVED -> {
        requireGreeted(true);
        reader.end();
        takes.confirm(reader.request());
      }
      case REQUEST -> {
        requireGreeted(true);
        handleRequest(clock);
      }
      default -> throw reader.wrongKind(expected());
    }
  }

  private MessageKind expected() {
    return isGreeted ? MessageKind.REQUEST : MessageKind.HELLO;
  }

  private void requireGreeted(boolean isExpected) throws WireException {
    if (isGreeted != isExpected || client.isComing()) {
      throw reader.wrongKind(expected());
    }
  }

  private void greet(long nowNs) throws WireException {
    answers.limitTo(reader.maxMessageBytes());
    UUID named = reader.client();
    reader.token(); // whoever has made the session knows it
    if (named != null) {
      client.begin(named, nowNs);
    }
    welcome(nowNs);
  }

  private void welcome(long nowNs) {
    if (client.enter(nowNs)) {
      isGreeted = true;
      answers
          .writer()
          .welcome(limits.wire().maxMessageBytes(), client.outcomes(), space.settings());
      answers.send();
    }
  }

  private void handleRequest(LongSupplier clock) throws WireException {
    ClientRequest asked = now;
    asked.begin(reader, messageBytes);
    answers.begin(asked.transaction);
    Event content = null;
    try {
      switch (asked.operation.asked()) {
        case EVENT -> {
          reader.event(asked.event);
          content = asked.event;
        }
        case TEMPLATE -> {
          reader.template(asked.template);
          content = asked.template;
        }
        case NONE, EVENTS -> {}
      }
      reader.end();
      if (content != null) {
        limits.requireHeld(reader.heldBytes());
        require(asked.operation, content);
      }
      if (deferred.hasOf(asked.transaction) || isDeferred(asked, clock)) {
        defer(asked, clock);
      }
    } catch (WireException wrong) {
      refuse(asked, wrong.refusal());
    } catch (Throwable refused) {
      refuse(asked, refused);
    }
  }

  private void defer(ClientRequest asked, LongSupplier clock) {
    asked.cameNs = clock.getAsLong();
    deferred.add(asked);
    now = new ClientRequest(space);
  }

  /** Does what is asked for, or returns that it would wait for a transaction. */
  private boolean isDeferred(ClientRequest asked, LongSupplier clock) {
    if (isDeferring) {
      asked.deferral.begin();
    }
    try {
      operations.execute(asked, clock);
      return false;
    } catch (ConflictDeferral.Deferred conflict) {
      return true;
    } finally {
      asked.deferral.end();
    }
  }

  /** Does a deferred request again; returns whether that is all. */
  private boolean isDone(ClientRequest asked) {
    answers.begin(asked.transaction);
    givenNs = asked.cameNs;
    try {
      return !isDeferred(asked, given);
    } catch (Throwable refused) {
      refuse(asked, refused);
      return true;
    }
  }

  /**
   * Refuses a request of which only the beginning is there, with all of its keys.
   *
   * @param beginning has its own length as that of the message
   * @throws WireException if it is no request: the session is to be closed
   */
  public void refuse(MemorySegment beginning, Throwable why) throws WireException {
    reader.begin(beginning, 0, beginning.byteSize());
    requireGreeted(true);
    if (reader.kind() != MessageKind.REQUEST) {
      throw reader.wrongKind(MessageKind.REQUEST);
    }
    now.begin(reader, 0);
    answers.begin(now.transaction);
    try {
      reader.template(now.template); // an event is one, too
    } catch (WireException cutOff) {
      // its values; the keys were read, and the client may name them by their number from now on
    }
    refuse(now, why);
  }

  private void refuse(ClientRequest asked, Throwable why) {
    if (asked.isUnanswered()) {
      transactions.fail(asked.transaction, why);
    } else {
      answers.refuse(asked.operation, asked.request, why);
    }
  }

  private void require(Operation operation, Event of) {
    if (!mayAll) {
      rights.require(operation, of);
    }
  }

  private void setDue() {
    isDue = true;
    wake.run();
  }

  /** Returns whether something has happened that {@link #advance} is to tell the client. */
  public boolean isDue() {
    return isDue;
  }

  /** Returns whether something ends by time, so that {@link #advance} has to be called for it. */
  public boolean isTimed() {
    return client.isComing() || areDeferred() || waits.areTimed() || transactions.areAny();
  }

  /** Returns whether the client waits for something that happens in the space. */
  public boolean isExpecting() {
    return waits.areAny() || subscriptions.areAny();
  }

  /**
   * Returns when {@link #advance} has to be called at the latest, for what ends by time.
   *
   * @param nowNs the time, for what has to be looked at again and again
   * @return {@code Long.MAX_VALUE} if nothing does
   */
  public long nextNs(long nowNs) {
    if (client.isComing() || areDeferred()) {
      return nowNs + LOOK_NS;
    }
    return transactions.nextNs(waits.nextNs(nowNs));
  }

  /** Rolls back what is late, also while the outbox sends; returns when to look again, or MAX. */
  long rollBackLate(long nowNs) {
    transactions.advance(nowNs);
    return transactions.nextNs(Long.MAX_VALUE);
  }

  /**
   * Returns whether the answer to the last message is not whole, or waits to be {@link #isComing}:
   * the next one is to be handled when {@link #advance} has made this false.
   */
  public boolean isAnswering() {
    return bulk.isAny() || client.isComing();
  }

  /** Returns whether something is to be done again, or put back, when a conflict is over. */
  boolean areDeferred() {
    return deferred.areAny() || waits.areDeferred() || takes.isBackDue();
  }

  /** Returns whether the client is not greeted yet, because it has not left another link. */
  public boolean isComing() {
    return client.isComing();
  }

  /** Returns whether requests are to be done again when a conflict is over. */
  public boolean hasDeferred() {
    return deferred.areAny();
  }

  /**
   * Does requests again whose conflict may be over, as far as there is room: those of a transaction
   * are for the thread that began it.
   *
   * @param nowNs the time
   */
  public void doDeferred(long nowNs) {
    if (deferred.areAny()) {
      takes.forget();
      deferred.advance(nowNs, this::isDone, _ -> !bulk.isAny() && outbox.hasRoom());
    }
  }

  /**
   * Does what is deferred, and tells the client what has happened meanwhile, as far as there is
   * room.
   *
   * @param nowNs the time by which waits end
   */
  public void advance(long nowNs) {
    doDeferred(nowNs);
    tell(nowNs);
  }

  /** As {@link #advance}, but for what is deferred. */
  public void tell(long nowNs) {
    takes.forget();
    if (client.isComing()) {
      welcome(nowNs);
    }
    bulk.advance();
    if (takes.isBackDue() && deferral.mayGoOn(nowNs)) {
      putBackRefused();
    }
    if (!bulk.isAny() && outbox.hasRoom()) {
      isDue = false; // before the look: a match that comes meanwhile is seen now or next time
      boolean isAllTold = subscriptions.tellMatches(outbox, matchTold);
      if (!waits.advance(nowNs, outbox) || !isAllTold) {
        isDue = true;
      }
    }
    transactions.advance(nowNs);
  }

  private void putBackRefused() {
    deferral.begin();
    try {
      takes.putBackRefused(space);
    } finally {
      deferral.end();
    }
  }

  /**
   * Rolls back what runs and ends subscriptions and waits; the second call does nothing. Call
   * {@link #putBack} afterwards, also if a fault was met, which is logged.
   */
  @Override
  public void close() {
    bulk.end();
    deferred.clear();
    try (waits;
        subscriptions) {
      transactions.close();
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.ERROR, "a fault of the host: a client's work is left", e);
    }
  }

  /** Lets go of the last message that was handled, and of what a long answer has left. */
  public void letGo() {
    EmptyMessage.begin(reader);
    now = new ClientRequest(space);
    operations.letGo();
    takes.letGo();
    answers.letGo();
  }

  /**
   * Puts back what was taken for a client that has not confirmed it; then it may come again. It may
   * also come if the space is full, since it may be the one that makes room; but then it is not
   * told what has become of its requests.
   *
   * @return whether nothing is left; if the space is full, or a conflict is deferred, call it again
   *     later
   */
  public boolean putBack() {
    boolean isDone = false;
    boolean isConflict = false;
    try {
      isDone = takes.putBack(space);
    } catch (ConflictDeferral.Deferred conflict) {
      isConflict = true; // it has not left yet
    } catch (Throwable lost) {
      countLeft(false);
      throw lost;
    } finally {
      if (!isConflict) {
        client.leave(isDone);
      }
    }
    countLeft(!isDone);
    return isDone;
  }

  /** As {@link #putBack}, but a conflict is not waited for: for a thread with other work. */
  public boolean putBackOrDefer() {
    deferral.begin();
    try {
      return putBack();
    } finally {
      deferral.end();
    }
  }

  /** What a client has left takes room of its account, or many connections would take the heap. */
  private void countLeft(boolean isLeft) {
    if (isLeft && !isLeftCounted) {
      held.add(LEFT_BYTES);
    } else if (!isLeft && isLeftCounted) {
      held.release(LEFT_BYTES);
    }
    isLeftCounted = isLeft;
  }
}
