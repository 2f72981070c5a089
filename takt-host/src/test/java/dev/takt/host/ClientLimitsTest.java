package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.client.ClientSettings;
import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.host.listen.ListenSettings;
import dev.takt.host.listen.Listeners;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients may have in the heap of their host. */
class ClientLimitsTest {
  private static final long MEGABYTE = 1 << 20;

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000, 65_536, 400_000})
  void shouldLeaveHalfOfTheHeapToOthersHoweverFullTheSpaceIs(int capacity) {
    SpaceSettings space = SpaceSettings.DEFAULTS.withCapacity(capacity);
    int each = ClientLimits.DEFAULTS.fitting(space, 512 * MEGABYTE).maxHeldBytes();
    assertThat((capacity + 1_536L) * each).isLessThanOrEqualTo(256 * MEGABYTE);
    assertThat(each).isGreaterThanOrEqualTo(512);
  }

  @Test
  void shouldKeepALowerLimitAndAllowAFewHundredBytesWhateverTheHeap() {
    SpaceSettings space = SpaceSettings.DEFAULTS;
    assertThat(ClientLimits.DEFAULTS.withMaxHeldBytes(1_000).fitting(space, 512 * MEGABYTE))
        .isEqualTo(ClientLimits.DEFAULTS.withMaxHeldBytes(1_000));
    assertThat(ClientLimits.DEFAULTS.fitting(space, MEGABYTE).maxHeldBytes()).isEqualTo(512);
    assertThatThrownBy(() -> ClientLimits.DEFAULTS.withMaxHeldBytes(511))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxHeldBytes=511 (expected: at least 512)");
  }

  @Test
  void shouldLeaveAnEighthOfTheHeapToWhatAClientHasBesideTheSpace() {
    SpaceSettings space = SpaceSettings.DEFAULTS;
    assertThat(ClientLimits.DEFAULTS.fitting(space, 256 * MEGABYTE).maxAccountBytes())
        .isEqualTo(32 * MEGABYTE);
    assertThat(ClientLimits.DEFAULTS.withMaxAccountBytes(1_000).fitting(space, 256 * MEGABYTE))
        .extracting(ClientLimits::maxAccountBytes)
        .isEqualTo(1_000L);
    assertThatThrownBy(() -> ClientLimits.DEFAULTS.withMaxAccountBytes(511))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxAccountBytes=511 (expected: at least 512)");
  }

  @Test
  void shouldKeepTransactionsOfClientsBelowThoseOfTasksUnlessMoreIsAllowed() throws Exception {
    EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(64));
    Event x = new Event("x", 1);
    try (MemoryHost host = new MemoryHost(space, ClientLimits.DEFAULTS)) {
      assertThatThrownBy(() -> host.client.transact(1, transaction -> transaction.take(x)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("priority=1 (expected: 0 to 0", "ClientLimits.maxPriority");
      assertThat(host.client.transact(transaction -> transaction.write(x))).isTrue();
    }
    try (MemoryHost host = new MemoryHost(space, ClientLimits.DEFAULTS.withMaxPriority(1))) {
      Event taken = host.client.transact(1, transaction -> transaction.take(x));
      assertThat(taken).isEqualTo(x);
    }
    assertThatThrownBy(() -> ClientLimits.DEFAULTS.withMaxPriority(1_000_001))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxPriority=1000001 (expected: 0 to 1000000)");
  }

  @Test
  void shouldHoldForClientsOfListeners() throws Exception {
    EventSpace space =
        EventSpace.create(
            SpaceSettings.DEFAULTS
                .withCapacity(1 << 19)
                .withMaxEventBytes(8)
                .withMaxReferences(1)
                .withMaxIndexes(1));
    int most = ClientLimits.DEFAULTS.fitting(space.settings()).maxHeldBytes();
    ClientSettings patient = new ClientSettings(ClientSettings.DEFAULTS.wire(), 0, 60_000_000_000L);
    try (Listeners listeners =
            Listeners.open(space, ListenSettings.at(List.of(URI.create("tcp://127.0.0.1:0"))));
        RemoteSpace client = Takt.connect(listeners.addresses().get(0), "", patient)) {
      client.write(new Event("s", "x".repeat(most - 56)));
      assertThatThrownBy(() -> client.write(new Event("s", "x".repeat(most))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("limit=" + most);
      assertThat(client.count(new Event("s", null))).isEqualTo(1);
    }
  }
}
