package dev.takt.host;

import dev.takt.client.link.Link;
import dev.takt.client.link.LinkListener;
import dev.takt.client.link.LinkSettings;
import dev.takt.client.link.LinkWaiter;
import dev.takt.client.wire.MessageBuffer;
import dev.takt.client.wire.WireLimits;
import dev.takt.realtime.internal.Await;
import dev.takt.realtime.internal.Closing;
import dev.takt.space.EventSpace;
import dev.takt.space.WaitClock;
import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves the clients of this machine, by shared memory.
 *
 * <p><b>Purpose:</b> the part of a host that programs outside of it meet; {@link #serve} is what a
 * task with a budget calls again and again.
 *
 * <p><b>Guarantees:</b> a call of {@code serve} handles as many messages as it was told at most, of
 * each client in turn, and allocates nothing for those of single events. A client that does not
 * read its answers is not listened to; one that breaks the format, dies or leaves is forgotten, and
 * nothing of it is left in the space but what it has written, and what it has taken and not
 * confirmed, which is put back. A fault of the host in what it does for one client, also when that
 * leaves, is logged and costs that client alone. A fault of what lets clients in is thrown by
 * {@code serve}: a host that looks well and lets nobody in is of no use.
 *
 * <p><b>Thread rule:</b> one thread is in {@link #serve}, {@link #await} and {@link #close}. A
 * thread of its own lets clients in and makes their rings, which is asleep otherwise and belongs to
 * no budget; commits of other threads wake the one in {@code await}.
 *
 * <p><b>Memory:</b> for each client its two rings, and a {@link ClientSession}.
 */
public final class LinkServer implements Closeable {
  /** Lets clients in: {@link LinkListener#accept}. */
  interface Door {
    @Nullable Link accept(long timeoutNs) throws IOException;
  }

  private static final WaitClock CLOCK = WaitClock.system();
  private static final Logger LOG = System.getLogger(LinkServer.class.getName());
  private static final int TURN = 16;
  private static final long LOOK_NS = 1_000_000;

  /** Of how many calls of {@link #serve} without a wait one looks at the clock. */
  private static final int LOOKS = 16;

  /** How often one looks at the client that was served last, for once at the others. */
  private static final int LAST_LOOKS = 8;

  private static final long ACCEPT_NS = 100_000_000;

  private final EventSpace space;

  /** One for all: their user may start as many clients as there are links. */
  private final ClientAccount account;

  private final LinkListener listener;
  private final Door clientDoor;
  private final LinkWaiter waiter;
  private final MessageBuffer buffer;
  private final Queue<Link> newcomers = new ConcurrentLinkedQueue<>();
  private final List<LinkConnection> clients = new ArrayList<>();

  /**
   * Sessions that have ended, and could not put everything back: the space had no room, or another
   * transaction was in the way.
   */
  private final Queue<ClientSession> leaving = new ArrayDeque<>();

  /** The client that has sent the last message, since the last {@link #look}; or null. */
  private @Nullable LinkConnection last;

  private final Thread door;

  /** What has ended the thread that lets clients in. */
  private volatile @Nullable Throwable doorFailure;

  private volatile boolean isClosed;
  private volatile boolean isWaiting;
  private long nowNs = CLOCK.nanoTime();
  private long lookedNs;
  private int looks;
  private int turn;

  private LinkServer(
      EventSpace space,
      ClientLimits limits,
      LinkListener listener,
      Door clientDoor,
      LinkWaiter waiter) {
    this.space = space;
    account = new ClientAccount(ClientRights.all("local", limits));
    this.listener = listener;
    this.clientDoor = clientDoor;
    this.waiter = waiter;
    buffer = new MessageBuffer(limits.wire().maxMessageBytes());
    door = Thread.ofPlatform().daemon().name("takt-host-door").unstarted(this::letIn);
  }

  /**
   * Opens the folder of a host.
   *
   * @param folder see {@link LinkListener#open}
   * @param links what each client gets; its records are as long as the longest message
   * @param limits of each client; but the keys of {@link WireLimits#maxKeys} are those of all that
   *     there ever are, since the space keeps them for good
   * @param spinNs for how long {@link #await} looks again and again before it sleeps
   * @throws IOException if another host listens there, or the system refuses
   */
  public static LinkServer open(
      EventSpace space, Path folder, LinkSettings links, ClientLimits limits, long spinNs)
      throws IOException {
    WireLimits wire = limits.wire();
    int longest = Math.min(wire.maxMessageBytes(), links.maxRecordBytes());
    ClientLimits fitting = limits.withWire(wire.withMaxMessageBytes(longest)); // first: may throw
    LinkListener listener = LinkListener.open(folder, links.withSizes(links.ringBytes(), longest));
    return start(space, fitting, listener, listener::accept, spinNs);
  }

  /** As {@link #open}, with a listener that is closed with the server, or if this fails. */
  static LinkServer start(
      EventSpace space, ClientLimits limits, LinkListener listener, Door clientDoor, long spinNs)
      throws IOException {
    LinkWaiter waiter = null;
    try {
      waiter = LinkWaiter.open(spinNs);
      LinkServer server = new LinkServer(space, limits, listener, clientDoor, waiter);
      server.door.start();
      return server;
    } catch (Throwable failure) {
      try {
        if (waiter != null) {
          waiter.close();
        }
      } finally {
        listener.close();
      }
      throw failure;
    }
  }

  private void letIn() {
    try {
      while (!isClosed) {
        letNextIn();
      }
    } catch (Throwable fault) {
      doorFailure = fault;
      waiter.wakeUp(); // open: close() waits for this thread first
    }
  }

  private void letNextIn() {
    try {
      Link link = clientDoor.accept(ACCEPT_NS);
      if (link != null) {
        newcomers.add(link);
        waiter.wakeUp();
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, "a client could not be let in", e);
      CLOCK.parkNanos(ACCEPT_NS); // the next one may fail at once, too
    }
  }

  /** Returns how many clients there are. */
  public int clients() {
    return clients.size();
  }

  /**
   * Handles messages that are there, and tells clients what has happened.
   *
   * @param maxMessages how many messages at most, from 1 on
   * @return whether there was a message
   * @throws IllegalStateException if no client can be let in any more; the server is to be closed
   */
  public boolean serve(int maxMessages) {
    if (--looks <= 0) {
      looks = LOOKS;
      nowNs = CLOCK.nanoTime();
    }
    boolean isTime = nowNs - lookedNs >= LOOK_NS;
    if (isTime) {
      lookedNs = nowNs;
      look();
    }
    int left = maxMessages;
    int count = clients.size();
    turn++;
    for (int i = 0; i < count && left > 0; i++) {
      LinkConnection client = clients.get((int) (Integer.toUnsignedLong(turn + i) % count));
      int handled = client.serve(buffer, Math.min(left, TURN), nowNs, isTime);
      left -= handled;
      last = handled > 0 ? client : last;
    }
    return left < maxMessages || serveLast(maxMessages);
  }

  /**
   * Looks again at the client that asks one by one: its next message comes within a microsecond.
   */
  private boolean serveLast(int maxMessages) {
    LinkConnection client = last;
    for (int i = 0; client != null && i < LAST_LOOKS; i++) {
      if (client.mayServe()) {
        return client.serve(buffer, Math.min(maxMessages, TURN), nowNs, false) > 0;
      }
    }
    return false;
  }

  /** Lets newcomers in, and forgets who has gone. */
  private void look() {
    last = null;
    Throwable fault = doorFailure;
    if (fault != null) {
      throw new IllegalStateException("no client is let in any more: " + fault, fault);
    }
    for (Link link = newcomers.poll(); link != null; link = newcomers.poll()) {
      try {
        LinkConnection client = new LinkConnection(link, space, account, this::wake);
        waiter.add(link); // last: a closed link in there is ready for ever
        clients.add(client);
      } catch (IOException e) {
        LOG.log(Level.DEBUG, "a client has gone before it was let in", e);
        close(link);
      } catch (RuntimeException e) {
        LOG.log(Level.ERROR, "a fault of the host: a client is not let in", e);
        close(link);
      } catch (Error e) {
        close(link); // it ends the server, which knows nothing of this link
        throw e;
      }
    }
    try {
      waiter.await(0); // for a thread that never sleeps
    } catch (IOException e) {
      LOG.log(Level.WARNING, "the ends of clients are not seen", e);
    }
    for (int i = clients.size() - 1; i >= 0; i--) {
      LinkConnection client = clients.get(i);
      if (client.hasEnded()) {
        clients.remove(i);
        client.session.deferral.begin();
        try {
          leave(client);
        } finally {
          client.session.deferral.end();
        }
      }
    }
    putBackWhatIsLeft();
  }

  /**
   * Looks at one after the other until there is no room: then there is none for the next either.
   */
  private void putBackWhatIsLeft() {
    ClientSession each = leaving.poll();
    while (each != null) {
      if (!putBack(each::putBackOrDefer)) {
        leaving.add(each);
        return;
      }
      each = leaving.poll();
    }
  }

  private void leave(LinkConnection client) {
    try {
      waiter.remove(client.link);
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.WARNING, "a client's socket is not let go", e);
    }
    client.confirmed(); // the last look: the memory goes with the link
    close(client.link);
    client.session.close();
    if (!putBack(client.session::putBack)) {
      leaving.add(client.session);
    }
  }

  /** Returns whether nothing is left to be put back, or it cannot be. */
  private static boolean putBack(BooleanSupplier way) {
    try {
      return way.getAsBoolean();
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "a fault of the host: what a client had taken may be lost", e);
      return true;
    }
  }

  private static void close(Link link) {
    try {
      link.close();
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.WARNING, "a link is not closed", e);
    }
  }

  /**
   * Waits until there may be something for {@link #serve}.
   *
   * @param timeoutNs how long at most; less if a client waits for something that ends by time
   */
  public void await(long timeoutNs) throws IOException {
    long left = newcomers.isEmpty() ? timeoutNs : Math.min(timeoutNs, LOOK_NS);
    looks = 0;
    isWaiting = true;
    try {
      for (int i = 0; i < clients.size(); i++) { // an iterator would be garbage
        LinkConnection client = clients.get(i);
        if (client.isDue()) {
          return;
        }
        if (client.session.isTimed()) {
          left = Math.min(left, LOOK_NS);
        }
      }
      waiter.await(leaving.isEmpty() ? left : Math.min(left, LOOK_NS));
    } finally {
      isWaiting = false;
    }
  }

  private void wake() {
    if (isWaiting) {
      waiter.wakeUp();
    }
  }

  /** Ends all links, and lets nobody in any more. */
  @Override
  public void close() throws IOException {
    isClosed = true;
    door.interrupt();
    Await.uninterruptibly(door::join);
    boolean isInterrupted = Thread.interrupted(); // set again when all is closed
    try {
      Closing.<IOException>all(this::leaveAll, waiter::close, listener::close);
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void leaveAll() {
    clients.forEach(client -> client.session.close()); // first, for the memory of their answers
    for (Link link = newcomers.poll(); link != null; link = newcomers.poll()) {
      close(link);
    }
    clients.forEach(this::leave);
    clients.clear();
    leaving.removeIf(each -> putBack(each::putBack));
    if (!leaving.isEmpty()) {
      LOG.log(
          Level.WARNING, "the space is full: what clients had taken is lost: {0}", leaving.size());
    }
  }
}
