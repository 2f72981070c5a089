package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.MessageReader;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.Refusal;
import dev.takt.client.wire.WireException;
import dev.takt.client.wire.WireLimits;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A client that comes again on another link, message by message. */
class ReturningClientTest {
  private static final UUID ME = new UUID(1, 1);
  private static final Event X = new Event("x", 1);
  private static final long FORCE_NS = 20_000_000;

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(128));
  private ClientAccount account =
      new ClientAccount(ClientRights.all("local", ClientLimits.DEFAULTS));

  /** One link of a client. */
  private final class Line implements Outbox {
    private final Deque<byte[]> sent = new ArrayDeque<>();
    private final ClientSession session = new ClientSession(space, account, this, () -> {});
    private final MessageWriter writer = new MessageWriter(WireLimits.DEFAULTS);
    private final MessageReader reader = new MessageReader(WireLimits.DEFAULTS);
    private boolean isCutOff;

    @Override
    public void send(MemorySegment message, int length) {
      sent.add(MemoryLink.copy(message, length));
    }

    @Override
    public void cutOff() {
      isCutOff = true;
    }

    void hello(UUID client) throws WireException {
      writer.hello(1 << 16, client, "");
      session.handle(writer.segment(), writer.length(), 0);
    }

    /** Returns by which number the host keeps outcomes. */
    long welcome() throws WireException {
      next();
      assertThat(reader.kind()).isEqualTo(MessageKind.WELCOME);
      reader.maxMessageBytes();
      return reader.outcomes();
    }

    private void next() throws WireException {
      byte[] message = sent.remove();
      reader.begin(MemorySegment.ofArray(message), 0, message.length);
    }

    void ask(Operation operation, int transaction, long request, Event content)
        throws WireException {
      ask(operation, transaction, request, 0, content);
    }

    void askOutcome(long of) throws WireException {
      ask(Operation.OUTCOME, 0, 1 << 20, of, null);
    }

    private void ask(Operation operation, int transaction, long request, long number, Event content)
        throws WireException {
      writer.request(operation, transaction, request, number);
      switch (operation.asked()) {
        case EVENT -> writer.event(content);
        case TEMPLATE -> writer.template(content);
        case NONE, EVENTS -> {}
      }
      writer.end();
      session.handle(writer.segment(), writer.length(), 0);
    }

    long answer() throws WireException {
      next();
      assertThat(reader.kind()).isEqualTo(MessageKind.ANSWER);
      return reader.number();
    }

    Refusal refusal() throws WireException {
      next();
      assertThat(reader.kind()).isEqualTo(MessageKind.REFUSAL);
      return Refusal.values()[(int) reader.number() - 1];
    }

    void end() {
      session.close();
      session.putBack();
    }
  }

  private Line come() throws WireException {
    Line line = new Line();
    line.hello(ME);
    return line;
  }

  @Test
  void shouldTellWhichWritesWereDoneOnTheLinkBefore() throws WireException {
    Line first = come();
    long outcomes = first.welcome();
    assertThat(outcomes).isNotZero();
    first.ask(Operation.WRITE, 0, 7, X);
    first.ask(Operation.TRY_WRITE, 0, 8, X);
    first.end();

    Line second = come();
    assertThat(second.welcome()).isEqualTo(outcomes);
    second.askOutcome(7);
    assertThat(second.answer()).as("done, answered with 0").isEqualTo(1);
    second.askOutcome(8);
    assertThat(second.answer()).as("done, answered with 1").isEqualTo(2);
    second.askOutcome(9);
    assertThat(second.answer()).as("not done").isZero();
    second.end();
  }

  @Test
  void shouldTellARefusalAsItWas() throws WireException {
    Line first = come();
    first.welcome();
    for (int i = 0; space.offer(new Event("full", i)); i++) {
      assertThat(i).isLessThan(1 << 16);
    }
    first.ask(Operation.WRITE, 0, 7, X);
    first.end();
    space.take(new Event(), new Event());

    Line second = come();
    second.welcome();
    second.askOutcome(7);
    assertThat(second.refusal()).isEqualTo(Refusal.SPACE_FULL);
    assertThat(second.reader.refusal()).hasMessageContaining("full");
    second.end();
  }

  /** A refusal may show the event that was refused, so a client says how long it is. */
  @Test
  void shouldKeepOnlyTheBeginningOfALongRefusal() throws WireException {
    ClientRights none = new ClientRights("nobody", List.of(), 1_000, 1, ClientLimits.DEFAULTS);
    account = new ClientAccount(none);
    Line first = come();
    first.welcome();
    String text = "z".repeat(150);
    first.ask(Operation.WRITE, 0, 7, new Event("x", new String[] {text, text, text}));
    assertThat(first.refusal()).isEqualTo(Refusal.FORBIDDEN);
    assertThat(first.reader.refusal().getMessage()).contains(text + "\", \"" + text);
    first.end();

    Line second = come();
    second.welcome();
    second.askOutcome(7);
    assertThat(second.refusal()).isEqualTo(Refusal.FORBIDDEN);
    assertThat(second.reader.refusal().getMessage())
        .startsWith("client nobody has no right to write")
        .hasSizeLessThan(300);
    second.end();
  }

  @Test
  void shouldTellWhatBecameOfACommit() throws WireException {
    Line first = come();
    first.welcome();
    first.ask(Operation.BEGIN, 0, 1, null);
    first.ask(Operation.WRITE, 1, 2, X);
    first.ask(Operation.COMMIT, 1, 3, null);
    first.ask(Operation.BEGIN, 0, 4, null);
    first.ask(Operation.WRITE, 1, 5, X);
    first.end();

    Line second = come();
    second.welcome();
    second.askOutcome(3);
    assertThat(second.answer()).as("it was committed").isEqualTo(2);
    second.askOutcome(6);
    assertThat(second.answer()).as("it was not").isZero();
    assertThat(space.count(X)).isEqualTo(1);
    second.end();
  }

  @Test
  void shouldNotGuessWhatBecameOfARequestThatIsOlderThanWhatIsKept() throws WireException {
    Line first = come();
    first.welcome();
    for (int i = 1; i <= 65; i++) {
      first.ask(Operation.TRY_WRITE, 0, i, X);
    }
    first.end();

    Line second = come();
    second.welcome();
    second.askOutcome(1);
    assertThat(second.refusal()).isEqualTo(Refusal.UNKNOWN);
    second.askOutcome(2);
    assertThat(second.answer()).isEqualTo(2);
    second.end();
  }

  @Test
  void shouldGreetAClientOnlyWhenNothingOfItIsLeftOnTheLinkBefore() throws WireException {
    space.write(X);
    Line first = come();
    first.welcome();
    first.ask(Operation.TAKE, 0, 1, X);

    Line second = come();
    assertThat(second.sent).isEmpty();
    assertThat(second.session.isTimed()).isTrue();
    second.session.advance(FORCE_NS - 1);
    assertThat(first.isCutOff).isFalse();
    second.session.advance(FORCE_NS);
    assertThat(first.isCutOff).as("it has not ended by itself").isTrue();
    assertThat(second.sent).isEmpty();
    assertThatThrownBy(() -> second.ask(Operation.TAKE, 0, 2, X))
        .as("who has not been greeted asks for nothing")
        .isInstanceOf(WireException.class);
    first.end();
    assertThat(space.count(X)).as("it was not confirmed").isEqualTo(1);
    second.session.advance(FORCE_NS);
    second.welcome();
    second.end();
  }

  /** Otherwise it would take "put back" for true, and find nothing. */
  @Test
  void shouldNotTellWhatBecameOfRequestsIfATakeCouldNotBePutBack() throws WireException {
    space.write(X);
    Line first = come();
    final long outcomes = first.welcome();
    first.ask(Operation.TAKE, 0, 7, X);
    for (int i = 0; space.offer(new Event("full", i)); i++) {
      assertThat(i).isLessThan(1 << 16);
    }
    first.session.close();
    assertThat(first.session.putBack()).isFalse();

    Line second = come();
    assertThat(second.welcome()).isNotZero().isNotEqualTo(outcomes);
    for (int i = 0; !first.session.putBack(); i++) {
      second.ask(Operation.TAKE, 0, 8 + i, new Event("full", null));
      assertThat(second.answer()).as("the client itself makes room").isEqualTo(1);
    }
    assertThat(space.count(X)).isEqualTo(1);
    second.end();
  }

  @Test
  void shouldSayThatNothingIsKnownOfAClientThatWasForgotten() throws WireException {
    Line first = come();
    final long outcomes = first.welcome();
    first.ask(Operation.WRITE, 0, 7, X);
    first.end();
    for (int i = 0; i < KnownClients.MAX_GONE; i++) {
      Line other = new Line();
      other.hello(new UUID(2, i));
      other.end();
    }

    Line second = come();
    assertThat(second.welcome()).isNotZero().isNotEqualTo(outcomes);
    second.end();
  }

  @Test
  void shouldKeepNothingOfAClientWithoutAName() throws WireException {
    for (int i = 0; i < 2; i++) {
      Line line = new Line();
      line.hello(new UUID(0, 0));
      assertThat(line.welcome()).isZero();
      line.ask(Operation.WRITE, 0, 7, X);
      assertThat(line.answer()).isZero();
      line.askOutcome(7);
      assertThat(line.refusal()).isEqualTo(Refusal.STATE);
      line.end();
    }
  }
}
