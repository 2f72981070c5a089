package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.client.ClientSettings;
import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.client.link.LinkSettings;
import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.WireLimits;
import dev.takt.space.Commit;
import dev.takt.space.CommitJournal;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a host does for clients that do what no client of Takt does; the test is its thread. */
@Timeout(60)
class LinkServerTest extends LinkServing {
  record Pair(int a, int b) {}

  private static final Event ANY_ID = new Event("id", null);
  private static final Event X = new Event("x", 1);
  private static final Event Y = new Event("y", 1);

  @TempDir private Path temporary;
  private final EventSpace space =
      EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(1_024).withPatience(10));

  @BeforeEach
  void open() throws IOException {
    folder = temporary.resolve("host");
    server =
        LinkServer.open(
            space,
            folder,
            LinkSettings.DEFAULTS.withSizes(1 << 14, 1 << 10),
            ClientLimits.DEFAULTS,
            0);
  }

  @AfterEach
  void close() throws IOException {
    server.close();
    assertThat(space.stats().subscriptions()).isZero();
    assertThat(space.stats().events()).isEqualTo(space.count(new Event()));
  }

  @Test
  void shouldServeOthersWhenWhatAClientHasTakenCannotBePutBack() throws IOException {
    space.write(X);
    RawClient first = greeted();
    RawClient second = greeted();
    first.ask(Operation.TAKE, 1, 0, X);
    serveUntil(() -> has(first));
    space.commits().journal(new FaultyJournal());
    first.close();
    serveUntil(() -> server.clients() == 1);
    second.ask(Operation.COUNT, 1, 0, Y);
    serveUntil(() -> has(second));
    assertThat(second.reader.kind()).isEqualTo(MessageKind.ANSWER);
    second.close();
    space.commits().journal(null);
  }

  @Test
  void shouldLeaveNoLockWhenItsSettingsDoNotGoTogether() throws IOException {
    Path other = temporary.resolve("other");
    LinkSettings small = LinkSettings.DEFAULTS.withSizes(1 << 14, 100);
    assertThatThrownBy(() -> LinkServer.open(space, other, small, ClientLimits.DEFAULTS, 0))
        .isInstanceOf(IllegalArgumentException.class);
    LinkServer.open(space, other, LinkSettings.DEFAULTS, ClientLimits.DEFAULTS, 0).close();
  }

  @Test
  void shouldServeOthersBetweenTheStepsOfALongAnswer() throws IOException {
    for (int i = 0; i < 1_000; i++) {
      space.write(new Event("x", i));
    }
    RawClient first = greeted();
    RawClient second = greeted();
    first.ask(Operation.READ_ALL, 1, 0, new Template());
    second.ask(Operation.TEST, 2, 0, X);
    serveUntil(() -> has(second));
    int given = 0;
    while (has(first)) {
      given += (int) first.reader.number();
    }
    assertThat(given).as("given before another client was served").isLessThanOrEqualTo(256);
    int[] all = {given};
    serveUntil(
        () -> {
          boolean has = has(first);
          all[0] += has ? (int) first.reader.number() : 0;
          return has && first.reader.kind() == MessageKind.ANSWER;
        });
    assertThat(all[0]).isEqualTo(1_000);
    first.close();
    second.close();
  }

  /** Its next message is there before the turn has ended: it would wait for all others. */
  @Test
  void shouldAnswerTheClientThatWasServedLastAgainWithinTheTurn() throws IOException {
    RawClient asking = greeted();
    RawClient waiting = greeted();
    for (int i = 0; i < 2; i++) { // the other one is looked at last in one of the two
      server.await(0); // the first turn looks at the clock and at all, and the next ones do not
      waiting.ask(Operation.AWAIT_TAKE, i + 1, Long.MAX_VALUE, X);
      assertThat(server.serve(64)).isTrue();
      asking.ask(Operation.TEST, 1, 0, Y);
      assertThat(server.serve(64)).isTrue();
      assertThat(has(asking)).isTrue();
      for (int turns = 0; turns < i; turns++) {
        assertThat(server.serve(64)).isFalse();
      }
      space.write(X);
      space.commits().journal(new AskingJournal(asking));
      assertThat(server.serve(1)).as("a message was handled in turn %s", i).isTrue();
      space.commits().journal(null);
      assertThat(has(asking)).isTrue();
      assertThat(asking.reader.request()).isEqualTo(2);
      assertThat(has(asking)).as("more than the turn may handle").isFalse();
      assertThat(server.serve(64)).isTrue();
      assertThat(has(asking)).isTrue();
      assertThat(asking.reader.request()).isEqualTo(3);
      assertThat(has(waiting)).isTrue();
    }
    asking.close();
    waiting.close();
  }

  /** Sends two messages of a client while what another one waits for is taken. */
  private record AskingJournal(RawClient client) implements CommitJournal {
    @Override
    public long prepare(Commit delta) {
      try {
        client.ask(Operation.TEST, 2, 0, Y);
        client.ask(Operation.TEST, 3, 0, Y);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      return NONE;
    }

    @Override
    public void decided(long ticket, boolean committed) {}

    @Override
    public void await(long ticket) {}
  }

  private static final class FaultyJournal implements CommitJournal {
    @Override
    public long prepare(Commit delta) {
      throw new UnsupportedOperationException("a fault");
    }

    @Override
    public void decided(long ticket, boolean committed) {}

    @Override
    public void await(long ticket) {}
  }

  /** Sends requests until neither ring takes more. */
  private int flood(RawClient client) throws IOException {
    int sent = 0;
    for (boolean isMoving = true; isMoving; ) {
      isMoving = false;
      while (client.ask(Operation.COUNT, 1_000 + sent, 0, Y)) {
        sent++;
        isMoving = true;
      }
      while (server.serve(64)) {
        isMoving = true;
      }
    }
    return sent;
  }

  @Test
  void shouldKeepWhatAClientHasConfirmedThatEndsWithItsAnswersUnread() throws IOException {
    space.write(X);
    RawClient client = greeted();
    client.ask(Operation.TAKE, 1, 0, X);
    serveUntil(() -> has(client));
    assertThat(client.reader.number()).isEqualTo(1);
    // Its answers find no room, so the confirmation is not read while it lives.
    for (int sent = 0; sent < 300; sent++) {
      client.ask(Operation.TEST, 1_000 + sent, 0, Y);
      server.serve(64);
    }
    assertThat(client.received(1)).isTrue();
    assertThat(server.serve(64)).as("the host listens to one that does not read").isFalse();
    client.close();
    serveUntil(() -> server.clients() == 0);
    assertThat(space.count(X)).as("confirmed, and put back all the same").isZero();
  }

  /** An answer that is acknowledged confirms those before it; of a client that dies no message. */
  @Test
  void shouldPutBackWhatAClientHasNotAcknowledgedWhenItEnds() throws IOException {
    RawClient client = greeted();
    for (int id = 1; id <= 40; id++) {
      space.write(new Event("id", id));
      client.ask(Operation.TAKE, id, 0, new Event("id", id));
      serveUntil(() -> has(client));
      assertThat(client.reader.number()).isEqualTo(1);
      client.link.acknowledge(Math.max(0, id - 3));
    }
    assertThat(space.count(ANY_ID)).isZero();
    client.close();
    serveUntil(() -> server.clients() == 0);
    assertThat(space.count(ANY_ID)).isEqualTo(3);
    for (int id = 38; id <= 40; id++) {
      assertThat(space.test(new Event("id", id))).as("event %s", id).isTrue();
    }
  }

  @Test
  void shouldForgetWhatAClientHasAcknowledgedBeforeItHasTakenTooMuch() throws IOException {
    RawClient client = greeted();
    int limit = ClientLimits.DEFAULTS.maxUnconfirmed();
    for (int id = 1; id <= limit + 1; id++) {
      space.write(new Event("id", id));
      client.ask(Operation.TAKE, id, 0, new Event("id", id));
      serveUntil(() -> has(client));
      assertThat(client.reader.kind()).as("answer %s", id).isEqualTo(MessageKind.ANSWER);
      client.link.acknowledge(id);
    }
  }

  @Test
  void shouldBoundTheKeysOfAllClientsThatEverCome() throws IOException {
    int limit = ClientLimits.DEFAULTS.wire().maxKeys();
    for (int i = 0; i < limit; i += 100) {
      RawClient client = greeted();
      for (int key = i; key < Math.min(limit, i + 100); key++) {
        client.ask(Operation.WRITE, key, 0, new Event("key" + key, 1));
        serveUntil(() -> has(client));
        assertThat(client.reader.kind()).isEqualTo(MessageKind.ANSWER);
      }
      client.close();
      serveUntil(() -> server.clients() == 0);
    }
    RawClient late = greeted();
    late.ask(Operation.COUNT, 1, 0, new Event("key0", 1));
    serveUntil(() -> has(late));
    assertThat(late.reader.kind()).isEqualTo(MessageKind.ANSWER);
    late.ask(Operation.WRITE, 2, 0, new Event("key" + limit, 1));
    serveUntil(() -> has(late));
    assertThat(late.reader.kind()).isEqualTo(MessageKind.REFUSAL);
    assertThat(late.reader.refusal())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("=key" + limit, "one of the " + limit, "into values");
    late.close();
    serveUntil(() -> server.clients() == 0);
  }

  @Test
  void shouldPutBackWhatWasTakenForAClientThatNeverReads() throws IOException {
    RawClient client = greeted();
    flood(client);
    client.close();
    space.write(X);
    RawClient other = greeted();
    other.ask(Operation.TAKE, 1, 0, X);
    serveUntil(() -> space.count(X) == 0);
    other.close();
    serveUntil(() -> server.clients() == 0);
    assertThat(space.count(X)).isEqualTo(1);
  }

  @Test
  void shouldServeOthersBesideOneThatNeverReads() throws IOException {
    try (RawClient deaf = greeted();
        RawClient other = greeted()) {
      assertThat(flood(deaf)).isPositive();
      for (int i = 1; i < 1_000; i++) {
        other.ask(Operation.COUNT, i, 0, X);
        for (int rounds = 0; !other.poll(); rounds++) {
          assertThat(rounds).as("calls of serve() for an answer").isLessThan(100);
          server.serve(64);
        }
        assertThat(other.reader.request()).isEqualTo(i);
      }
    }
    serveUntil(() -> server.clients() == 0);
  }

  @Test
  void shouldRefuseToReadAllIfOneEventHasNoPlaceInAMessage() throws IOException {
    for (int i = 0; i < 600; i++) {
      space.write(new Event("x", i).add("text", "of some length, so that the ring is full soon"));
    }
    space.write(new Event("x", 1).add("pair", new Pair(1, 2)));
    try (RawClient client = greeted()) {
      client.ask(Operation.READ_ALL, 1, 0, new Event("x", null));
      serveUntil(() -> !server.serve(64));
      int parts = 0;
      do {
        serveUntil(() -> has(client));
        parts++;
      } while (client.reader.kind() == MessageKind.PART);
      assertThat(parts).isGreaterThan(10);
      assertThat(client.reader.kind()).isEqualTo(MessageKind.REFUSAL);
      client.ask(Operation.COUNT, 2, 0, new Event());
      serveUntil(() -> has(client));
      assertThat(client.reader.number()).isEqualTo(601);
    }
    serveUntil(() -> server.clients() == 0);
  }

  @Test
  void shouldReadMoreThanTheRingHoldsInShorterMessagesThanItsRecords() throws Exception {
    List<Event> written = new ArrayList<>();
    for (int i = 0; i < 900; i++) {
      written.add(new Event("x", i).add("text", "of some length"));
      space.write(written.getLast());
    }
    FutureTask<List<Event>> reader = new FutureTask<>(this::readAll);
    Thread thread = Thread.ofPlatform().start(reader);
    serveUntil(reader::isDone);
    assertThat(reader.get(1, TimeUnit.SECONDS)).isEqualTo(written);
    thread.join();
    serveUntil(() -> server.clients() == 0);
  }

  private List<Event> readAll() throws IOException {
    List<Event> seen = new ArrayList<>();
    try (RemoteSpace client =
        Takt.connect(
            folder,
            ClientSettings.DEFAULTS.withWire(WireLimits.DEFAULTS.withMaxMessageBytes(256)))) {
      client.forEach(new Event("x", null), event -> seen.add(event.copy()));
      client.forEach(new Event("x", null), event -> {});
    }
    return seen;
  }

  @Test
  void shouldFindAHostByNameWithTheSettingsOfTheClient() throws Exception {
    String name = "test-" + ProcessHandle.current().pid();
    try (LinkServer named =
        LinkServer.open(
            EventSpace.create(),
            Takt.folder(name),
            LinkSettings.DEFAULTS.withSizes(1 << 14, 1 << 10),
            ClientLimits.DEFAULTS,
            10_000)) {
      ClientSettings small =
          ClientSettings.DEFAULTS.withWire(WireLimits.DEFAULTS.withMaxMessageBytes(256));
      FutureTask<Event> caller =
          new FutureTask<>(
              () -> {
                try (RemoteSpace client = Takt.connect(name, small)) {
                  client.write(new Event("x", 1));
                  assertThatThrownBy(() -> client.write(new Event("x", "a".repeat(512))))
                      .hasMessageContaining("256");
                  return client.read(X);
                }
              });
      Thread thread = Thread.ofPlatform().start(caller);
      while (!caller.isDone()) {
        if (!named.serve(64)) {
          named.await(1_000_000);
        }
      }
      assertThat(caller.get()).isEqualTo(new Event("x", 1));
      thread.join();
    }
    Files.deleteIfExists(Takt.folder(name));
  }

  @Test
  void shouldHaveNewcomersSoonHoweverLongTheHostWaits() throws Exception {
    FutureTask<Integer> caller =
        new FutureTask<>(
            () -> {
              try (RemoteSpace client = Takt.connect(folder, ClientSettings.DEFAULTS)) {
                return client.count(X);
              }
            });
    Thread thread = Thread.ofPlatform().start(caller);
    while (server.clients() == 0 && !caller.isDone()) {
      if (!server.serve(64)) {
        server.await(60_000_000_000L); // the connection gives up after ten
      }
    }
    serveUntil(caller::isDone);
    assertThat(caller.get()).isZero();
    thread.join();
    serveUntil(() -> server.clients() == 0);
  }
}
