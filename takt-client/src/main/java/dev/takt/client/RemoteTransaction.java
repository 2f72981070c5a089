package dev.takt.client;

import dev.takt.client.wire.Operation;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.EventParts;
import dev.takt.space.SpaceSettings;
import dev.takt.space.SpaceTransaction;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that runs in the host, an operation of it at a time. Writes are not waited for:
 * what is wrong with an event is told at once, any other reason why a write was refused by the next
 * operation that is answered, or the commit. Whether it runs is asked, too, until it is known that
 * it does not: a conflict that it has lost, and the end of its time, are known to the host alone.
 */
final class RemoteTransaction implements SpaceTransaction {
  private final RequestExchange exchange;
  private final int number;
  private final SpaceSettings settings;
  private boolean isOver;
  private boolean isLost;

  /** How its link has ended in one of its operations, if it is not known to be committed. */
  private @Nullable LinkEndedException cut;

  RemoteTransaction(RequestExchange exchange, int number, SpaceSettings settings) {
    this.settings = settings;
    this.exchange = exchange;
    this.number = number;
  }

  /** Commits; false if it has lost a conflict. */
  boolean commit() {
    isOver = true;
    try {
      return exchange.ask(Operation.COMMIT, number, 0, null, null) == 1;
    } catch (LinkEndedException ended) {
      if (!ended.isUnknown()) {
        cut = ended;
      }
      throw ended;
    }
  }

  /** Ends it without effect, unless it has ended. */
  void rollback() {
    if (!isOver) {
      isOver = true;
      try {
        exchange.ask(Operation.ROLLBACK, number, 0, null, null);
      } catch (LinkEndedException _) {
        // and with its link it has ended
      }
    }
  }

  /**
   * Returns whether something was thrown because its link has ended, so that it has no effect but
   * of what acted directly on the space.
   */
  @SuppressWarnings("ReferenceEquality") // another one may be of another request
  boolean isCut(LinkEndedException thrown) {
    return cut == thrown;
  }

  private long ask(Operation operation, @Nullable Event content, @Nullable Event into) {
    requireNotOver();
    try {
      return exchange.ask(operation, number, 0, content, into);
    } catch (RuntimeException | Abort refused) {
      lose(refused);
      throw refused;
    }
  }

  private void lose(Throwable refused) {
    switch (refused) {
      case Abort _ -> isLost = true;
      case LinkEndedException ended -> {
        isLost = true;
        cut = ended;
      }
      default -> {} // it may run on
    }
  }

  private void requireNotOver() {
    if (isOver) {
      throw new IllegalStateException("transaction used after the end of its transact()");
    }
  }

  private boolean find(Operation operation, Event template, Event into) {
    return ask(operation, template, Objects.requireNonNull(into, "into")) == 1;
  }

  @Override
  public boolean isRunning() {
    if (!isOver && !isLost) {
      try {
        isLost = ask(Operation.IS_RUNNING, null, null) == 0;
      } catch (RuntimeException | Abort _) {
        isLost = true; // the host refuses each request of one that has ended
      }
    }
    return !isOver && !isLost;
  }

  @Override
  public void abort() {
    throw Abort.of(Abort.Reason.REQUESTED, "the transaction was aborted by its own code");
  }

  @Override
  public void write(Event event) {
    requireNotOver();
    EventParts.requireWritable(event, settings);
    try {
      exchange.tell(number, event);
    } catch (LinkEndedException ended) {
      lose(ended);
      throw ended;
    }
  }

  @Override
  public boolean tryWrite(Event event) {
    return ask(Operation.TRY_WRITE, event, null) == 1;
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
  public boolean test(Event template) {
    return ask(Operation.TEST, template, null) == 1;
  }

  @Override
  public boolean read(Event template, Event into) {
    return find(Operation.READ, template, into);
  }

  @Override
  public boolean peek(Event template, Event into) {
    return find(Operation.PEEK, template, into);
  }

  @Override
  public int forEach(Event template, Consumer<? super Event> sink) {
    Objects.requireNonNull(sink, "sink");
    requireNotOver();
    List<Event> all;
    try {
      all = exchange.askForAll(Operation.READ_ALL, number, 0, template);
    } catch (RuntimeException | Abort refused) {
      lose(refused);
      throw refused;
    }
    all.forEach(sink);
    return all.size();
  }

  @Override
  public void writeNow(Event event) {
    ask(Operation.WRITE_NOW, event, null);
  }

  @Override
  public boolean takeNow(Event template, Event into) {
    return find(Operation.TAKE_NOW, template, into);
  }

  @Override
  public boolean pollNow(Event template, Event into) {
    return find(Operation.POLL_NOW, template, into);
  }

  @Override
  public boolean testNow(Event template) {
    return ask(Operation.TEST_NOW, template, null) == 1;
  }
}
