package dev.takt.samples.fix;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A client that keeps to the protocol: it numbers what it sends, keeps its orders, sends them again
 * when it is asked, and asks for what it has missed. It outlives the gateway's restarts, and counts
 * each report once, by its number.
 */
final class ModelPeer {
  /** What it has read of one order. */
  static final class Progress {
    int taken;
    int filled;
    final List<String> executions = new ArrayList<>();
  }

  private record Sent(String type, String time, String body) {}

  private final String version;
  private final int quantity;
  private final int orders;
  private final InstantSource clock;
  private final Map<String, Progress> progress = new HashMap<>();
  private final List<String> wrong = new ArrayList<>();

  /** What has the number n is at n - 1. */
  private final List<Sent> sent = new ArrayList<>();

  private long expected = 1;
  private int ordered;
  private Runnable onReport = () -> {};
  private FixWire wire;
  private FixParser parser;
  private long asked;

  /**
   * Makes one.
   *
   * @param orders how many it is to send
   * @param quantity of each
   */
  ModelPeer(String version, int orders, int quantity) {
    this(version, orders, quantity, InstantSource.system());
  }

  /** As {@link #ModelPeer(String, int, int)}, with a time of day. */
  ModelPeer(String version, int orders, int quantity, InstantSource clock) {
    this.version = version;
    this.orders = orders;
    this.quantity = quantity;
    this.clock = clock;
  }

  /** Returns what was read of each order. */
  Map<String, Progress> progress() {
    return progress;
  }

  /** Returns what the gateway has done wrong. */
  List<String> wrong() {
    return wrong;
  }

  /** Does something at each report that it reads. */
  void onReport(Runnable action) {
    onReport = action;
  }

  boolean isDone() {
    return progress.size() == orders
        && progress.values().stream().allMatch(each -> each.filled >= quantity);
  }

  /**
   * Speaks with the gateway until all is done or the connection ends.
   *
   * @return whether all is done
   * @throws SocketTimeoutException if that takes longer than 30 s
   */
  boolean converse(Socket socket) throws SocketTimeoutException {
    asked = 0;
    parser = new FixParser(FixSettings.DEFAULTS.withMessages(65_536, 256, 1_000_000));
    try (SocketWire connection = new SocketWire(socket)) {
      wire = connection;
      send("A", "98=0|108=30|");
      long endNs = wire.nanoTime() + 30_000_000_000L;
      boolean loggedOn = false;
      while (!isDone()) {
        FixMessage message = parser.next();
        if (message == null) {
          if (wire.nanoTime() - endNs > 0) {
            throw new SocketTimeoutException("no progress within 30 s; " + this);
          }
          if (parser.fill(wire, 1_000_000_000) == FixWire.END) {
            return false;
          }
          continue;
        }
        handle(message);
        loggedOn |= message.isType("A");
        if (loggedOn && ordered < orders) {
          order();
        }
      }
      return true;
    } catch (SocketTimeoutException silent) {
      throw silent;
    } catch (IOException broken) {
      return false;
    }
  }

  private void order() throws IOException {
    String id = "order-" + ordered++;
    String time = FixText.time(clock.instant());
    send("D", "11=%s|21=1|55=ACME|54=1|38=%d|40=1|60=%s|".formatted(id, quantity, time));
    if (ordered % 2 == 0) {
      send("1", "112=test|"); // has a number, and is no order
    }
  }

  private void send(String type, String body) throws IOException {
    sent.add(new Sent(type, FixText.time(clock.instant()), body));
    write(sent.size(), sent.getLast(), "");
  }

  private void write(long seq, Sent message, String header) throws IOException {
    String time = header.isEmpty() ? message.time : FixText.time(clock.instant());
    String fields =
        "35=%s|49=MODEL|56=TAKT|34=%d|%s52=%s|%s"
            .formatted(message.type, seq, header, time, message.body);
    wire.write(FixText.message(version, fields.replace('|', '\001')));
  }

  private void handle(FixMessage message) throws IOException {
    if (message.isType("2")) {
      resend(message.number(FixTag.BEGIN_SEQ_NO));
    }
    if (message.isType("5")) {
      wrong.add("logged out: " + message);
    }
    long seq = message.seq();
    if (seq > expected) {
      if (asked == 0) {
        asked = expected;
        send("2", "7=" + expected + "|16=0|");
      }
      return;
    }
    if (seq < expected) {
      if (!message.isPossDup()) {
        wrong.add("number is too low, expected " + expected + ": " + message);
      }
      return;
    }
    asked = 0;
    expected = message.isType("4") ? message.number(FixTag.NEW_SEQ_NO) : seq + 1;
    if (message.isType("8")) {
      report(message);
    } else if (message.isType("3") || message.isType("j")) {
      wrong.add("rejected: " + message);
    }
  }

  private void resend(long begin) throws IOException {
    long end = sent.size();
    for (long seq = begin; seq <= end; seq++) {
      Sent message = sent.get((int) seq - 1);
      String again = "43=Y|122=" + message.time + "|";
      if (message.type.equals("D")) {
        write(seq, message, again);
      } else {
        write(seq, new Sent("4", message.time, "123=Y|36=" + (seq + 1) + "|"), again);
      }
    }
  }

  private void report(FixMessage message) {
    onReport.run();
    Progress order = progress.computeIfAbsent(message.text(FixTag.CL_ORD_ID), _ -> new Progress());
    String execution = message.text(FixTag.EXEC_ID);
    if (order.executions.contains(execution)) {
      wrong.add("execution is there twice: " + message);
    }
    order.executions.add(execution);
    switch (message.text(FixTag.EXEC_TYPE)) {
      case "0" -> order.taken++;
      case "1", "2", "F" -> order.filled += (int) message.number(FixTag.LAST_QTY);
      default -> wrong.add("unexpected: " + message);
    }
  }

  @Override
  public String toString() {
    return "expected %s, sent %s, wrong %s".formatted(expected, sent.size(), wrong);
  }
}
