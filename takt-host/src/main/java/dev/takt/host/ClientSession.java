package dev.takt.host;

import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.MessageReader;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.Refusal;
import dev.takt.client.wire.WireException;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceTransaction;
import dev.takt.space.Template;
import dev.takt.space.Transaction;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Does what one client asks for.
 *
 * <p><b>Guarantees:</b> each request is answered or refused once, those that do not wait at once
 * and in their order. What a client does or leaves undone, nothing of it is left after {@link
 * #close}: its transactions are rolled back, its subscriptions and waits have ended.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 *
 * <p><b>Memory:</b> two buffers of the largest message, what {@link ClientLimits} allows, and the
 * events of one answer.
 */
public final class ClientSession implements AutoCloseable {
  private final EventSpace space;
  private final ClientLimits limits;
  private final Outbox outbox;
  private final MessageReader reader;
  private final MessageWriter writer;
  private final ClientWaits waits;
  private final @Nullable Transaction[] transactions;
  private final Map<Long, ClientSubscription> subscriptions = new LinkedHashMap<>();
  private final Event event = new Event();
  private Template template = new Template();
  private boolean isGreeted;

  /**
   * Makes the session of a client that has said nothing yet.
   *
   * @param outbox is given each message to the client
   */
  public ClientSession(EventSpace space, ClientLimits limits, Outbox outbox) {
    this.space = space;
    this.limits = limits;
    this.outbox = outbox;
    reader = new MessageReader(limits.wire());
    writer = new MessageWriter(limits.wire());
    transactions = new Transaction[limits.maxTransactions()];
    waits = new ClientWaits(space, limits.maxWaits(), new Attempts());
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
    if (isGreeted != (reader.kind() == MessageKind.REQUEST)
        || !isGreeted && reader.kind() != MessageKind.HELLO) {
      throw reader.wrongKind(isGreeted ? MessageKind.REQUEST : MessageKind.HELLO);
    }
    if (!isGreeted) {
      reader.maxMessageBytes();
      isGreeted = true;
      writer.welcome(limits.wire().maxMessageBytes(), space.settings());
      send();
      return;
    }
    Operation operation = reader.operation();
    long request = reader.request();
    switch (operation.asked()) {
      case EVENT -> reader.event(event);
      case TEMPLATE -> reader.template(template);
      case NONE, EVENTS -> {}
    }
    reader.end();
    try {
      execute(operation, request, reader.number(), nowNs);
    } catch (Throwable refused) {
      refuse(operation, request, refused);
    }
  }

  private void refuse(Operation operation, long request, Throwable why) {
    writer.refusal(operation, request, Refusal.of(why), String.valueOf(why.getMessage()));
    send();
  }

  /**
   * Tells the client what has happened meanwhile.
   *
   * @param nowNs the time by which waits end
   */
  public void advance(long nowNs) {
    subscriptions.forEach(
        (number, subscription) -> {
          if (subscription.claimMatch()) {
            writer.notice(number);
            send();
          }
        });
    waits.advance(nowNs);
  }

  /** Rolls back what runs and ends subscriptions and waits; the second call does nothing. */
  @Override
  public void close() {
    for (int i = 0; i < transactions.length; i++) {
      Transaction transaction = transactions[i];
      if (transaction != null) {
        transactions[i] = null;
        transaction.close();
      }
    }
    subscriptions.values().forEach(each -> space.unsubscribe(each.handle));
    subscriptions.clear();
    waits.close();
  }

  private void send() {
    outbox.send(writer.segment(), writer.length());
  }

  private void answer(Operation operation, long request, long number) {
    writer.answer(MessageKind.ANSWER, operation, request, number).end();
    send();
  }

  private void answer(Operation operation, long request, boolean is) {
    answer(operation, request, is ? 1 : 0);
  }

  /** Writes an answer with the event that was found, if there was one; it is not sent yet. */
  private boolean writeFound(Operation operation, long request, boolean isFound) {
    writer.answer(MessageKind.ANSWER, operation, request, isFound ? 1 : 0);
    if (isFound) {
      writer.event(event);
    }
    writer.end();
    return isFound;
  }

  // ---- requests

  private void execute(Operation operation, long request, long number, long nowNs) {
    switch (operation) {
      case AWAIT_TAKE, AWAIT_READ -> {
        Template own = template;
        template = new Template();
        waits.begin(operation, request, own, number, nowNs);
      }
      case CANCEL -> answer(operation, request, waits.cancel(number));
      case SUBSCRIBE -> {
        subscribe(number);
        answer(operation, request, 0);
      }
      case UNSUBSCRIBE -> {
        space.unsubscribe(subscription(number).handle);
        subscriptions.remove(number);
        answer(operation, request, 0);
      }
      case NEXT -> take(operation, request, subscription(number).template);
      case HAS_NEXT -> answer(operation, request, subscription(number).handle.hasNextNow());
      case BEGIN -> answer(operation, request, begin((int) number, (int) (number >>> 32)));
      case COMMIT -> answer(operation, request, commit());
      case ROLLBACK -> {
        end().close();
        answer(operation, request, 0);
      }
      default -> {
        if (reader.transaction() == 0) {
          single(operation, request, number);
        } else {
          within(transaction(), operation, request);
        }
      }
    }
  }

  /** An operation that is a transaction of its own. */
  private void single(Operation operation, long request, long number) {
    switch (operation) {
      case WRITE -> {
        space.write(event);
        answer(operation, request, 0);
      }
      case TRY_WRITE -> answer(operation, request, space.offer(event));
      case TAKE, POLL -> take(operation, request, template);
      case READ -> {
        writeFound(operation, request, space.read(template, event));
        send();
      }
      case TEST -> answer(operation, request, space.test(template));
      case COUNT -> answer(operation, request, space.count(template));
      case TAKE_ALL -> sendAll(operation, request, takeAll(operation, request, number));
      case READ_ALL -> {
        List<Event> all = new ArrayList<>();
        space.forEach(template, each -> all.add(each.copy()));
        sendAll(operation, request, all);
      }
      default ->
          throw new IllegalArgumentException(
              operation + " outside of a transaction; begin one, or use another operation");
    }
  }

  private void take(Operation operation, long request, Event template) {
    space.transact(
        0,
        transaction ->
            writeFound(
                operation,
                request,
                operation == Operation.TAKE
                    ? transaction.take(template, event)
                    : transaction.poll(template, event)));
    send();
  }

  private List<Event> takeAll(Operation operation, long request, long max) {
    if (max < 0 || max > space.settings().maxOperations()) {
      throw new IllegalArgumentException(
          "max=%s (expected: 0 to %s, SpaceSettings.maxOperations)"
              .formatted(max, space.settings().maxOperations()));
    }
    return space.transact(
        0,
        transaction -> {
          List<Event> taken = new ArrayList<>();
          while (taken.size() < max && transaction.poll(template, event)) {
            writeFound(operation, request, true); // refused before it is committed
            taken.add(event.copy());
          }
          return taken;
        });
  }

  /** Sends events in as many messages as they need. */
  private void sendAll(Operation operation, long request, List<Event> all) {
    int sent = 0;
    int inMessage = 0;
    writer.answer(MessageKind.ANSWER, operation, request, 0);
    while (sent < all.size()) {
      try {
        writer.event(all.get(sent));
        sent++;
        inMessage++;
      } catch (IllegalArgumentException full) {
        if (inMessage == 0) {
          throw full;
        }
        writer.kind(MessageKind.PART).count(inMessage).end();
        send();
        inMessage = 0;
        writer.answer(MessageKind.ANSWER, operation, request, 0);
      }
    }
    writer.count(inMessage).end();
    send();
  }

  // ---- transactions

  private int begin(int priority, int retries) {
    for (int i = 0; i < transactions.length; i++) {
      if (transactions[i] == null) {
        Transaction transaction = space.newTransaction();
        try {
          transaction.begin(priority, retries);
        } catch (Throwable refused) {
          transaction.close();
          throw refused;
        }
        transactions[i] = transaction;
        return i + 1;
      }
    }
    throw new IllegalStateException(
        "too many transactions of one client: limit=%s, ClientLimits.maxTransactions"
            .formatted(transactions.length));
  }

  private Transaction transaction() {
    int number = reader.transaction();
    Transaction transaction =
        number >= 1 && number <= transactions.length ? transactions[number - 1] : null;
    if (transaction == null) {
      throw new IllegalStateException(
          "no transaction " + number + " runs; it has ended, or was never begun");
    }
    return transaction;
  }

  private Transaction end() {
    Transaction transaction = transaction();
    transactions[reader.transaction() - 1] = null;
    return transaction;
  }

  private boolean commit() {
    try (Transaction transaction = end()) {
      return transaction.commit();
    }
  }

  private void within(SpaceTransaction transaction, Operation operation, long request) {
    switch (operation) {
      case WRITE, WRITE_NOW -> {
        if (operation == Operation.WRITE) {
          transaction.write(event);
        } else {
          transaction.writeNow(event);
        }
        answer(operation, request, 0);
      }
      case TRY_WRITE -> answer(operation, request, transaction.tryWrite(event));
      case TEST -> answer(operation, request, transaction.test(template));
      case TEST_NOW -> answer(operation, request, transaction.testNow(template));
      case READ_ALL -> {
        List<Event> all = new ArrayList<>();
        transaction.forEach(template, each -> all.add(each.copy()));
        sendAll(operation, request, all);
      }
      default -> {
        writeFound(operation, request, find(transaction, operation));
        send();
      }
    }
  }

  private boolean find(SpaceTransaction transaction, Operation operation) {
    return switch (operation) {
      case TAKE -> transaction.take(template, event);
      case POLL -> transaction.poll(template, event);
      case READ -> transaction.read(template, event);
      case PEEK -> transaction.peek(template, event);
      case TAKE_NOW -> transaction.takeNow(template, event);
      case POLL_NOW -> transaction.pollNow(template, event);
      default ->
          throw new IllegalArgumentException(
              operation + " within a transaction; ask for it outside of one");
    };
  }

  // ---- subscriptions and waits

  private void subscribe(long number) {
    long id = Math.abs(number);
    if (id < 1 || subscriptions.containsKey(id)) {
      throw new IllegalArgumentException(
          "subscription=" + number + " (expected: a number that is not in use, from 1 on)");
    }
    if (subscriptions.size() == limits.maxSubscriptions()) {
      throw new IllegalStateException(
          "too many subscriptions of one client: limit=%s, ClientLimits.maxSubscriptions"
              .formatted(limits.maxSubscriptions()));
    }
    subscriptions.put(id, new ClientSubscription(space, template.copy(), number > 0));
  }

  private ClientSubscription subscription(long number) {
    ClientSubscription subscription = subscriptions.get(number);
    if (subscription == null) {
      throw new IllegalStateException(
          "no subscription " + number + "; it has ended, or was never begun");
    }
    return subscription;
  }

  /** Takes and reads of those that wait. */
  private final class Attempts implements ClientWaits.Attempt {
    @Override
    public boolean find(Operation operation, long request, Event of) {
      try {
        boolean isFound = look(operation, request, of);
        if (isFound) {
          send();
        }
        return isFound;
      } catch (Throwable refused) {
        refuse(operation, request, refused);
        return true;
      }
    }

    private boolean look(Operation operation, long request, Event of) {
      return operation == Operation.AWAIT_TAKE
          ? space.transact(
              0, transaction -> transaction.poll(of, event) && writeFound(operation, request, true))
          : space.read(of, event) && writeFound(operation, request, true);
    }

    @Override
    public void giveUp(Operation operation, long request) {
      answer(operation, request, 0);
    }
  }
}
