package dev.takt.host;

import static dev.takt.host.ClientRights.Right.READ;
import static dev.takt.host.ClientRights.Right.SUBSCRIBE;
import static dev.takt.host.ClientRights.Right.TAKE;
import static dev.takt.host.ClientRights.Right.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.MessageReader;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.WireException;
import dev.takt.client.wire.WireLimits;
import dev.takt.host.ClientRights.Grant;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Template;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A client does what it was granted, and nothing else. */
class ClientRightsTest {
  private static final Event ORDER = new Event("type", "order").add("id", 1);
  private static final Template ORDERS = new Template("type", "order");
  private static final Event TRADE = new Event("type", "trade").add("id", 1);

  private static ClientRights rights(Grant... grants) {
    return new ClientRights("feed", List.of(grants), 1_000, 1, ClientLimits.DEFAULTS);
  }

  private static void allowed(ClientRights rights, Operation operation, Event of) {
    assertThatCode(() -> rights.require(operation, of)).doesNotThrowAnyException();
  }

  private static void refused(ClientRights rights, Operation operation, Event of) {
    assertThatThrownBy(() -> rights.require(operation, of))
        .isInstanceOf(SecurityException.class)
        .hasMessageContaining("client feed has no right to ");
  }

  @Test
  void shouldDoWithoutTheQuestionOnlyWhenOneGrantAllowsEverything() {
    EnumSet<ClientRights.Right> all = EnumSet.allOf(ClientRights.Right.class);
    assertThat(ClientRights.all("local", ClientLimits.DEFAULTS).areAll()).isTrue();
    assertThat(rights(new Grant(Set.of(READ), ORDERS), new Grant(all, new Template())).areAll())
        .isTrue();
    assertThat(rights().areAll()).isFalse();
    assertThat(rights(new Grant(all, ORDERS)).areAll()).isFalse();
    for (ClientRights.Right each : all) {
      EnumSet<ClientRights.Right> others = EnumSet.complementOf(EnumSet.of(each));
      assertThat(rights(new Grant(others, new Template())).areAll())
          .as("without %s", each)
          .isFalse();
    }
  }

  @Test
  void shouldSayThatAllEventsAreAskedForByATemplateWithoutKeys() {
    Grant writes = new Grant(Set.of(WRITE), new Template("x", null));
    ClientRights feed = new ClientRights("feed", List.of(writes), 1_000, 1, ClientLimits.DEFAULTS);

    assertThatThrownBy(() -> feed.require(Operation.COUNT, new Event()))
        .hasMessage("client feed has no right to read all events; the host's owner grants it");
  }

  @Test
  void shouldAllowToWriteTheEventsOfAGrantOnly() {
    ClientRights rights =
        rights(new Grant(Set.of(WRITE), new Template("type", "order").add("id", null)));
    allowed(rights, Operation.WRITE, ORDER);
    allowed(rights, Operation.WRITE_NOW, new Event("id", 2).add("type", "order").add("more", 1));
    refused(rights, Operation.WRITE, TRADE);
    refused(rights, Operation.TRY_WRITE, new Event("type", "order"));
    refused(rights, Operation.WRITE, new Event());
    refused(rights, Operation.TAKE, ORDER);
    refused(rights(), Operation.WRITE, ORDER);
    allowed(ClientRights.all("x", ClientLimits.DEFAULTS), Operation.WRITE, new Event());
  }

  @Test
  void shouldAllowOnlyTemplatesThatCanMatchNothingElse() {
    ClientRights rights =
        rights(
            new Grant(EnumSet.of(READ, TAKE, SUBSCRIBE), new Template("type", "order")),
            new Grant(Set.of(READ), new Template("n", 5).add("free", null)));
    for (Operation operation : List.of(Operation.READ, Operation.TAKE, Operation.SUBSCRIBE)) {
      allowed(rights, operation, new Template("type", "order"));
      allowed(rights, operation, new Template("type", "order").atLeast("id", 3));
      refused(rights, operation, new Template());
      refused(rights, operation, new Template("type", null));
      refused(rights, operation, new Template("type", "trade"));
      refused(rights, operation, new Template("id", 1));
      refused(rights, operation, new Template().not("type", "trade"));
    }
    allowed(rights, Operation.COUNT, new Template("n", 5).atLeast("free", 1));
    allowed(rights, Operation.COUNT, new Template("n", 5).add("free", null));
    refused(rights, Operation.COUNT, new Template("n", 5));
    refused(rights, Operation.COUNT, new Template("n", 5.0).add("free", null));
    refused(rights, Operation.COUNT, new Template().between("n", 5, 5).add("free", null));
    refused(rights, Operation.TAKE, new Template("n", 5).add("free", null));
  }

