package dev.takt.host.text;

import dev.takt.client.MessageLink;
import dev.takt.client.json.EventJson;
import dev.takt.client.json.JsonLimits;
import dev.takt.client.json.JsonWriter;
import dev.takt.client.wire.KeyTree;
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
  /** A request without its answer; texts answer also writes that are not to be answered. */
  private record Open(Operation operation, int transaction, boolean isAnswered) {
    boolean isUnanswered(int of) {
      return !isAnswered && transaction == of;
    }
  }

  /** Why a transaction is to be undone. */
  private record Refused(Refusal why, String text) {}

  private static final WireLimits WIRE = WireLimits.DEFAULTS.withMaxKeys(1 << 16);

  private final Transport transport;
  private final MessageReader reader = new MessageReader(WIRE);
  private final MessageWriter writer = new MessageWriter(WIRE);
  private final EventJson json = new EventJson(new KeyTree(1 << 16), JsonLimits.DEFAULTS);

  /** Of the threads that ask, one at a time. */
  private final Event asked = new Event();

  /** Of the receiving thread. */
  private final Event found = new Event();

  private final Template template = new Template();
  private final Map<Long, Open> open = new ConcurrentHashMap<>();

  /** What refuses a write without an answer, by transactions. */
  private final Map<Integer, Refused> refused = new ConcurrentHashMap<>();

  private final Queue<byte[]> received = new ConcurrentLinkedQueue<>();
  private final Semaphore wakeUps = new Semaphore(0);
  private final Thread thread;
  private volatile boolean hasEnded;

  /** Whether a text has made a message: of the receiving thread. */
  private boolean hasMessage;

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
        Operation operation = reader.operation();
        boolean isAnswered =
            operation != Operation.WRITE
                || reader.transaction() == 0
                || reader.number() != Operation.UNANSWERED;
        open.put(reader.request(), new Open(operation, reader.transaction(), isAnswered));
        transport.writeLine(request(reader));
      }
    }
    return true;
  }

  /**
   * Returns the operation that is asked for by text: a host does not roll back for a refused write
   * that was answered, so this link does, in place of a commit.
   */
  final Operation told(MessageReader of) {
    int transaction = of.transaction();
    if (of.operation() != Operation.COMMIT) {
      return of.operation();
    }
    while (!hasEnded && open.values().stream().anyMatch(each -> each.isUnanswered(transaction))) {
      Thread.onSpinWait();
    }
    return refused.containsKey(transaction) ? Operation.ROLLBACK : Operation.COMMIT;
  }

  /** Asks for the limits, by number 1. */
  abstract String hello();

  abstract String received(long request);

  /** Makes a text of a request. */
  abstract String request(MessageReader of) throws IOException;

  static String name(Operation operation) {
    return operation.word().replace("await-", "");
  }

  static String time(long ns) {
    return ns > Long.MAX_VALUE / 2 ? "forever" : Math.max(0, ns) + "ns";
  }

  final String event(MessageReader of) throws IOException {
    StringBuilder text = new StringBuilder();
    of.event(asked);
    new JsonWriter(text).event(asked);
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
        hasMessage = true;
        message(line);
        if (!hasMessage) {
          continue;
        }
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
    json.event(value, found);
    writer.answer(MessageKind.PART, open.get(request).operation, request, 1).event(found).end();
  }

  final void error(long request, String code, String text) {
    Refused why = new Refused(Refusal.valueOf(code.toUpperCase(Locale.ROOT)), text);
    Open asked = open.get(request);
    if (asked.isAnswered) {
      refuse(asked, request, refused.getOrDefault(asked.transaction, why));
    } else {
      refused.putIfAbsent(asked.transaction, why);
      hasMessage = false;
    }
    open.remove(request); // after it is known: a commit waits for that
  }

  private void refuse(Open asked, long request, Refused as) {
    if (asked.operation == Operation.COMMIT || asked.operation == Operation.ROLLBACK) {
      refused.remove(asked.transaction);
    }
    writer.refusal(asked.operation, request, as.why, as.text);
  }

  /** Returns whether a request has another answer, or none, because of an earlier write. */
  private boolean isOtherwise(Open asked, long request) {
    Refused earlier = refused.get(asked.transaction);
    if (!asked.isAnswered) {
      hasMessage = false;
    } else if (asked.operation == Operation.ROLLBACK) {
      refused.remove(asked.transaction);
      return false;
    } else if (earlier != null) {
      refuse(asked, request, earlier);
    }
    return !asked.isAnswered || earlier != null;
  }

  final void none(long request) {
    Open asked = open.remove(request);
    if (!isOtherwise(asked, request)) {
      writer.answer(MessageKind.ANSWER, asked.operation, request, 0).end();
    }
  }

  /**
   * The last answer.
   *
   * @param value an event, limits, a number, or nothing
   */
  final void done(long request, Object value) throws IOException {
    Open asked = open.remove(request);
    if (asked == null) {
      writer.welcome(WIRE.maxMessageBytes(), 0, settings((Map<?, ?>) value));
      return;
    }
    if (isOtherwise(asked, request)) {
      return;
    }
    Operation operation = asked.operation;
    boolean isFound = operation.answered() == Operation.Content.EVENT;
    boolean isCount = operation == Operation.COUNT || operation == Operation.BEGIN;
    boolean isOne =
        switch (operation) {
          case TRY_WRITE, TEST, TEST_NOW, CANCEL, HAS_NEXT, IS_RUNNING, COMMIT -> true;
          default -> isFound;
        };
    long number = isCount ? Long.parseLong(value.toString()) : isOne ? 1 : 0;
    writer.answer(MessageKind.ANSWER, operation, request, number);
    if (isFound) {
      json.event(value, found);
      writer.event(found);
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
