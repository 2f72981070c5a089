package dev.takt.host.text;

import dev.takt.client.MessageLink;
import dev.takt.client.json.EventJson;
import dev.takt.client.json.JsonLimits;
import dev.takt.client.json.JsonReader;
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
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Lets the client of the binary format speak lines: the host's translation the other way round. */
final class LineLink implements MessageLink {
  /** A request without its answer; lines answer also writes that are not to be answered. */
  private record Open(Operation operation, int transaction, boolean isAnswered) {
    boolean isUnanswered(int of) {
      return !isAnswered && transaction == of;
    }
  }

  private static final WireLimits WIRE = WireLimits.DEFAULTS.withMaxKeys(1 << 16);

  private final Transport transport;
  private final MessageReader reader = new MessageReader(WIRE);
  private final MessageWriter writer = new MessageWriter(WIRE);
  private final EventJson json = new EventJson(1 << 16, JsonLimits.DEFAULTS);
  private final Event event = new Event();
  private final Template template = new Template();
  private final Map<Long, Open> open = new ConcurrentHashMap<>();

  /** Why a write without answer was refused, by transactions. */
  private final Map<Integer, String> refused = new ConcurrentHashMap<>();

  private final Queue<byte[]> received = new ConcurrentLinkedQueue<>();
  private final Semaphore wakeUps = new Semaphore(0);
  private final Thread thread;
  private volatile boolean hasEnded;

  LineLink(Transport transport) {
    this.transport = transport;
    thread = Thread.ofPlatform().name("lines of a client").start(this::receive);
  }

  // ---- to the host

  @Override
  public boolean offer(MemorySegment message, int length) throws IOException {
    reader.begin(message, 0, length);
    switch (reader.kind()) {
      case HELLO -> transport.writeLine("#1 hello");
      case RECEIVED -> transport.writeLine("received " + reader.request());
      default -> request();
    }
    return true;
  }

  private void request() throws IOException {
    Operation operation = reader.operation();
    boolean isAnswered =
        operation != Operation.WRITE
            || reader.transaction() == 0
            || reader.number() != Operation.UNANSWERED;
    open.put(reader.request(), new Open(operation, reader.transaction(), isAnswered));
    StringBuilder line = new StringBuilder("#" + reader.request());
    if (reader.transaction() != 0) {
      line.append(" in ").append(reader.transaction());
    }
    long number = reader.number();
    line.append(' ').append(LineRequests.name(told(operation)).replace("await-", "")).append(' ');
    switch (operation) {
      case TAKE_ALL, CANCEL, UNSUBSCRIBE, NEXT, HAS_NEXT -> line.append(number).append(' ');
      case SUBSCRIBE -> line.append(Math.abs(number)).append(' ');
      case BEGIN -> line.append((int) number).append(' ').append(number >>> Integer.SIZE);
      default -> {}
    }
    switch (operation.asked()) {
      case EVENT -> {
        reader.event(event);
        new JsonWriter(line).event(event);
      }
      case TEMPLATE -> {
        reader.template(template);
        new JsonWriter(line).template(template);
      }
      case NONE, EVENTS -> {}
    }
    switch (operation) {
      case AWAIT_TAKE, AWAIT_READ -> line.append(' ').append(time(number));
      case SUBSCRIBE -> line.append(number < 0 ? " quiet" : "");
      default -> {}
    }
    transport.writeLine(line.toString());
  }

  /** Lines do not roll back for a refused write, so this link does, in place of a commit. */
  private Operation told(Operation operation) {
    int transaction = reader.transaction();
    if (operation != Operation.COMMIT) {
      return operation;
    }
    while (!hasEnded && open.values().stream().anyMatch(each -> each.isUnanswered(transaction))) {
      Thread.onSpinWait();
    }
    return refused.containsKey(transaction) ? Operation.ROLLBACK : operation;
  }

  private static String time(long ns) {
    return ns > Long.MAX_VALUE / 2 ? "forever" : Math.max(0, ns) + "ns";
  }

  // ---- from the host

  private void receive() {
    try {
      for (String line = transport.readLine(); line != null; line = transport.readLine()) {
        if (!message(line)) {
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

  /** Translates a line; returns whether there is a message of it. */
  private boolean message(String line) throws IOException {
    String[] words = line.split(" ", 3);
    String rest = words.length == 3 ? words[2] : "";
    if (words[0].equals("match")) {
      writer.notice(Long.parseLong(words[1]));
      return true;
    }
    long request = Long.parseLong(words[0].substring(1));
    Open asked = open.get(request);
    if (asked == null) {
      writer.welcome(WIRE.maxMessageBytes(), settings(rest));
      return true;
    }
    Operation operation = asked.operation;
    if (!asked.isAnswered) {
      if (words[1].equals("error")) {
        refused.putIfAbsent(asked.transaction, rest);
      }
      open.remove(request);
      return false;
    }
    boolean isEnd = operation == Operation.COMMIT || operation == Operation.ROLLBACK;
    String earlier = isEnd ? refused.remove(asked.transaction) : refused.get(asked.transaction);
    if (earlier != null && operation != Operation.ROLLBACK) {
      words[1] = "error";
      rest = earlier;
    }
    switch (words[1]) {
      case "event" -> {
        json.event(new JsonReader(rest, 0, JsonLimits.DEFAULTS).only(), event);
        writer.answer(MessageKind.PART, operation, request, 1).event(event).end();
        return true;
      }
      case "error" -> {
        String[] why = rest.split(" ", 2);
        writer.refusal(operation, request, Refusal.valueOf(why[0].toUpperCase()), why[1]);
      }
      case "none" -> writer.answer(MessageKind.ANSWER, operation, request, 0).end();
      default -> ok(operation, request, rest);
    }
    open.remove(request);
    return true;
  }

  private void ok(Operation operation, long request, String rest) throws IOException {
    boolean isCount = operation == Operation.COUNT || operation == Operation.BEGIN;
    boolean isOne =
        switch (operation) {
          case TRY_WRITE, TEST, TEST_NOW, CANCEL, HAS_NEXT, COMMIT -> true;
          default -> operation.answered() == Operation.Content.EVENT;
        };
    long number = isCount ? Long.parseLong(rest) : isOne ? 1 : 0;
    writer.answer(MessageKind.ANSWER, operation, request, number);
    if (operation.answered() == Operation.Content.EVENT) {
      json.event(new JsonReader(rest, 0, JsonLimits.DEFAULTS).only(), event);
      writer.event(event);
    }
    writer.end();
  }

  private static SpaceSettings settings(String welcome) throws IOException {
    Map<?, ?> all = (Map<?, ?>) new JsonReader(welcome, 0, JsonLimits.DEFAULTS).only();
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
