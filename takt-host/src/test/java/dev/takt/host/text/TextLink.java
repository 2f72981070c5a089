package dev.takt.host.text;

import dev.takt.client.MessageLink;
import dev.takt.client.json.EventJson;
import dev.takt.client.json.JsonLimits;
import dev.takt.client.json.JsonWriter;
import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.MessageReader;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.Refusal;
import dev.takt.client.wire.WireLimits;
import dev.takt.session.Transport;
import dev.takt.space.Event;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Template;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Lets the client of the binary format speak texts: the host's translation the other way round. */
abstract class TextLink implements MessageLink {
  private static final WireLimits WIRE = WireLimits.DEFAULTS.withMaxKeys(1 << 16);

  private final Transport transport;
  private final MessageReader reader = new MessageReader(WIRE);
  private final MessageWriter writer = new MessageWriter(WIRE);
  private final EventJson json = new EventJson(1 << 16, JsonLimits.DEFAULTS);
  private final Event event = new Event();
  private final Template template = new Template();
  private final Map<Long, Operation> open = new ConcurrentHashMap<>();
  private final Queue<byte[]> received = new ConcurrentLinkedQueue<>();
  private final Semaphore wakeUps = new Semaphore(0);
  private final Thread thread;
  private volatile boolean hasEnded;

  TextLink(Transport transport) {
    this.transport = transport;
    thread = Thread.ofPlatform().name("texts of a client").start(this::receive);
  }

  // ---- to the host

  @Override
  public boolean offer(MemorySegment message, int length) throws IOException {
    reader.begin(message, 0, length);
    switch (reader.kind()) {
      case HELLO -> transport.writeLine(hello());
      case RECEIVED -> transport.writeLine(received(reader.request()));
      default -> {
        open.put(reader.request(), reader.operation());
        transport.writeLine(request(reader));
      }
    }
    return true;
  }

  /** Asks for the limits, by number 1. */
  abstract String hello();

  abstract String received(long request);

  /** Makes a text of a request. */
  abstract String request(MessageReader of) throws IOException;

  static String name(Operation operation) {
    return TextRequests.name(operation).replace("await-", "");
  }

  static String time(long ns) {
    return ns > Long.MAX_VALUE / 2 ? "forever" : Math.max(0, ns) + "ns";
  }

  final String event(MessageReader of) throws IOException {
    StringBuilder text = new StringBuilder();
    of.event(event);
    new JsonWriter(text).event(event);
    return text.toString();
  }

  final String template(MessageReader of) throws IOException {
    StringBuilder text = new StringBuilder();
    of.template(template);
    new JsonWriter(text).template(template);
    return text.toString();
  }

  // ---- from the host

  private void receive() {
    try {
      for (String line = transport.readLine(); line != null; line = transport.readLine()) {
        message(line);
        byte[] bytes = new byte[writer.length()];
        MemorySegment.ofArray(bytes).copyFrom(writer.segment().asSlice(0, bytes.length));
        received.add(bytes);
        wakeUps.release();
      }
    } catch (IOException | RuntimeException failure) {
      if (!hasEnded) {
        failure.printStackTrace();
      }
    } finally {
      hasEnded = true;
      wakeUps.release();
    }
  }

  /** Makes a message of a text, by the methods below. */
  abstract void message(String text) throws IOException;

  final void match(long subscription) {
    writer.notice(subscription);
  }

  /** An event as the reader has read it, before the last answer. */
  final void part(long request, Object value) throws IOException {
    json.event(value, event);
    writer.answer(MessageKind.PART, open.get(request), request, 1).event(event).end();
  }

  final void error(long request, String code, String text) {
    Refusal why = Refusal.valueOf(code.toUpperCase(Locale.ROOT));
    writer.refusal(open.remove(request), request, why, text);
  }

  final void none(long request) {
    writer.answer(MessageKind.ANSWER, open.remove(request), request, 0).end();
  }

  /**
   * The last answer.
   *
   * @param value an event, limits, a number, or nothing
   */
  final void done(long request, Object value) throws IOException {
    Operation operation = open.remove(request);
    if (operation == null) {
      writer.welcome(WIRE.maxMessageBytes(), 0, settings((Map<?, ?>) value));
      return;
    }
    boolean isFound = operation.answered() == Operation.Content.EVENT;
    boolean isCount = operation == Operation.COUNT || operation == Operation.BEGIN;
    boolean isOne =
        switch (operation) {
          case TRY_WRITE, TEST, TEST_NOW, CANCEL, HAS_NEXT, COMMIT -> true;
          default -> isFound;
        };
    long number = isCount ? Long.parseLong(value.toString()) : isOne ? 1 : 0;
    writer.answer(MessageKind.ANSWER, operation, request, number);
    if (isFound) {
      json.event(value, event);
      writer.event(event);
    }
    writer.end();
  }

  private static SpaceSettings settings(Map<?, ?> all) {
    int[] values =
        all.values().stream().skip(2).mapToInt(each -> Integer.parseInt(each.toString())).toArray();
    return new SpaceSettings(
        values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7],
        values[8]);
  }

  @Override
  public int poll(MemorySegment into) {
    boolean isOver = hasEnded;
    byte[] message = received.poll();
    if (message == null) {
      return isOver ? ENDED : NONE;
    }
    into.asSlice(0, message.length).copyFrom(MemorySegment.ofArray(message));
    return message.length;
  }

  @Override
  public void await(long timeoutNs) {
    try {
      if (received.isEmpty() && !hasEnded) {
        wakeUps.tryAcquire(timeoutNs, TimeUnit.NANOSECONDS);
      }
      wakeUps.drainPermits();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void wakeUp() {
    wakeUps.release();
  }

  @Override
  public void close() throws IOException {
    hasEnded = true;
    transport.close();
    wakeUps.release();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
