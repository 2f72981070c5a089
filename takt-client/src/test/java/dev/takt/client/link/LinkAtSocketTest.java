package dev.takt.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;

/** The same without native access: both sides sleep at the socket. */
class LinkAtSocketTest extends LinkTest {
  @Override
  LinkPair newPair() throws Exception {
    LinkPair pair = new LinkPair(folder(), SMALL, false);
    assertThat(pair.client.isFutex()).as("sleeps at a futex").isFalse();
    return pair;
  }

  @Override
  Link connect() throws IOException {
    return LinkConnector.connect(folder(), LinkPair.LONG_NS, false, () -> false);
  }
}
