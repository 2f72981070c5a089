package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.RemoteSpace;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Space;
import dev.takt.space.SpaceContract;
import dev.takt.space.SpaceSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** The space of a host does by shared memory what every space does. */
class SharedMemorySpaceContractTest extends SpaceContract {
  @TempDir Path folder;
  private EventSpace space;
  private SharedMemoryHost host;
  private RemoteSpace client;

  @Override
  protected Space space(SpaceSettings settings) {
    if (host == null) {
      space = EventSpace.create(settings);
      try {
        host =
            new SharedMemoryHost(
                space,
                folder.resolve("host"),
                ClientLimits.DEFAULTS.withMaxTransactionNs(60_000_000_000L).withMaxPriority(5));
        client = host.connect();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return client;
  }

  @AfterEach
  void leaveNothingBehind() throws IOException {
    if (host != null) {
      client.close();
      host.close();
      assertThat(space.stats().subscriptions()).isZero();
      assertThat(space.stats().events()).isEqualTo(space.count(new Event()));
    }
  }
}
