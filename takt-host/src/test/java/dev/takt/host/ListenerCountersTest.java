package dev.takt.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.ClientSettings;
import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.host.listen.ListenSettings;
import dev.takt.host.listen.Listeners;
import dev.takt.realtime.counters.CounterFolder;
import dev.takt.realtime.counters.CounterReader;
import dev.takt.realtime.counters.CounterRow;
import dev.takt.realtime.counters.CounterSnapshot;
import dev.takt.realtime.counters.Figure;
import dev.takt.realtime.counters.RowKind;
import dev.takt.realtime.counters.RowText;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Listeners show other processes what their clients have and have done. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ListenerCountersTest {
  private static final ClientSettings PATIENT =
      new ClientSettings(ClientSettings.DEFAULTS.wire(), 0, 60_000_000_000L);

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS);

  @AfterEach
  void leaveNothing() throws IOException {
    assertThat(rows(RowKind.LISTENER)).isEmpty();
    assertThat(rows(RowKind.SERVER)).isEmpty();
  }

  private Listeners open(TcpLimits limits, String... addresses) throws IOException {
    return Listeners.open(
        space,
        new ListenSettings(
            Stream.of(addresses).map(URI::create).toList(),
            null,
            new char[0],
            null,
            ClientLimits.DEFAULTS,
            limits,
            List.of()));
  }

  private static List<CounterRow> rows(RowKind kind) throws IOException {
    for (CounterSnapshot each : CounterReader.readAll(CounterFolder.usual())) {
      if (each.process().pid() == ProcessHandle.current().pid()) {
        return each.rows(kind);
      }
    }
    return List.of();
  }

  /** Waits until the row of that name is as expected; it is copied twice a second. */
  private static CounterRow await(RowKind kind, Object name, Predicate<CounterRow> condition)
      throws IOException {
    while (true) {
      for (CounterRow each : rows(kind)) {
        if (each.text(RowText.NAME).equals(name.toString()) && condition.test(each)) {
          return each;
        }
      }
      Thread.onSpinWait();
    }
  }

  private static Predicate<CounterRow> has(Figure figure, long value) {
    return row -> row.figure(figure).orElseThrow() == value;
  }

  @Test
  void shouldShowTheClientsOfEachAddressAndTheSpaceUntilItIsClosed() throws Exception {
    try (Listeners listeners =
        open(TcpLimits.DEFAULTS, "tcp://127.0.0.1:0", "lines://127.0.0.1:0")) {
      URI tcp = listeners.addresses().getFirst();
      URI lines = listeners.addresses().getLast();
      try (RemoteSpace client = Takt.connect(tcp, "", PATIENT)) {
        client.write(new Event("x", 1));

        CounterRow used = await(RowKind.LISTENER, tcp, has(Figure.CLIENTS, 1));
        assertThat(used.text(RowText.STATE)).isEqualTo("ready");
        assertThat(used.figure(Figure.ACCEPTED)).hasValue(1);
        assertThat(used.figure(Figure.MAX_CLIENTS)).hasValue(TcpLimits.DEFAULTS.maxConnections());
        assertThat(used.figure(Figure.INCOMING_BYTES)).hasValue(0);
        CounterRow idle = await(RowKind.LISTENER, lines, has(Figure.CLIENTS, 0));
        assertThat(idle.figure(Figure.INCOMING_BYTES)).hasValue(0);
        String owner = used.text(RowText.OWNER);
        await(RowKind.SPACE, "space", has(Figure.EVENTS, 1));
        CounterRow all = await(RowKind.SERVER, owner, has(Figure.SESSIONS, 1));
        assertThat(all.figure(Figure.REQUESTS).orElseThrow()).isPositive();
        assertThat(all.figure(Figure.DELAYED)).hasValue(0);
        assertThat(all.figure(Figure.HELD_BYTES)).hasValue(0);
        assertThat(all.figure(Figure.MAX_HELD_BYTES).orElseThrow()).isPositive();
      }
      listeners.drain(Duration.ZERO);
      await(RowKind.LISTENER, lines, row -> row.text(RowText.STATE).equals("closing"));
    }
  }

  @Test
  void shouldCountWhoIsRefusedAndWhoIsCutOff() throws Exception {
    try (Listeners listeners =
        open(
            TcpLimits.DEFAULTS.withMaxConnections(1), "tcp://127.0.0.1:0", "lines://127.0.0.1:0")) {
      URI tcp = listeners.addresses().getFirst();
      URI lines = listeners.addresses().getLast();
      try (RemoteSpace _ = Takt.connect(tcp, "", PATIENT);
          Socket first = socket(lines)) {
        first.getOutputStream().write("count\n".getBytes(UTF_8));
        assertThat(first.getInputStream().readNBytes(5)).asString().isEqualTo("ok 0\n");
        for (URI each : listeners.addresses()) {
          try (Socket second = socket(each)) {
            assertThat(second.getInputStream().read()).as("one too many").isEqualTo(-1);
          }
          await(RowKind.LISTENER, each, has(Figure.REFUSED, 1));
        }
      }
      while (listeners.clients() > 0) {
        Thread.onSpinWait();
      }
      try (Socket noClient = socket(tcp);
          Socket browser = socket(lines)) {
        noClient.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8));
        browser.getOutputStream().write("GET / HTTP/1.1\r\n".getBytes(UTF_8));
        await(RowKind.LISTENER, tcp, has(Figure.CUT_OFF, 1));
        await(RowKind.LISTENER, lines, has(Figure.CUT_OFF, 1));
      }
    }
  }

  @Test
  void shouldShowLongRequestsThatAreOnTheirWayAtEachAddress() throws Exception {
    String begun = "write {\"text\":\"" + "x".repeat(20_000);
    try (Listeners listeners = open(TcpLimits.DEFAULTS, "lines://127.0.0.1:0", "ws://127.0.0.1:0");
        Socket slow = socket(listeners.addresses().getFirst())) {
      slow.getOutputStream().write(begun.getBytes(UTF_8));

      CounterRow lines =
          await(
              RowKind.LISTENER,
              listeners.addresses().getFirst(),
              row -> row.figure(Figure.INCOMING_BYTES).orElseThrow() > 20_000);

      assertThat(lines.figure(Figure.MAX_INCOMING_BYTES))
          .hasValue(TcpLimits.DEFAULTS.fitting().maxIncomingBytes());
      await(RowKind.LISTENER, listeners.addresses().getLast(), has(Figure.INCOMING_BYTES, 0));
    }
  }

  private static Socket socket(URI address) throws IOException {
    return new Socket(address.getHost(), address.getPort());
  }
}
