package dev.takt.host.text;

import dev.takt.client.json.JsonException;
import dev.takt.client.wire.MessageBuffer;
import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.Refusal;
import dev.takt.client.wire.WireException;
import dev.takt.client.wire.WireLimits;
import dev.takt.host.ClientAccount;
import dev.takt.host.ClientSession;
import dev.takt.host.HeldBytes;
import dev.takt.host.IdleTime;
import dev.takt.host.Outbox;
import dev.takt.session.LineText;
import dev.takt.session.Session;
import dev.takt.session.SessionStarter;
import dev.takt.session.SocketTransport;
import dev.takt.session.Suspension;
import dev.takt.session.Transport;
import dev.takt.session.TransportException;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * One connection: a session reads requests and has them done, another one writes, so that a client
 * which does not read keeps nobody from ending its transactions in time.
 *
 * <p><b>Thread rule:</b> what both share, with whoever calls {@link #advance}, is guarded by this
 * object, which is never held while somebody waits.
 */
final class TextConnection implements Outbox {
  /** How many lines wait to be written before no further line is read. */
  private static final int ROOM = 64;

  /** How soon a request in conflict is done again, by the session that reads. */
  private static final long CONFLICT_NS = 50_000;

  /** The code of what ends the connection. */
  static final String PROTOCOL = "protocol";

  private static final String TOKEN_PLACE =
      "a token is the first request where one is wanted; go on without, or start the host with"
          + " --tokens FILE";

  private record Line(String text, boolean isConfirming) {}

  private final Transport transport;
  private final ClientAccount account;
  private final TextForm form;
  private final Runnable wake;
  private final ClientSession session;
  private final IdleTime idle;
  private final TextRequests requests;
  private final TextAnswers answers;
  private final MessageWriter received;
  private final Queue<Line> out = new ArrayDeque<>();
  private final HeldText unread;

  /** Of the lines that wait to be written, and of that which is written, together. */
  private int outChars;

  /** Why the connection is ended, if its answers have found no room. */
  private @Nullable TransportException noRoom;

  private @Nullable Suspension reader;
  private @Nullable Suspension writer;

  /** Whether a request without a number is not answered yet. */
  private boolean isOpen;

  private boolean isLast;
  private boolean hasEnded;

  /** Whether a message to the client was long. */
  private boolean hasLong;

  TextConnection(
      EventSpace space,
      ClientAccount account,
      TextForm form,
      Transport transport,
      HeldText unread,
      long idleNs,
      Runnable wake) {
    WireLimits limits = account.rights().limits().wire();
    this.transport = transport;
    this.account = account;
    this.form = form;
    this.unread = unread;
    this.wake = wake;
    session = new ClientSession(space, account, this, wake);
    session.deferConflicts(); // one session tells all clients what has happened
    idle = new IdleTime(idleNs, Suspension.current().nanoTime());
    transport.excuseIdle(idle);
    requests = new TextRequests(form, limits, account.keys());
    answers = form.answers(limits);
    received = new MessageWriter(limits);
    received.hello(limits.maxMessageBytes(), "");
    if (transport instanceof WebSocketTransport web) {
      web.onPing(this::wakeWriter);
      web.paceControls(() -> awaitRate(Suspension.current()));
    }
  }

  // ---- reading

  /** Serves the connection until its end. */
  void serve(SessionStarter sessions) throws IOException, InterruptedException {
    Session<@Nullable Void> writing = sessions.start("writer of lines", this::writeAll);
    try {
      handle(received, Suspension.current().nanoTime());
      while (handleNext(Suspension.current())) {
        // a line is left before the next one comes, which may take long
      }
    } catch (WireException e) {
      String text = String.valueOf(e.getMessage());
      put(answers.error(TextRequests.UNNUMBERED, PROTOCOL, text));
    } catch (TransportException broken) {
      if (transport instanceof SocketTransport lines) {
        lines.endReading(); // before the end: TCP could drop the text if something is unread then
      }
      put(answers.error(TextRequests.UNNUMBERED, PROTOCOL, String.valueOf(broken.getMessage())));
      end();
      writing.await(); // it tells the client why, before the connection is closed
      throw broken;
    } catch (WebSocketException violation) {
      end();
      writing.await();
      throw violation;
    } finally {
      end();
    }
    writing.await();
  }

  /** Reads a request and has it done, when those before are; false if it is the last one. */
  private boolean handleNext(Suspension here) throws IOException, InterruptedException {
    String line = transport.readLine();
    if (line == null) {
      awaitRest(here);
      return false;
    }
    if (form.isHttp(line)) {
      throw new TransportException("a request of HTTP (expected: one that \"help\" tells)");
    }
    awaitTurn(here);
    awaitRate(here);
    boolean goesOn = handle(line, here.nanoTime());
    while (isDeferred(here.nanoTime())) {
      here.await(CONFLICT_NS);
    }
    return goesOn;
  }

  /** Returns whether the request that was handled is in conflict still, and to be done again. */
  private synchronized boolean isDeferred(long nowNs) {
    if (hasEnded || !session.hasDeferred()) {
      return false;
    }
    session.doDeferred(nowNs);
    letGo();
    idle.look(session, nowNs);
    return session.hasDeferred();
  }

  /**
   * Waits until what is answered already has its place. A request that waits for a match is given
   * up: nobody might be there any more to get what it takes.
   */
  private void awaitRest(Suspension here) throws InterruptedException {
    while (true) {
      synchronized (this) {
        if (hasEnded || !session.isAnswering()) {
          reader = null;
          return;
        }
        reader = here;
      }
      here.await(Suspension.FOR_EVER_NS);
    }
  }

  private void awaitTurn(Suspension here) throws InterruptedException, IOException {
    while (true) {
      synchronized (this) {
        if (hasEnded) {
          throw new InterruptedIOException("the connection has ended");
        }
        if (noRoom != null) {
          throw noRoom;
        }
        if (!isOpen && hasRoom() && !session.isAnswering()) {
          reader = null;
          return;
        }
        reader = here;
      }
      here.await(Suspension.FOR_EVER_NS);
    }
  }

  private void awaitRate(Suspension here) throws InterruptedException {
    long nowNs = here.nanoTime();
    long delayNs = account.delayNs(nowNs);
    long endNs = nowNs + delayNs;
    for (long leftNs = delayNs; leftNs > 0; leftNs = endNs - here.nanoTime()) {
      here.await(leftNs);
    }
  }

  /** Does what a request asks for; false if it is the last one. */
  private synchronized boolean handle(String text, long nowNs) throws IOException {
    try {
      switch (requests.translate(text)) {
        case EMPTY -> {}
        case TOKEN -> refuse(Refusal.FORBIDDEN, TOKEN_PLACE);
        case HELLO -> put(answers.limits(requests.request(), answers.welcome()));
        case HELP -> answers.help(requests.request()).forEach(this::put);
        case QUIT -> {
          put(answers.done(requests.request()));
          return false;
        }
        case RECEIVED -> handle(requests.message(), nowNs);
        case MESSAGE -> {
          isOpen = requests.request() == TextRequests.UNNUMBERED;
          handle(requests.message(), nowNs);
        }
      }
    } catch (JsonException | IllegalArgumentException | IllegalStateException e) {
      refuse(Refusal.ARGUMENT, String.valueOf(e.getMessage()));
    }
    requests.letGo();
    if (noRoom != null) {
      throw noRoom;
    }
    return true;
  }

  private void refuse(Refusal why, String text) {
    put(answers.error(requests.request(), why, text));
  }

  private synchronized void handle(MessageWriter message, long nowNs) throws WireException {
    boolean wasTimed = session.isTimed();
    int length = message.length();
    if (length > HeldBytes.SHORT_BYTES) {
      MessageBuffer whole = new MessageBuffer(length);
      MemorySegment.copy(message.segment(), 0, whole.segment(), 0, length);
      session.handle(whole, length, () -> nowNs);
      session.letGo();
    } else {
      session.handle(message.segment(), length, nowNs);
    }
    letGo();
    idle.look(session, nowNs);
    if (!wasTimed && session.isTimed()) {
      wake.run();
    }
  }

  // ---- what happens meanwhile

  /** Tells what has happened; returns whether something ends by time. */
  synchronized boolean advance(long nowNs) {
    if (!hasEnded && (session.isDue() || session.isTimed() || session.isAnswering())) {
      session.tell(nowNs);
      letGo();
      idle.look(session, nowNs);
      resume(reader);
    }
    return !hasEnded && session.isTimed();
  }

  /** Lets go of what a long answer has left. */
  private void letGo() {
    if (hasLong) {
      hasLong = false;
      session.letGo();
      answers.letGo();
    }
  }

  @Override
  public synchronized boolean hasRoom() {
    return out.size() < ROOM && outChars <= HeldBytes.SHORT_BYTES && noRoom == null;
  }

  @Override
  public synchronized void send(MemorySegment message, int length) {
    hasLong |= length > HeldBytes.SHORT_BYTES;
    try {
      answers.translate(message, length, this::put);
    } catch (WireException e) {
      throw wrongMessage(e);
    }
    boolean isEnd =
        answers.message().kind() == MessageKind.ANSWER
            || answers.message().kind() == MessageKind.REFUSAL;
    if (isEnd && answers.message().request() == TextRequests.UNNUMBERED) {
      isOpen = false;
      if (answers.message().kind() == MessageKind.ANSWER
          && answers.message().operation() == Operation.BEGIN) {
        requests.setCurrent((int) answers.message().number());
      }
      if (noRoom == null) { // what was not told is put back
        out.add(new Line("", true));
      }
    }
    resume(reader);
  }

  private synchronized void put(String line) {
    if (noRoom != null || hasEnded) {
      return;
    }
    try {
      unread.resize(outChars + line.length());
      outChars += line.length();
      out.add(new Line(line, false));
    } catch (TransportException full) {
      noRoom = full;
      if (transport instanceof WebSocketTransport web) {
        web.refuse();
      }
      String why = String.valueOf(full.getMessage());
      out.add(new Line(answers.error(TextRequests.UNNUMBERED, PROTOCOL, why), false));
      isLast = true;
    }
    resume(writer);
  }

  private synchronized void wakeWriter() {
    resume(writer);
  }

  private static void resume(@Nullable Suspension waiting) {
    if (waiting != null) {
      waiting.resume();
    }
  }

  // ---- writing

  /** What fails here by a fault of the host is a failure of the session, which its log tells. */
  private @Nullable Void writeAll() throws IOException, InterruptedException {
    Suspension here = Suspension.current();
    try {
      while (true) {
        Line line = next(here);
        if (transport instanceof WebSocketTransport web) {
          web.writePong();
        }
        if (line != null && !line.isConfirming) {
          write(line.text);
          written(line);
        } else if (line != null) {
          confirm();
        } else if (isOver()) {
          return null;
        } else {
          here.await(Suspension.FOR_EVER_NS);
        }
      }
    } finally {
      endNow();
    }
  }

  private void write(String text) throws IOException {
    try {
      transport.writeLine(text);
    } catch (TransportException unwritten) {
      requireLine(text, unwritten);
      throw unwritten; // the connection has ended
    }
  }

  /** A text that no connection takes is no lost connection, of which nobody is told. */
  private static void requireLine(String text, TransportException unwritten) {
    try {
      LineText.encode(text, TextProtocol.MAX_TEXT_BYTES);
    } catch (TransportException notEncoded) {
      throw new IllegalStateException("an answer of the host is no line", unwritten);
    }
  }

  private synchronized @Nullable Line next(Suspension here) {
    Line line = out.poll();
    writer = here;
    if (hasRoom() && (session.isAnswering() || session.isDue())) {
      advance(here.nanoTime());
    }
    resume(reader);
    return line;
  }

  private synchronized void written(Line line) throws TransportException {
    if (!hasEnded && noRoom == null) {
      outChars -= line.text.length();
      unread.resize(outChars);
    }
  }

  private synchronized boolean isOver() {
    return isLast && out.isEmpty();
  }

  /** What was taken by a request without a number has come as far as can be known. */
  private synchronized void confirm() {
    received.received(TextRequests.UNNUMBERED);
    try {
      session.handle(received.segment(), received.length(), 0);
    } catch (WireException e) {
      throw wrongMessage(e);
    }
  }

  private static IllegalStateException wrongMessage(WireException e) {
    return new IllegalStateException("a message of the host is not in the format", e);
  }

  /** Lets what has been answered be written, and nothing more. */
  synchronized void end() {
    isLast = true;
    resume(writer);
  }

  /** Ends the connection, whatever waits to be written. */
  void endNow() {
    synchronized (this) {
      hasEnded = true;
      resume(reader);
    }
    transport.close();
  }

  /** Ends all that the client has begun; returns whether what it has not confirmed is put back. */
  synchronized boolean leave() {
    hasEnded = true;
    out.clear();
    unread.close();
    session.close();
    return session.putBackOrDefer();
  }
}
