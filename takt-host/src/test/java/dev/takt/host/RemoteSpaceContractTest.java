package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Space;
import dev.takt.space.SpaceContract;
import dev.takt.space.SpaceSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.AfterEach;

/** The space of a host does for its clients what every space does. */
class RemoteSpaceContractTest extends SpaceContract {
  private EventSpace space;
  private MemoryHost host;

  @Override
  protected Space space(SpaceSettings settings) {
    if (host == null) {
      space = EventSpace.create(settings);
      try {
        host = MemoryHost.of(space);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return host.client;
  }

  @AfterEach
  void leaveNothingBehind() {
    if (host != null) {
      host.close();
      assertThat(space.stats().subscriptions()).isZero();
      assertThat(space.stats().events()).isEqualTo(space.count(new Event()));
    }
  }
}
