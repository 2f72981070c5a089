package dev.takt.host;

import dev.takt.client.wire.Operation;
import dev.takt.space.ConflictDeferral;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceTransaction;
import dev.takt.space.Template;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/**
 * Does the operations that one client asks for, and answers them.
 *
 * <p><b>Thread rule:</b> that of its session.
 */
final class ClientOperations {
  private final EventSpace space;
  private final ClientRights rights;
  private final ClientAnswers answers;
  private final ReturningClient client;
  private final UnconfirmedTakes takes;
  private final ClientBulk bulk;
  private final ClientSubscriptions subscriptions;
  private final ClientTransactions transactions;
  final ClientWaits waits;
  private Event found = new Event();
  private final Taking taking = new Taking();

  /**
   * Makes a client's.
   *
   * @param held where what it has is counted
   * @param due is called when a wait may have a match
   */
  ClientOperations(
      EventSpace space,
      ClientRights rights,
      ClientAnswers answers,
      ReturningClient client,
      UnconfirmedTakes takes,
      ClientBulk bulk,
      ClientSubscriptions subscriptions,
      ClientTransactions transactions,
      HeldBytes held,
      Runnable due) {
    this.space = space;
    this.rights = rights;
    this.answers = answers;
    this.client = client;
    this.takes = takes;
    this.bulk = bulk;
    this.subscriptions = subscriptions;
    this.transactions = transactions;
    waits = new ClientWaits(space, rights.limits().maxWaits(), held, new Attempts(), due);
  }

  /**
   * Does what is asked for, and answers it; what is in conflict may throw a {@link
   * ConflictDeferral.Deferred} instead.
   *
   * @param clock is asked for the time by which waits and transactions end, if there is one
   */
  void execute(ClientRequest asked, LongSupplier clock) {
    Operation operation = asked.operation;
    long request = asked.request;
    long number = asked.number;
    switch (operation) {
      case AWAIT_TAKE, AWAIT_READ -> {
        if (waits.begin(asked, clock.getAsLong())) {
          asked.template = new Template(); // that one is kept
        }
      }
      case CANCEL -> answers.answer(operation, request, waits.cancel(number));
      case SUBSCRIBE -> {
        subscriptions.begin(number, asked.template, asked.bytes);
        answers.answer(operation, request, 0);
      }
      case UNSUBSCRIBE -> {
        subscriptions.end(number);
        answers.answer(operation, request, 0);
      }
      case NEXT -> {
        Event of = subscriptions.get(number).template;
        rights.require(operation, of);
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
      case COMMIT -> answers.answer(operation, request, transactions.commit(asked.transaction));
      case ROLLBACK -> {
        transactions.rollback(asked.transaction);
        answers.answer(operation, request, 0);
      }
      default -> {
        if (asked.transaction == 0) {
          single(asked);
        } else {
          within(transactions.get(asked.transaction), asked);
        }
      }
    }
  }

  /** An operation that is a transaction of its own. */
  private void single(ClientRequest asked) {
    Operation operation = asked.operation;
    long request = asked.request;
    Event event = asked.event;
    Template template = asked.template;
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
        List<Event> all = takes.takeAll(space, template, request, asked.number, fits);
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
    private Event template = found;

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

  /** Lets go of what was asked for and found last. */
  void letGo() {
    found = new Event();
    taking.template = found;
  }

  // ---- transactions

  private void within(SpaceTransaction transaction, ClientRequest asked) {
    Operation operation = asked.operation;
    long request = asked.request;
    Event event = asked.event;
    Template template = asked.template;
    switch (operation) {
      case WRITE -> {
        transaction.write(event);
        if (!asked.isUnanswered()) {
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
        answers.writeFound(operation, request, find(transaction, asked), event);
        answers.send();
      }
    }
  }

  private boolean find(SpaceTransaction transaction, ClientRequest asked) {
    Event event = asked.event;
    Template template = asked.template;
    return switch (asked.operation) {
      case TAKE -> transaction.take(template, event);
      case POLL -> transaction.poll(template, event);
      case READ -> transaction.read(template, event);
      case PEEK -> transaction.peek(template, event);
      default ->
          throw new IllegalArgumentException(
              asked.operation.word() + " within a transaction; ask for it outside of one");
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
          : space.read(of, found) && answers.writeFound(operation, request, true, found) > 0;
    }

    @Override
    public void giveUp(Operation operation, long request) {
      answers.answer(operation, request, 0);
    }
  }
}
