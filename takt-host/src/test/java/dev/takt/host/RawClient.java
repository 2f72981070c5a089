package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.link.Link;
import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.MessageReader;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.WireLimits;
import dev.takt.space.Event;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A client that sends what the test says, also what no client of Takt sends, and waits for none.
 */
final class RawClient implements Closeable {
  final Link link;
  final MessageReader reader = new MessageReader(WireLimits.DEFAULTS);
  private final MessageWriter writer = new MessageWriter(WireLimits.DEFAULTS);
  private final MemorySegment buffer;

  RawClient(Path folder) throws IOException {
    link = Link.connect(folder, 20_000_000_000L);
    buffer = Arena.ofAuto().allocate(link.maxRecordBytes(), Long.BYTES);
  }

  boolean hello() throws IOException {
    writer.hello(link.maxRecordBytes(), "");
    return offer();
  }

  boolean ask(Operation operation, long request, long number, Event content) throws IOException {
    return ask(operation, 0, request, number, content);
  }

  boolean ask(Operation operation, int transaction, long request, long number, Event content)
      throws IOException {
    writer.request(operation, transaction, request, number);
    switch (operation.asked()) {
      case EVENT -> writer.event(content);
      case TEMPLATE -> writer.template(content);
      case NONE, EVENTS -> {}
    }
    writer.end();
    return offer();
  }

  boolean received(long request) throws IOException {
    writer.received(request);
    return offer();
  }

  private boolean offer() throws IOException {
    return link.offer(writer.segment(), 0, writer.length());
  }

  /** Reads the next message, if there is one. */
  boolean poll() throws IOException {
    int length = link.poll(buffer);
    if (length >= 0) {
      reader.begin(buffer, 0, length);
    }
    return length >= 0;
  }

  void expect(MessageKind kind) throws IOException {
    assertThat(poll()).as("a message").isTrue();
    assertThat(reader.kind()).isEqualTo(kind);
  }

  @Override
  public void close() throws IOException {
    link.close();
  }
}
