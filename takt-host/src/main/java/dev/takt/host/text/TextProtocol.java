package dev.takt.host.text;

import dev.takt.client.json.JsonException;
import dev.takt.client.wire.KeyTree;
import dev.takt.client.wire.Refusal;
import dev.takt.client.wire.WireLimits;
import dev.takt.host.ClientAccount;
import dev.takt.host.ClientAccounts;
import dev.takt.host.HeldBytes;
import dev.takt.host.TcpLimits;
import dev.takt.session.SessionStarter;
import dev.takt.session.Suspension;
import dev.takt.session.Transport;
import dev.takt.session.TransportException;
import dev.takt.session.TransportServer;
import dev.takt.space.EventSpace;
import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Serves clients that speak by texts, see the page of the package.
 *
 * <p><b>Assumptions:</b> its sessions are cancelled when it is to end, or {@link #end} is called.
 *
 * <p><b>Guarantees:</b> each client has what its {@link ClientAccount} says. When its connection
 * ends, nothing of it is left in the space but what it has written; what it has taken and not
 * confirmed is put back. A client that does not read is not listened to. Where clients need a
 * token, it is the first that is read of them, and nothing else is done before. A fault of the host
 * in what it does for one client is logged and costs that client alone. A client whose answers that
 * it has not read are longer than 16 KB is cut off if too many others of their kind are on their
 * way, and is told so.
 *
 * <p><b>Thread rule:</b> {@link #serve} is called by a session for each connection. Each connection
 * has a second session, which writes, and all together one that tells what happens meanwhile.
 *
 * <p><b>Memory:</b> for each connection a {@code ClientSession}, its transport, and what waits to
 * be written: 64 lines or 16 KB, and one answer, or 64 events of one, with which they are more. For
 * what is longer {@link TcpLimits#maxOutgoingBytes} together. Of a long request and a long answer
 * nothing is kept.
 *
 * {@snippet :
 * TextProtocol lines = TextProtocol.start(space, accounts, TextForm.LINES, limits, sessions);
 * TransportServer server = TransportServer.open(address, null, settings, sessions, lines);
 * }
 */
public final class TextProtocol implements TransportServer.Protocol {
  private static final Logger LOG = System.getLogger(TextProtocol.class.getName());
  private static final long LOOK_NS = 1_000_000;

  /** No text is longer, in bytes. */
  static final int MAX_TEXT_BYTES = 1 << 24;

  /** For a token; nothing else is said by a client that is not known. */
  private static final WireLimits OF_TOKEN = WireLimits.DEFAULTS.withMaxMessageBytes(512);

  private final EventSpace space;
  private final ClientAccounts accounts;
  private final TextForm form;
  private final long idleNs;
  private final SessionStarter sessions;

  /** Long answers that are on their way, of all connections. */
  final HeldBytes outgoing;

  private final List<TextConnection> clients = new CopyOnWriteArrayList<>();

  /** For which the space had no room to put everything back. */
  private final ConcurrentLinkedQueue<TextConnection> leaving = new ConcurrentLinkedQueue<>();

  private volatile boolean isDue;
  private volatile @Nullable Suspension waiting;

  /** Whether no further client is to come. */
  private volatile boolean isEnding;

  /** Whether nobody tells anything any more; guarded by this object, as is adding a client. */
  private boolean hasEnded;

  private TextProtocol(
      EventSpace space,
      ClientAccounts accounts,
      TextForm form,
      TcpLimits limits,
      SessionStarter sessions) {
    this.space = space;
    this.accounts = accounts;
    this.form = form;
    idleNs = limits.idleNs();
    outgoing = new HeldBytes(limits.maxOutgoingBytes());
    this.sessions = sessions;
  }

  /**
   * Starts the session that tells clients what has happened.
   *
   * @param limits how much the answers may take that are on their way; and how long a client may
   *     send nothing that waits for nothing, where its transport closes for that; 0: what the
   *     transport allows. All else is for who makes the transports
   * @param sessions where it runs, and for each connection the one that writes
   */
  public static TextProtocol start(
      EventSpace space,
      ClientAccounts accounts,
      TextForm form,
      TcpLimits limits,
      SessionStarter sessions) {
    TextProtocol protocol = new TextProtocol(space, accounts, form, limits, sessions);
    sessions.start("notices of texts", protocol::tellAll);
    return protocol;
  }

  /** Returns for how long a text there has to be room: one takes up to eight times its message. */
  public static int maxTextBytes(WireLimits limits) {
    return Math.min(MAX_TEXT_BYTES, 8 * limits.maxMessageBytes() + 4_096);
  }

  /** Returns how many clients there are. */
  public int clients() {
    return clients.size();
  }

  @Override
  public void serve(Transport transport) throws IOException, InterruptedException {
    serve(transport, admit(transport));
  }

  /**
   * Finds out who a client is: by its token, which it is asked for if the host wants one.
   *
   * @return the account, which is entered; it is left by {@link #serve}
   * @throws SecurityException if it is nobody, which it has been told
   */
  ClientAccount admit(Transport transport) throws IOException {
    TextRequests requests = new TextRequests(form, OF_TOKEN, new KeyTree(1));
    TextAnswers answers = form.answers(OF_TOKEN);
    try {
      if (accounts.wantsToken()) {
        readToken(transport, requests);
      }
      ClientAccount account = accounts.find(requests.token());
      account.enter();
      if (accounts.wantsToken()) {
        answer(transport, account, answers.done(requests.request()));
      }
      return account;
    } catch (SecurityException refused) {
      String why = String.valueOf(refused.getMessage());
      transport.writeLine(answers.error(requests.request(), Refusal.FORBIDDEN, why));
      throw refused;
    } catch (TransportException broken) {
      String why = String.valueOf(broken.getMessage());
      transport.writeLine(answers.error(TextRequests.UNNUMBERED, TextConnection.PROTOCOL, why));
      throw broken;
    }
  }

  private static void readToken(Transport transport, TextRequests requests) throws IOException {
    String text = transport.readLine();
    if (text == null) {
      throw new EOFException("the client has left before it has said its token");
    }
    boolean isToken;
    try {
      isToken = requests.readToken(text);
    } catch (JsonException | IllegalArgumentException e) {
      isToken = false;
    }
    if (!isToken) {
      throw new SecurityException(
          "the first request is a token here (expected: token TEXT; of JSON"
              + " {\"op\":\"token\",\"token\":TEXT})");
    }
  }

  private static void answer(Transport transport, ClientAccount account, String text)
      throws IOException {
    try {
      transport.writeLine(text);
    } catch (Throwable failure) {
      account.leave();
      throw failure;
    }
  }

  /** Serves a client that is known. */
  void serve(Transport transport, ClientAccount account) throws IOException, InterruptedException {
    TextConnection client = connection(transport, account);
    try {
      if (!add(client)) {
        return;
      }
      wake();
      client.serve(sessions);
    } finally {
      transport.close(); // ends the writer, too
      account.leave();
      if (!leave(client)) {
        leaving.add(client);
      }
      clients.remove(client);
      wake();
    }
  }

  private TextConnection connection(Transport transport, ClientAccount account) {
    try {
      HeldText unread = new HeldText(outgoing, HeldBytes.LEAVING);
      return new TextConnection(space, account, form, transport, unread, idleNs, this::wake);
    } catch (Throwable failure) {
      account.leave();
      throw failure;
    }
  }

  private synchronized boolean add(TextConnection client) {
    if (!hasEnded) {
      clients.add(client);
    }
    return !hasEnded;
  }

  /** Lets the session that {@link #start} has started end when all clients have left. */
  public void endWhenEmpty() {
    isEnding = true;
    wake();
  }

  /** Ends all connections after what has been answered; others must not come any more. */
  public void end() {
    endWhenEmpty();
    clients.forEach(TextConnection::end);
  }

  private void wake() {
    isDue = true;
    Suspension waiter = waiting;
    if (waiter != null) {
      waiter.resume();
    }
  }

  private @Nullable Void tellAll() throws InterruptedException {
    Suspension here = Suspension.current();
    waiting = here;
    while (true) {
      isDue = false; // before the look: what comes meanwhile is seen now or next time
      boolean isTimed = false;
      for (TextConnection each : clients) {
        isTimed |= advance(each, here.nanoTime());
      }
      putBackWhatIsLeft();
      if (isEnding && isOver()) {
        return null;
      }
      if (!isDue) {
        boolean isSoon = isTimed || !leaving.isEmpty();
        here.await(isSoon ? LOOK_NS : Suspension.FOR_EVER_NS);
      }
    }
  }

  /**
   * Looks at one after the other until there is no room: then there is none for the next either.
   */
  private void putBackWhatIsLeft() {
    TextConnection each = leaving.poll();
    while (each != null) {
      if (!leave(each)) {
        leaving.add(each);
        return;
      }
      each = leaving.poll();
    }
  }

  private static boolean advance(TextConnection client, long nowNs) {
    try {
      return client.advance(nowNs);
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "a client has met a fault of the host and is cut off", e);
      client.endNow(); // whatever it is, the others go on
      return false;
    }
  }

  /** Returns whether nothing of a client is left to be put back, or it cannot be. */
  private static boolean leave(TextConnection client) {
    try {
      return client.leave();
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "a fault of the host: what a client had taken may be lost", e);
      return true;
    }
  }

  private synchronized boolean isOver() {
    hasEnded = clients.isEmpty() && leaving.isEmpty();
    return hasEnded;
  }
}
