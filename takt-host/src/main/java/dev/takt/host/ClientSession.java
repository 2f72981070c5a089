package dev.takt.host;

import dev.takt.client.wire.MessageBuffer;
import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.MessageReader;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.WireException;
import dev.takt.space.ConflictDeferral;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceTransaction;
import dev.takt.space.Template;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/**
 * Does what one client asks for.
 *
 * <p><b>Guarantees:</b> each request is answered or refused once, those that do not wait at once
 * and in their order. What a client does or leaves undone, nothing of it is left after {@link
 * #close}: its transactions are rolled back, its subscriptions and waits have ended. What it has
 * taken and not confirmed is put back by {@link #putBack}. A client that has ended on another link
 * and comes again is greeted when that one has ended, and is told what became of its requests if
 * nothing of it is left there.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 *
 * <p><b>Memory:</b> two buffers of the largest message, what {@link ClientLimits} allows, and the
 * events of one answer.
 */
public final class ClientSession implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ClientSession.class.getName());
  private static final long LOOK_NS = 1_000_000;

  private final EventSpace space;
  private final ClientRights rights;
  private final boolean mayAll;
  private final ClientLimits limits;
  private final Outbox outbox;
  private final Runnable wake;
  private final MessageReader reader;
  private final ClientAnswers answers;
  private final ClientWaits waits;
  private final ClientTransactions transactions;
  private final UnconfirmedTakes takes;
  private final ReturningClient client;
  final ClientSubscriptions subscriptions;
  private final LongConsumer matchTold;

  /** Begun by those for whose thread this is one of many clients: then its requests do not wait. */
  final ConflictDeferral deferral;

  private final Event event = new Event();
  private Template template = new Template();

  private final Taking taking = new Taking();

  private final ClientBulk bulk;

  /** Whether there may be something to tell the client that no message of it asks for. */
  private volatile boolean isDue;

  private boolean isGreeted;

  /**
   * Whether the last request would have waited for another transaction, and is to be done again.
   */
  private boolean isDeferred;

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
    answers = new ClientAnswers(limits, outbox, reader, client);
    matchTold = answers::tellMatch;
    deferral = new ConflictDeferral(space);
    transactions = new ClientTransactions(space, limits);
    HeldBytes held = account.held();
    takes = new UnconfirmedTakes(limits.maxUnconfirmed(), held, outbox::confirmed);
    bulk = new ClientBulk(outbox, held, takes, answers);
    subscriptions = new ClientSubscriptions(space, limits.maxSubscriptions(), held, this::setDue);
    waits = new ClientWaits(space, limits.maxWaits(), held, new Attempts(), this::setDue);
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
    Operation operation = reader.operation();
    long request = reader.request();
    Event content = null;
    try {
      switch (operation.asked()) {
        case EVENT -> {
          reader.event(event);
          content = event;
        }
        case TEMPLATE -> {
          reader.template(template);
          content = template;
        }
        case NONE, EVENTS -> {}
      }
      reader.end();
      if (content != null) {
        limits.requireHeld(reader.heldBytes());
        require(operation, content);
      }
      execute(operation, request, reader.number(), clock);
    } catch (WireException wrong) {
      refuse(operation, wrong.refusal());
    } catch (ConflictDeferral.Deferred deferred) {
      isDeferred = true;
      givenNs = clock.getAsLong();
    } catch (Throwable refused) {
      refuse(operation, refused);
    }
  }

  /** Does a deferred request again, which keeps what it is about, and its time. */
  private void executeAgain() {
    Operation operation = reader.operation();
    isDeferred = false;
    try {
      execute(operation, reader.request(), reader.number(), given);
    } catch (ConflictDeferral.Deferred deferred) {
      isDeferred = true;
    } catch (Throwable refused) {
      refuse(operation, refused);
    }
    if (!isHeldUp()) { // by a wait that it has begun, perhaps
      deferral.clear();
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
    try {
      reader.template(template); // an event is one, too
    } catch (WireException cutOff) {
      // its values; the keys were read, and the client may name them by their number from now on
    }
    refuse(reader.operation(), why);
  }

  private void refuse(Operation operation, Throwable why) {
    if (isUnanswered(operation)) {
      transactions.fail(reader.transaction(), why);
    } else {
      answers.refuse(operation, reader.request(), why);
    }
  }

  private void require(Operation operation, Event of) {
    if (!mayAll) {
      rights.require(operation, of);
    }
  }

  /** Returns whether the request is a write that its transaction does not wait for. */
  private boolean isUnanswered(Operation operation) {
    return operation == Operation.WRITE
        && reader.transaction() != 0
        && reader.number() == Operation.UNANSWERED;
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
    return isHeldUp() || waits.areTimed() || transactions.areAny();
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
    if (isHeldUp()) {
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
   * Returns whether the answer to the last message is not whole, or is {@linkplain #isHeldUp held
   * up}: the next one is to be handled when {@link #advance} has made this false.
   */
  public boolean isAnswering() {
    return bulk.isAny() || isHeldUp();
  }

  /** Returns whether {@link #advance} is to be called again and again until others have ended. */
  boolean isHeldUp() {
    return client.isComing() || isDeferred || waits.areDeferred();
  }

  /** Returns whether the client is not greeted yet, because it has not left another link. */
  public boolean isComing() {
    return client.isComing();
  }

  /**
   * Tells the client what has happened meanwhile, as far as there is room.
   *
   * @param nowNs the time by which waits end
   */
  public void advance(long nowNs) {
    takes.forget();
    if (client.isComing()) {
      welcome(nowNs);
    }
    bulk.advance();
    if (isDeferred && deferral.mayGoOn(nowNs)) {
      executeAgain();
    }
    if (!isDeferred && !bulk.isAny() && outbox.hasRoom()) {
      isDue = false; // before the look: a match that comes meanwhile is seen now or next time
      boolean isAllTold = subscriptions.tellMatches(outbox, matchTold);
      if (!waits.advance(nowNs, outbox, deferral) || !isAllTold) {
        isDue = true;
      }
    }
    transactions.advance(nowNs);
  }

  /**
   * Rolls back what runs and ends subscriptions and waits; the second call does nothing. Call
   * {@link #putBack} afterwards, also if a fault was met, which is logged.
   */
  @Override
  public void close() {
    bulk.end();
    try (waits;
        subscriptions) {
      transactions.close();
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.ERROR, "a fault of the host: a client's work is left", e);
    }
  }

  /** Lets go of the last message that was handled, and of the room that a long answer has left. */
  public void letGo() {
    EmptyMessage.begin(reader);
    answers.letGo();
  }

  /**
   * Puts back what was taken for a client that has not confirmed it; then it may come again. It may
   * also come if the space is full, since it may be the one that makes room; but then it is not
   * told what has become of its requests.
   *
   * @return whether nothing is left; if the space is full, call it again later
   */
  public boolean putBack() {
    boolean isDone = false;
    try {
      isDone = takes.putBack(space);
      return isDone;
    } finally {
      client.leave(isDone);
    }
  }

  // ---- requests

  private void execute(Operation operation, long request, long number, LongSupplier clock) {
    switch (operation) {
      case AWAIT_TAKE, AWAIT_READ -> {
        int bytes = HeldBytes.of(messageBytes);
        if (waits.begin(operation, request, template, bytes, number, clock.getAsLong())) {
          template = new Template(); // that one is kept
        }
      }
      case CANCEL -> answers.answer(operation, request, waits.cancel(number));
      case SUBSCRIBE -> {
        subscriptions.begin(number, template, HeldBytes.of(messageBytes));
        answers.answer(operation, request, 0);
      }
      case UNSUBSCRIBE -> {
        subscriptions.end(number);
        answers.answer(operation, request, 0);
      }
      case NEXT -> {
        Event of = subscriptions.get(number).template;
        require(operation, of);
        take(operation, request, of);
        answers.send();
      }
      case HAS_NEXT ->
          answers.answer(operation, request, subscriptions.get(number).handle.hasNextNow());
      case BEGIN ->
          answers.answer(
              operation,
              request,
              transactions.begin((int) number, (int) (number >>> Integer.SIZE), clock.getAsLong()));
      case OUTCOME -> {
        client.tell(answers.writer(), request, number);
        answers.send();
      }
      case COMMIT -> answers.answer(operation, request, transactions.commit(reader.transaction()));
      case ROLLBACK -> {
        transactions.rollback(reader.transaction());
        answers.answer(operation, request, 0);
      }
      default -> {
        if (reader.transaction() == 0) {
          single(operation, request, number);
        } else {
          within(transactions.get(reader.transaction()), operation, request);
        }
      }
    }
  }

  /** An operation that is a transaction of its own. */
  private void single(Operation operation, long request, long number) {
    switch (operation) {
      case WRITE -> {
        space.write(event);
        answers.answer(operation, request, 0);
      }
      case TRY_WRITE -> answers.answer(operation, request, space.offer(event));
      case TAKE, POLL -> {
        take(operation, request, template);
        answers.send();
      }
      case READ -> {
        answers.writeFound(operation, request, space.read(template, event), event);
        answers.send();
      }
      case TEST -> answers.answer(operation, request, space.test(template));
      case COUNT, READ_ALL -> bulk.begin(new BulkAnswer(operation, request, space.scan(template)));
      case TAKE_ALL -> {
        ToIntFunction<Event> fits = each -> answers.writeFound(operation, request, true, each);
        List<Event> all = takes.takeAll(space, template, request, number, fits);
        bulk.begin(new BulkAnswer(operation, request, all));
      }
      default ->
          throw new IllegalArgumentException(
              operation.word() + " outside of a transaction; begin one, or use another operation");
    }
  }

  /** Takes an event and writes the answer, which is not sent yet; returns whether there was one. */
  private boolean take(Operation operation, long request, Event template) {
    taking.operation = operation;
    taking.request = request;
    taking.template = template;
    boolean isFound = space.transact(0, taking);
    if (isFound) {
      takes.add(request, answers.writer().length());
    }
    return isFound;
  }

  /** The body of a take's transaction; one object, because a take makes no garbage. */
  private final class Taking implements Function<SpaceTransaction, Boolean> {
    private Operation operation = Operation.NONE;
    private long request;
    private Event template = event;

    @Override
    public Boolean apply(SpaceTransaction transaction) {
      Event into = takes.next();
      boolean isFound =
          operation == Operation.TAKE
              ? transaction.take(template, into)
              : transaction.poll(template, into);
      takes.require(
          answers.writeFound(operation, request, isFound, into)); // or it is not committed
      return isFound;
    }
  }

  // ---- transactions

  private void within(SpaceTransaction transaction, Operation operation, long request) {
    switch (operation) {
      case WRITE -> {
        transaction.write(event);
        if (!isUnanswered(operation)) {
          answers.answer(operation, request, 0);
        }
      }
      case WRITE_NOW -> {
        transaction.writeNow(event);
        answers.answer(operation, request, 0);
      }
      case TRY_WRITE -> answers.answer(operation, request, transaction.tryWrite(event));
      case TEST -> answers.answer(operation, request, transaction.test(template));
      case TEST_NOW -> answers.answer(operation, request, transaction.testNow(template));
      case IS_RUNNING -> answers.answer(operation, request, transaction.isRunning());
      case READ_ALL -> {
        ToIntFunction<Event> length = each -> answers.writeFound(operation, request, true, each);
        bulk.beginCopies(request, transaction, template, length);
      }
      case TAKE_NOW, POLL_NOW -> {
        boolean isTake = operation == Operation.TAKE_NOW;
        UnconfirmedTakes.Answering answering =
            (isFound, found) -> answers.writeFound(operation, request, isFound, found);
        takes.takeNow(space, transaction, isTake, template, request, answering);
        answers.send();
      }
      default -> {
        answers.writeFound(operation, request, find(transaction, operation), event);
        answers.send();
      }
    }
  }

  private boolean find(SpaceTransaction transaction, Operation operation) {
    return switch (operation) {
      case TAKE -> transaction.take(template, event);
      case POLL -> transaction.poll(template, event);
      case READ -> transaction.read(template, event);
      case PEEK -> transaction.peek(template, event);
      default ->
          throw new IllegalArgumentException(
              operation.word() + " within a transaction; ask for it outside of one");
    };
  }

  // ---- waits

  /** Takes and reads of those that wait. */
  private final class Attempts implements ClientWaits.Attempt {
    @Override
    public boolean find(Operation operation, long request, Event of) {
      try {
        boolean isFound = look(operation, request, of);
        if (isFound) {
          answers.send();
        }
        return isFound;
      } catch (ConflictDeferral.Deferred deferred) {
        throw deferred;
      } catch (Throwable refused) {
        answers.refuse(operation, request, refused);
        return true;
      }
    }

    private boolean look(Operation operation, long request, Event of) {
      return operation == Operation.AWAIT_TAKE
          ? take(operation, request, of)
          : space.read(of, event) && answers.writeFound(operation, request, true, event) > 0;
    }

    @Override
    public void giveUp(Operation operation, long request) {
      answers.answer(operation, request, 0);
    }
  }
}
