package dev.takt.client;

import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.WireLimits;
import java.io.IOException;
import java.util.Arrays;

/**
 * What the host is to be told of: taken events that have come. It puts back those that have not
 * when the link ends.
 *
 * <p><b>Thread rule:</b> under the lock of its {@link RequestExchange}.
 */
final class Confirmations {
  private final MessageLink link;
  private final MessageWriter writer;
  private long[] requests = new long[8];
  private int count;

  Confirmations(MessageLink link, WireLimits limits) {
    this.link = link;
    writer = new MessageWriter(limits);
  }

  void add(long request) {
    if (count == requests.length) {
      requests = Arrays.copyOf(requests, 2 * count);
    }
    requests[count++] = request;
  }

  /** Sends as many as there is room for; the rest with the next call. */
  void send() throws IOException {
    int sent = 0;
    while (sent < count) {
      writer.received(requests[sent]);
      if (!link.offer(writer.segment(), writer.length())) {
        break;
      }
      sent++;
    }
    if (sent > 0) {
      count -= sent;
      System.arraycopy(requests, sent, requests, 0, count);
    }
  }
}
