package dev.takt.samples.fix;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import quickfix.Application;
import quickfix.ConfigError;
import quickfix.DefaultMessageFactory;
import quickfix.FieldNotFound;
import quickfix.MemoryStoreFactory;
import quickfix.Message;
import quickfix.Session;
import quickfix.SessionID;
import quickfix.SessionNotFound;
import quickfix.SessionSettings;
import quickfix.SocketInitiator;
import quickfix.field.ClOrdID;
import quickfix.field.HandlInst;
import quickfix.field.MsgType;
import quickfix.field.OrdType;
import quickfix.field.OrderQty;
import quickfix.field.Price;
import quickfix.field.Side;
import quickfix.field.Symbol;
import quickfix.field.TestReqID;
import quickfix.field.TransactTime;

/**
 * QuickFIX/J as the initiator; its store is its memory, so it outlives a restart of the gateway.
 */
final class QuickFixPeer implements Application, AutoCloseable {
  private static final long END_S = 60;

  private final LinkedBlockingQueue<Message> application = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<Message> administration = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<String> states = new LinkedBlockingQueue<>();
  private final SocketInitiator initiator;
  private final SessionID id;

  QuickFixPeer(String version, String name, InetSocketAddress address, String... more)
      throws ConfigError {
    id = new SessionID(version, name, "TAKT");
    SessionSettings settings = new SessionSettings();
    settings.setString(id, "ConnectionType", "initiator");
    settings.setString(id, "SocketConnectHost", address.getHostString());
    settings.setString(id, "SocketConnectPort", Integer.toString(address.getPort()));
    settings.setString(id, "HeartBtInt", "30");
    settings.setString(id, "NonStopSession", "Y");
    settings.setString(id, "ReconnectInterval", "1");
    settings.setString(id, "DataDictionary", version.replace(".", "") + ".xml");
    for (int i = 0; i < more.length; i += 2) {
      settings.setString(id, more[i], more[i + 1]);
    }
    initiator =
        new SocketInitiator(
            this, new MemoryStoreFactory(), settings, null, new DefaultMessageFactory());
  }

  void start() throws ConfigError {
    initiator.start();
  }

  Session session() {
    return Session.lookupSession(id);
  }

  void awaitState(String wanted) throws InterruptedException {
    String state;
    do {
      state = states.poll(END_S, TimeUnit.SECONDS);
      if (state == null) {
        throw new AssertionError("no " + wanted + " within " + END_S + " s");
      }
    } while (!state.equals(wanted));
  }

  /** Waits until it expects a message with this number. */
  void awaitExpected(int seq) {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_S);
    while (session().getExpectedTargetNum() != seq) {
      if (System.nanoTime() > endNs) {
        throw new AssertionError("it does not expect " + seq + "; session: " + session());
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Sends an order at the limit, or at the market if that is 0. */
  void order(String clientId, char side, int quantity, double limit) throws SessionNotFound {
    Message order = new Message();
    order.getHeader().setString(MsgType.FIELD, "D");
    order.setField(new ClOrdID(clientId));
    order.setField(new HandlInst('1'));
    order.setField(new Symbol("ACME"));
    order.setField(new Side(side));
    order.setField(new TransactTime());
    order.setField(new OrderQty(quantity));
    order.setField(new OrdType(limit > 0 ? '2' : '1'));
    if (limit > 0) {
      order.setField(new Price(limit));
    }
    send(order);
  }

  void testRequest(String id) throws SessionNotFound {
    Message request = new Message();
    request.getHeader().setString(MsgType.FIELD, "1");
    request.setField(new TestReqID(id));
    send(request);
  }

  void send(Message message) throws SessionNotFound {
    Session.sendToTarget(message, id);
  }

  /** Returns the next messages of the application, each as the values of some fields. */
  List<String> reports(int count, int... tags) throws InterruptedException {
    List<String> reports = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      reports.add(values(next(application), tags));
    }
    return reports;
  }

  /** Waits for a message of the session. */
  String administrative(String type, int... tags) throws InterruptedException {
    while (true) {
      Message message = next(administration);
      if (type.equals(value(message, MsgType.FIELD))) {
        return values(message, tags);
      }
    }
  }

  private Message next(LinkedBlockingQueue<Message> queue) throws InterruptedException {
    Message message = queue.poll(END_S, TimeUnit.SECONDS);
    if (message == null) {
      throw new AssertionError("no message within " + END_S + " s; session: " + session());
    }
    return message;
  }

  private static String values(Message message, int... tags) {
    List<String> values = new ArrayList<>();
    for (int tag : tags) {
      values.add(value(message, tag));
    }
    return String.join(" ", values);
  }

  private static String value(Message message, int tag) {
    try {
      return message.isSetField(tag)
          ? message.getString(tag)
          : message.getHeader().isSetField(tag) ? message.getHeader().getString(tag) : "-";
    } catch (FieldNotFound e) {
      return "-";
    }
  }

  @Override
  public void onCreate(SessionID session) {}

  @Override
  public void onLogon(SessionID session) {
    states.add("logon");
  }

  @Override
  public void onLogout(SessionID session) {
    states.add("logout");
  }

  @Override
  public void toAdmin(Message message, SessionID session) {}

  @Override
  public void fromAdmin(Message message, SessionID session) {
    administration.add(message);
  }

  @Override
  public void toApp(Message message, SessionID session) {}

  @Override
  public void fromApp(Message message, SessionID session) {
    application.add(message);
  }

  @Override
  public void close() {
    initiator.stop(true);
  }
}
