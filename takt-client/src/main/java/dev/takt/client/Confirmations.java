package dev.takt.client;

import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.WireLimits;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * What the host is to be told of: taken events that have come. It puts back those of which it was
 * not told when the link ends; so a caller has its answer only when that is sent. By shared memory
 * the host knows it then, and no event is both put back and used; by TCP it may be on its way when
 * the link ends, see {@link RemoteSpace}.
 *
 * <p><b>Thread rule:</b> under the lock of its {@link RequestExchange}.
 */
final class Confirmations {
  private final MessageLink link;
  private final MessageWriter writer;
  private final Consumer<Answer> told;
  private Answer[] answers = new Answer[8];
  private int count;

  /**
   * Makes one.
   *
   * @param told is given each answer of which the host is told
   */
  Confirmations(MessageLink link, WireLimits limits, Consumer<Answer> told) {
    this.link = link;
    this.told = told;
    writer = new MessageWriter(limits);
  }

  /** Tells the host at once where that needs no message; the others with {@link #send}. */
  void add(Answer answer) throws IOException {
    if (link.acknowledge(answer.request)) {
      told.accept(answer);
      return;
    }
    if (count == answers.length) {
      answers = Arrays.copyOf(answers, 2 * count);
    }
    answers[count++] = answer;
  }

  /** Sends as many as there is room for; the rest with the next call. */
  void send() throws IOException {
    int sent = 0;
    while (sent < count) {
      writer.received(answers[sent].request);
      if (!link.offer(writer.segment(), writer.length())) {
        break;
      }
      told.accept(answers[sent++]);
    }
    if (sent > 0) {
      count -= sent;
      System.arraycopy(answers, sent, answers, 0, count);
    }
  }
}