  /** Each operation with content is refused to a client without rights, and has no effect. */
  @Test
  void shouldRefuseEachOperationBeforeItIsDone() throws WireException {
    EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS);
    space.write(ORDER);
    Queue<byte[]> sent = new ArrayDeque<>();
    ClientAccount account =
        new ClientAccount(rights(new Grant(Set.of(SUBSCRIBE), new Template("type", "order"))));
    MessageWriter writer = new MessageWriter(WireLimits.DEFAULTS);
    MessageReader reader = new MessageReader(WireLimits.DEFAULTS);
    try (ClientSession session =
        new ClientSession(
            space, account, (message, length) -> sent.add(bytes(message, length)), () -> {})) {
      writer.hello(1 << 16, "");
      session.handle(writer.segment(), writer.length(), 0);
      sent.remove();
      long request = 0;
      for (Operation operation : Operation.values()) {
        boolean isEvent = operation.asked() == Operation.Content.EVENT;
        if (operation == Operation.SUBSCRIBE
            || (!isEvent && operation.asked() != Operation.Content.TEMPLATE)) {
          continue;
        }
        writer.request(operation, 0, ++request, 1);
        (isEvent ? writer.event(ORDER) : writer.template(ORDER)).end();
        session.handle(writer.segment(), writer.length(), 0);
        refusedBy(reader, sent.remove(), request);
      }
      assertThat(request).isGreaterThan(14);
      writer.request(Operation.SUBSCRIBE, 0, ++request, -1).template(ORDER).end();
      session.handle(writer.segment(), writer.length(), 0);
      sent.remove();
      writer.request(Operation.NEXT, 0, ++request, 1).end();
      session.handle(writer.segment(), writer.length(), 0);
      refusedBy(reader, sent.remove(), request); // to be told of it is not to take it
    }
    assertThat(space.count(new Event())).isEqualTo(1);
  }

  private static byte[] bytes(MemorySegment message, int length) {
    return MemoryLink.copy(message, length);
  }

  private static void refusedBy(MessageReader reader, byte[] message, long request)
      throws WireException {
    reader.begin(MemorySegment.ofArray(message), 0, message.length);
    assertThat(reader.kind()).isEqualTo(MessageKind.REFUSAL);
    assertThat(reader.request()).isEqualTo(request);
    assertThat(reader.refusal())
        .isInstanceOf(SecurityException.class)
        .hasMessageContaining("has no right to");
  }

  @Test
  void shouldLetASecondOfRequestsComeAtOnceAndTheOthersWait() {
    ClientAccount account =
        new ClientAccount(new ClientRights("a", List.of(), 10, 1, ClientLimits.DEFAULTS));
    long nowNs = System.nanoTime() + 5_000_000_000L;
    for (int i = 0; i < 11; i++) {
      assertThat(account.delayNs(nowNs)).isLessThanOrEqualTo(0);
    }
    assertThat(account.delayNs(nowNs)).isEqualTo(100_000_000);
    assertThat(account.delayNs(nowNs)).isEqualTo(200_000_000);
    assertThat(account.delayNs(nowNs + 300_000_000)).isEqualTo(0);
    assertThat(account.requests()).isEqualTo(14);
    assertThat(account.delayed()).isEqualTo(2);
  }

  @Test
  void shouldAddUpWhatAllClientsHaveAndTellHowFullTheFullestIs() {
    ClientRights each = new ClientRights("a", List.of(), 10, 2, ClientLimits.DEFAULTS);
    ClientAccounts accounts = ClientAccounts.of(Map.of("one", each, "two", each));
    ClientAccount one = accounts.find("one");
    ClientAccount two = accounts.find("two");
    long most = one.held().limit();
    one.held().add(most / 4);
    two.held().add(most / 2);
    one.enter();
    two.enter();
    two.enter();
    one.delayNs(System.nanoTime());
    two.delayNs(System.nanoTime());

    assertThat(accounts.stats())
        .isEqualTo(new AccountStats(3, 2, 0, most / 4 + most / 2, 2 * most, 500_000));
  }
}
