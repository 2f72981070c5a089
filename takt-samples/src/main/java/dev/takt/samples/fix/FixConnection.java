package dev.takt.samples.fix;

import dev.takt.session.Session;
import dev.takt.session.SessionStarter;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * One connection, from its first byte to its last: the protocol of the acceptor as sequential code
 * that reads a message and answers it.
 *
 * <p>The rules are those of FIX 4.4, volume 2, "FIX Session Protocol", and of its test cases.
 *
 * <p><b>Assumptions.</b> The wire ends its waits when it is closed. The clock of the settings
 * differs from that of the peer by less than {@link FixSettings#maxClockSkew}.
 *
 * <p><b>Guarantees.</b> The state changes by whole steps only, and nothing is written before its
 * step is safe. When {@link #serve} is over, however it ends, the connection is closed, no session
 * of it goes on, and its peer may log on again. No wait is without a limit, but that for a peer
 * that has asked for no heartbeats.
 *
 * <p><b>Memory:</b> two of the longest messages, and two sessions.
 *
 * <p><b>Thread rule:</b> {@link #serve} once, by a session; {@link #endSoon} and {@link #abandon}
 * by any thread.
 */
final class FixConnection {
  private static final long SECOND_NS = 1_000_000_000;

  /** A time that is none: those of the machine may be negative. */
  private static final long NEVER = Long.MIN_VALUE;

  /** The longest wait for bytes: how late the end of the gateway or a stuck write is seen. */
  private static final long LOOK_NS = FixLink.LOOK_NS;

  /** How long the rest of a message may take that has begun to come, or a heartbeat if shorter. */
  private static final long REST_NS = 10 * SECOND_NS;

  private static final long GOODBYE_NS = SECOND_NS;
  private static final long LOGOUT_NS = 2 * SECOND_NS;

  /** What a ResendRequest of FIX 4.2 may have for "all". */
  private static final long ALL_42 = 999_999;

  private final FixWire wire;
  private final FixStore store;
  private final FixSettings settings;
  private final SessionStarter sessions;
  private final Set<String> loggedOn;
  private final FixParser parser;

  // ---- from the Logon on

  private String version;
  private String target;
  private String peer;
  private FixLink link;
  private FixChecks checks;
  private NewOrders orders;
  private long heartBeatNs;
  private Session<?> reporter;

  // ---- while it goes on

  /** The number of the next message. */
  private long expected;

  private long readNs;

  /** What is missing before the messages that have come. */
  private final FixGap gap = new FixGap();

  /** When a TestRequest was sent that nothing has answered, or {@link #NEVER}. */
  private long testNs = NEVER;

  /** When this end has sent Logout, or {@link #NEVER}. */
  private long logoutNs = NEVER;

  private boolean ended;
  private volatile boolean ending;

  /**
   * Makes one.
   *
   * @param sessions starts the session that reports fills
   * @param loggedOn the peers that have a connection
   */
  FixConnection(
      FixWire wire,
      FixStore store,
      FixSettings settings,
      SessionStarter sessions,
      Set<String> loggedOn) {
    this.wire = wire;
    this.store = store;
    this.settings = settings;
    this.sessions = sessions;
    this.loggedOn = loggedOn;
    parser = new FixParser(settings);
  }

  /** Returns a set for peers that have a connection. */
  static Set<String> noneLoggedOn() {
    return ConcurrentHashMap.newKeySet();
  }

  /** Lets it log out soon. */
  void endSoon() {
    ending = true;
  }

  /** Ends it at once, without a word. */
  void abandon() {
    ending = true;
    wire.close();
  }

  /** Returns how many messages were passed over because they were garbled. */
  long garbled() {
    return parser.garbled();
  }

  /**
   * Serves the connection, which is closed afterwards.
   *
   * @throws IOException if it breaks, the other end does not keep to the protocol, or there are
   *     {@link FixSettings#maxPeers} sessions already
   */
  void serve() throws IOException, InterruptedException {
    try (wire) {
      FixMessage logon = first();
      if (logon == null) {
        return;
      }
      identify(logon);
      if (!loggedOn.add(peer)) {
        // without a message: that would take a number of the session that goes on
        throw new IOException("peer " + peer + " has a connection already (expected: one)");
      }
      String problem;
      try {
        problem = open(logon);
        if (problem == null) {
          converse(logon);
        }
      } finally {
        // before the goodbye: a peer that has seen the end may come again at once
        loggedOn.remove(peer);
      }
      if (problem != null) {
        throw refused(problem);
      }
      sayGoodbye();
    }
  }

  /** Makes the state of the session, or returns why this Logon does not begin it; null: it does. */
  private String open(FixMessage logon) {
    String problem = store.has(peer) ? null : checks.logonProblem(logon, 1);
    if (problem == null) {
      try {
        store.open(peer);
      } catch (IOException full) {
        problem = full.getMessage();
      }
    }
    return problem;
  }

  /** Says why there is no session, with the first number: one that has none has no other. */
  private IOException refused(String why) throws IOException {
    String fields =
        FixText.field(FixTag.MSG_TYPE, FixType.LOGOUT)
            + FixText.field(FixTag.SENDER_COMP_ID, settings.compId())
            + FixText.field(FixTag.TARGET_COMP_ID, target)
            + FixText.field(FixTag.MSG_SEQ_NUM, 1)
            + FixText.field(FixTag.SENDING_TIME, FixText.time(settings.clock().instant()))
            + FixText.text(FixTag.TEXT, why);
    wire.write(FixText.message(version, fields));
    sayGoodbye();
    return new IOException("Logon of " + peer + " is refused: " + why);
  }

  private void converse(FixMessage logon) throws IOException, InterruptedException {
    link = new FixLink(wire, store, settings, version, target);
    store.purge(peer);
    expected = store.numbers(peer).in();
    readNs = wire.nanoTime();
    boolean inOrder = false;
    try {
      logOn(logon);
      if (!ended) {
        orders = new NewOrders(settings, version);
        reporter = sessions.start("fills of " + peer, this::report);
      }
      while (!ended) {
        FixMessage message = parser.next();
        if (message != null) {
          link.requireMoving();
          readNs = wire.nanoTime();
          testNs = NEVER;
          handle(message);
        } else if (parser.fill(wire, LOOK_NS) == FixWire.END) {
          throw new EOFException(peer + " has closed without Logout");
        } else {
          look(wire.nanoTime());
        }
      }
      link.end();
      inOrder = true;
    } finally {
      if (!inOrder) {
        wire.close();
      }
      if (reporter != null) {
        reporter.cancel();
        awaitReporter();
      }
    }
  }

  /** The next connection of this session may begin only when this one gives no more numbers. */
  private void awaitReporter() {
    boolean interrupted = false;
    while (reporter.outcome() == null) {
      try {
        reporter.await();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets the other end read the Logout: closing with unread bytes would take it back. */
  private void sayGoodbye() throws IOException {
    wire.endOutput();
    long endNs = wire.nanoTime() + GOODBYE_NS;
    byte[] rest = new byte[512];
    for (long leftNs = GOODBYE_NS; leftNs > 0; leftNs = endNs - wire.nanoTime()) {
      if (wire.read(rest, 0, rest.length, leftNs) == FixWire.END) {
        return;
      }
    }
  }

  // ---- logging on

  /** Returns the first message, or null if none comes because one of the ends does. */
  private FixMessage first() throws IOException {
    long endNs = wire.nanoTime() + settings.logonTimeout().toNanos();
    while (true) {
      FixMessage message = parser.next();
      long leftNs = endNs - wire.nanoTime();
      if (message != null || ending) {
        return message;
      }
      if (leftNs <= 0) {
        long timeoutMs = settings.logonTimeout().toMillis();
        throw new IOException("no whole message within " + timeoutMs + " ms (expected: a Logon)");
      }
      if (parser.fill(wire, Math.min(leftNs, LOOK_NS)) == FixWire.END) {
        return null;
      }
    }
  }

  /** Takes who the peer is from a Logon to this gateway; most of what else comes has no answer. */
  private void identify(FixMessage logon) throws IOException {
    String problem = FixChecks.doorProblem(logon);
    if (problem != null) {
      throw new IOException(problem);
    }
    version = logon.beginString();
    target = logon.text(FixTag.SENDER_COMP_ID);
    peer = version + ":" + target;
    checks = new FixChecks(settings, target);
    if (!checks.isToHere(logon)) {
      String to = String.valueOf(logon.text(FixTag.TARGET_COMP_ID));
      throw refused(
          "TargetCompID is %s (expected: %s)".formatted(FixText.clean(to), settings.compId()));
    }
  }

  /** The first message, or one that resets the numbers later. */
  private void logOn(FixMessage logon) throws IOException, InterruptedException {
    String problem = checks.logonProblem(logon, expected);
    if (problem != null) {
      logOut(problem);
      return;
    }
    long heartBeatS = logon.number(FixTag.HEART_BT_INT);
    heartBeatNs = heartBeatS * SECOND_NS;
    acceptLogon(logon.seq(), logon.isYes(FixTag.RESET_SEQ_NUM_FLAG), heartBeatS);
  }

  private void acceptLogon(long seq, boolean resets, long heartBeatS)
      throws IOException, InterruptedException {
    String body =
        FixText.field(FixTag.ENCRYPT_METHOD, 0)
            + FixText.field(FixTag.HEART_BT_INT, heartBeatS)
            + (resets ? FixText.field(FixTag.RESET_SEQ_NUM_FLAG, "Y") : "");
    boolean inTurn = resets || seq == expected;
    link.step(
        step -> {
          if (resets) {
            step.reset();
          }
          if (inTurn) {
            step.received();
          }
          step.send(FixType.LOGON, body);
        });
    if (resets) {
      store.purge(peer);
      expected = 1;
      gap.close();
    }
    if (inTurn) {
      expected++;
    } else {
      gap.reach(seq);
      ask();
    }
  }

  private Void report() throws IOException, InterruptedException {
    try {
      while (true) {
        link.reportFills(Duration.ofNanos(LOOK_NS));
      }
    } catch (Throwable failure) {
      if (!link.isEnded()) {
        wire.close(); // else the connection would go on without reports
      }
      throw failure;
    }
  }

  // ---- time

  /** What is due although nothing has come. */
  private void look(long nowNs) throws IOException, InterruptedException {
    link.requireMoving();
    parser.passOverLate(nowNs, heartBeatNs > 0 ? Math.min(heartBeatNs, REST_NS) : REST_NS);
    if (logoutNs != NEVER) {
      ended = nowNs - logoutNs > LOGOUT_NS;
      return;
    }
    if (ending) {
      link.step(step -> step.send(FixType.LOGOUT, FixText.text(FixTag.TEXT, "the gateway ends")));
      logoutNs = nowNs;
      return;
    }
    if (heartBeatNs > 0) {
      beat(nowNs);
    }
    if (gap.isDue(expected, heartBeatNs, nowNs)) {
      if (gap.isLost()) {
        logOut("messages from " + expected + " on were asked for and have not come");
      } else {
        ask();
      }
    }
  }

  private void beat(long nowNs) throws IOException, InterruptedException {
    if (nowNs - link.writtenNs() >= heartBeatNs) {
      link.step(step -> step.send(FixType.HEARTBEAT, ""));
    }
    long silentNs = heartBeatNs + heartBeatNs / 5;
    if (testNs == NEVER && nowNs - readNs > silentNs) {
      testNs = nowNs;
      String id = FixText.field(FixTag.TEST_REQ_ID, "takt-" + expected);
      link.step(step -> step.send(FixType.TEST_REQUEST, id));
    } else if (testNs != NEVER && nowNs - testNs > silentNs) {
      throw new IOException(peer + " is silent: it has not answered a TestRequest");
    }
  }

  // ---- messages

  private void handle(FixMessage message) throws IOException, InterruptedException {
    long seq = message.seq();
    if (!message.beginString().equals(version)) {
      logOut("BeginString is " + message.beginString() + " (expected: " + version + ")");
    } else if (seq < 1) {
      logOut("MsgSeqNum is missing or no number from 1 on");
    } else if (message.isType(FixType.LOGON)
        && message.isYes(FixTag.RESET_SEQ_NUM_FLAG)
        && seq == 1) {
      logOn(message);
    } else if (message.isType(FixType.SEQUENCE_RESET) && !message.isYes(FixTag.GAP_FILL_FLAG)) {
      reset(message);
    } else if (seq < expected) {
      handleLow(message);
    } else if (seq > expected) {
      handleHigh(message);
    } else {
      handleInTurn(message);
      gap.shrink(expected, wire.nanoTime());
    }
  }

  private void handleLow(FixMessage message) throws IOException, InterruptedException {
    if (!message.isPossDup()) {
      logOut(FixChecks.tooLow(message.seq(), expected));
      return;
    }
    Instant original = FixText.time(message.text(FixTag.ORIG_SENDING_TIME));
    Instant sent = FixText.time(message.text(FixTag.SENDING_TIME));
    if (message.isType(FixType.SEQUENCE_RESET)) {
      return; // it was received before, and its times do not matter
    }
    if (original == null) {
      reject(message, FixRefusal.missing(FixTag.ORIG_SENDING_TIME), false);
    } else if (sent == null || original.isAfter(sent)) {
      String wrong = "OrigSendingTime is after SendingTime";
      reject(message, new FixRefusal(FixRefusal.SENDING_TIME, 0, wrong), false);
    }
  }

  /** What must not wait for the gap is answered; all else comes again, behind what is missing. */
  private void handleHigh(FixMessage message) throws IOException, InterruptedException {
    FixRefusal refusal = checks.headerRefusal(message);
    if (refusal != null) {
      if (refusal.endsSession()) {
        reject(message, refusal, false);
      }
    } else if (message.isType(FixType.RESEND_REQUEST)) {
      resend(message);
    } else if (message.isType(FixType.TEST_REQUEST) && message.has(FixTag.TEST_REQ_ID)) {
      link.step(step -> step.send(FixType.HEARTBEAT, heartbeatBody(message)));
    } else if (message.isType(FixType.LOGOUT)) {
      if (logoutNs == NEVER) {
        link.step(step -> step.send(FixType.LOGOUT, ""));
      }
      ended = true;
    }
    if (!ended) {
      boolean asked = gap.isOpen();
      gap.reach(message.seq());
      if (!asked) {
        ask();
      }
    }
  }

  private void ask() throws IOException, InterruptedException {
    gap.asked(wire.nanoTime());
    String range =
        FixText.field(FixTag.BEGIN_SEQ_NO, expected) + FixText.field(FixTag.END_SEQ_NO, 0);
    link.step(step -> step.send(FixType.RESEND_REQUEST, range));
  }

  private static String heartbeatBody(FixMessage message) {
    return FixText.field(FixTag.TEST_REQ_ID, message.text(FixTag.TEST_REQ_ID)); // as it came
  }

  private void handleInTurn(FixMessage message) throws IOException, InterruptedException {
    FixRefusal refusal = checks.headerRefusal(message);
    if (refusal == null) {
      refusal = bodyRefusal(message);
    }
    if (refusal != null) {
      reject(message, refusal, true);
      return;
    }
    switch (message.type()) {
      case FixType.HEARTBEAT, FixType.REJECT, FixType.BUSINESS_MESSAGE_REJECT -> received(_ -> {});
      case FixType.TEST_REQUEST ->
          received(step -> step.send(FixType.HEARTBEAT, heartbeatBody(message)));
      case FixType.RESEND_REQUEST -> {
        received(_ -> {});
        resend(message);
      }
      case FixType.SEQUENCE_RESET -> expect(message.number(FixTag.NEW_SEQ_NO));
      case FixType.LOGOUT -> {
        boolean answers = logoutNs == NEVER;
        received(
            step -> {
              if (answers) {
                step.send(FixType.LOGOUT, "");
              }
            });
        ended = true;
      }
      case FixType.NEW_ORDER_SINGLE -> received(step -> orders.enter(message, step));
      default ->
          received(
              step ->
                  step.sendKept(FixType.BUSINESS_MESSAGE_REJECT, FixRejects.unsupported(message)));
    }
  }

  private void received(Consumer<FixStep> more) throws IOException, InterruptedException {
    link.step(
        step -> {
          step.received();
          more.accept(step);
        });
    expected++;
  }

  private void expect(long seq) throws IOException, InterruptedException {
    link.step(step -> step.expect(seq));
    expected = seq;
  }

  /** Returns what is wrong behind the header, or null. */
  private FixRefusal bodyRefusal(FixMessage message) {
    String type = message.type();
    return switch (type) {
      case FixType.TEST_REQUEST ->
          message.has(FixTag.TEST_REQ_ID) ? null : FixRefusal.missing(FixTag.TEST_REQ_ID);
      case FixType.RESEND_REQUEST -> FixChecks.rangeRefusal(message, store.numbers(peer).out());
      case FixType.SEQUENCE_RESET -> FixChecks.newSeqRefusal(message, message.seq() + 1);
      case FixType.LOGON -> new FixRefusal(FixRefusal.NONE, 0, "the session is logged on already");
      case FixType.NEW_ORDER_SINGLE -> orders.refusal(message);
      default -> FixChecks.typeRefusal(type);
    };
  }

  private void resend(FixMessage request) throws IOException, InterruptedException {
    if (FixChecks.rangeRefusal(request, store.numbers(peer).out()) != null) {
      return; // it is refused when it comes in turn
    }
    long begin = request.number(FixTag.BEGIN_SEQ_NO);
    long end = request.number(FixTag.END_SEQ_NO);
    long dropped = store.numbers(peer).dropped();
    if (begin <= dropped) {
      logOut(
          "messages up to %s are no longer kept (limit=%s); log on with ResetSeqNumFlag"
              .formatted(dropped, settings.maxKept()));
      return;
    }
    link.resend(begin, end == 0 || end == ALL_42 ? Long.MAX_VALUE : end);
  }

  /** A SequenceReset that fills no gap: its own number does not matter. */
  private void reset(FixMessage message) throws IOException, InterruptedException {
    FixRefusal refusal = checks.headerRefusal(message);
    if (refusal == null) {
      refusal = FixChecks.newSeqRefusal(message, expected);
    }
    if (refusal != null) {
      reject(message, refusal, false);
    } else {
      expect(message.number(FixTag.NEW_SEQ_NO));
      gap.close();
    }
  }

  private void reject(FixMessage message, FixRefusal refusal, boolean inTurn)
      throws IOException, InterruptedException {
    String body = FixRejects.rejected(message, refusal);
    if (inTurn) {
      received(step -> step.send(FixType.REJECT, body));
    } else {
      link.step(step -> step.send(FixType.REJECT, body));
    }
    if (refusal.endsSession()) {
      logOut(refusal.text());
    }
  }

  /** Ends the session, and says why. */
  private void logOut(String text) throws IOException, InterruptedException {
    if (!ended) {
      link.step(step -> step.send(FixType.LOGOUT, FixText.text(FixTag.TEXT, text)));
      ended = true;
    }
  }
}
