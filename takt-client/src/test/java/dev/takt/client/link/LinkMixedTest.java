package dev.takt.client.link;

import java.io.IOException;

/** The same where one client has native access and the next one does not. */
class LinkMixedTest extends LinkTest {
  @Override
  Link connect() throws IOException {
    return LinkConnector.connect(folder(), LinkPair.LONG_NS, false, () -> false);
  }
}
