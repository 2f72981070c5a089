package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.wire.MessageKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/** A test that is the thread which serves all links of a host. */
abstract class LinkServing {
  Path folder;
  LinkServer server;

  final void serveUntil(BooleanSupplier isSo) {
    long begin = System.nanoTime();
    while (!isSo.getAsBoolean()) {
      assertThat(System.nanoTime() - begin).as("time without end").isLessThan(20_000_000_000L);
      server.serve(64);
    }
  }

  final RawClient greeted() throws IOException {
    RawClient client = new RawClient(folder);
    assertThat(client.hello()).isTrue();
    serveUntil(() -> has(client));
    assertThat(client.reader.kind()).isEqualTo(MessageKind.WELCOME);
    return client;
  }

  static boolean has(RawClient client) {
    try {
      return client.poll();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
