package dev.takt.testkit.net;

import dev.takt.session.Session;
import dev.takt.session.SessionSettings;
import dev.takt.session.SessionStarter;
import dev.takt.session.SteppedSessions;
import dev.takt.session.Suspension;
import dev.takt.testkit.Seeds;
import dev.takt.testkit.net.NetworkEvent.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.Callable;
import javax.net.SocketFactory;

/**
 * A network in memory and virtual time, whose delays, losses and read sizes come from a seed, and
 * the sessions that use it: the same seed, the same run.
 *
 * <p><b>Purpose.</b> Tests of blocking protocol code: clients and servers that read and write
 * sockets run unchanged, meet what a network does to them, and each failure can be replayed.
 *
 * <p><b>Assumptions.</b> The JVM has stepped sessions ({@link SteppedSessions#unavailable}): give
 * the tests {@code --add-exports java.base/jdk.internal.vm=ALL-UNNAMED} ({@code =dev.takt.session}
 * on the module path). The code under test takes its sockets from here, and waits for nothing else
 * but these, {@link #sleep}, other sessions, and spaces that have the {@linkplain
 * SteppedSessions#clock clock} of {@link #sessions}. No session waits while it holds a lock that
 * another one wants: all run on one thread, so a {@code ReentrantLock} lets the other one in, and a
 * monitor stops the test.
 *
 * <p><b>Guarantees.</b> (1) Without a fault each direction of a connection carries its bytes once,
 * in order, without a gap. (2) No more than the window are written and not read. (3) A run depends
 * on the seed, the settings and the code alone. (4) Whatever happens is in the {@link #trace}.
 *
 * <p><b>Thread rule.</b> One platform thread, the one that has opened it.
 *
 * <p><b>Memory.</b> About 1 KB for each connection, and what is on its way.
 *
 * {@snippet :
 * SimulatedNetwork.explore(
 *     1_000,
 *     NetworkSettings.HOSTILE,
 *     network -> {
 *       ServerSocket server = network.listen(25);
 *       network.start("server", () -> serve(server));
 *       Session<Answer> client = network.start("client", () -> ask(network.connect(25)));
 *       network.runFor(Duration.ofMinutes(1));
 *       assertAnsweredOrFailed(client.outcome());
 *     });
 * }
 */
public final class SimulatedNetwork implements SessionStarter, AutoCloseable {
  /** What is tried in a network of its own for each seed. */
  @FunctionalInterface
  public interface Scenario {
    /** Starts sessions, lets time pass and asserts what has come of it. */
    void run(SimulatedNetwork network) throws Exception;
  }

  static final long FOR_EVER_NS = Suspension.FOR_EVER_NS;

  private static final int PER_MILLE = 1_000;

  /** So that the network's chance is not that of the scheduler. */
  private static final long OF_NETWORK = 0x9E37_79B9_7F4A_7C15L;

  private final long seed;
  private final NetworkSettings settings;
  private final Random random;
  private final SteppedSessions sessions;
  private final NetworkTrace trace;
  private final Map<Integer, SimulatedServerSocket> listening = new HashMap<>();
  private int connections;
  private boolean closing;
  private Throwable failure;

  /** Connections that will fall silent, the next first. */
  private final PriorityQueue<Silence> silences =
      new PriorityQueue<>(Comparator.comparingLong(Silence::timeNs));

  /** A connection falls silent, unless it does so before. */
  private record Silence(SimulatedEnd end, long timeNs) {}

  private SimulatedNetwork(long seed, NetworkSettings settings) {
    this.seed = seed;
    this.settings = settings;
    random = new Random(seed ^ OF_NETWORK);
    sessions = SteppedSessions.open(SessionSettings.DEFAULTS, new Random(seed));
    trace = new NetworkTrace(settings.maxTraceEvents());
  }

  // ---- making one

  /**
   * Opens a network without connections, at time 0.
   *
   * @param seed decides all that happens by chance
   * @throws UnsupportedOperationException with the remedy, if the JVM has no stepped sessions
   */
  public static SimulatedNetwork open(long seed, NetworkSettings settings) {
    return new SimulatedNetwork(seed, settings);
  }

  /**
   * Tries a scenario with one seed after the other, beginning with {@link Seeds#seed}; with {@code
   * -Dtakt.seed=N} with that one alone.
   *
   * @param runs how many seeds
   * @throws AssertionError if a run fails: with its seed, its settings and its trace. It fails if
   *     the scenario throws, or a session has ended with an error or an unchecked exception
   */
  public static void explore(int runs, NetworkSettings settings, Scenario scenario) {
    int count = Seeds.isReplay() ? 1 : runs;
    for (int i = 0; i < count; i++) {
      attempt(Seeds.seed() + i, settings, scenario);
    }
  }

  /**
   * Tries a scenario with every place at which a message can be cut in two, and with every size of
   * reads: nothing is left to chance but the delays and who runs first.
   *
   * @param messageBytes how long the message is
   * @throws AssertionError as {@link #explore}
   */
  public static void everySplit(int messageBytes, NetworkSettings settings, Scenario scenario) {
    for (int i = 1; i <= messageBytes; i++) {
      attempt(Seeds.seed(), settings.withReadSizes(ReadSizes.splitAfter(i)), scenario);
      attempt(Seeds.seed(), settings.withReadSizes(ReadSizes.atMost(i)), scenario);
    }
  }

  /**
   * Tries a scenario with every place of a message at which its connection can be lost: a reader
   * that does not wait has read what came before, and nothing that came behind it.
   *
   * @param messageBytes how long the message is
   * @throws AssertionError as {@link #explore}
   */
  public static void everyLoss(int messageBytes, NetworkSettings settings, Scenario scenario) {
    for (int i = 1; i <= messageBytes; i++) {
      attempt(Seeds.seed(), settings.withResetAfterBytes(i), scenario);
    }
  }

  /**
   * Tries a scenario with one seed.
   *
   * @throws AssertionError as {@link #explore}
   */
  public static void attempt(long seed, NetworkSettings settings, Scenario scenario) {
    SimulatedNetwork network = open(seed, settings);
    Throwable failed = null;
    try (network) {
      scenario.run(network);
    } catch (Throwable thrown) {
      failed = thrown;
    }
    // what a session has met first explains what the scenario then found
    Throwable cause = network.failure == null ? failed : network.failure;
    if (cause != null) {
      AssertionError error = new AssertionError(network.explain(cause), cause);
      if (failed != null && failed != cause) {
        error.addSuppressed(failed);
      }
      throw error;
    }
  }

  private String explain(Throwable cause) {
    noteSilences();
    return "%s%nwith %s, %s%n%s".formatted(cause, Seeds.replay(seed), settings, trace);
  }

  // ---- sessions and time

  /**
   * Starts a session. One that ends with an error or an unchecked exception, but for {@link
   * UncheckedIOException}, fails the run; how others have ended is for the scenario to judge.
   */
  @Override
  public <T> Session<T> start(String name, Callable<T> code) {
    return sessions.start(name, () -> run(name, code));
  }

  private <T> T run(String name, Callable<T> code) throws Exception {
    try {
      T result = code.call();
      note(Kind.SESSION_ENDED, 0, name, 0);
      return result;
    } catch (Throwable thrown) {
      note(Kind.SESSION_FAILED, 0, name + ": " + thrown, 0);
      boolean unexpected =
          thrown instanceof Error
              || thrown instanceof RuntimeException && !(thrown instanceof UncheckedIOException);
      if (unexpected && !closing && failure == null) {
        failure = thrown;
      }
      throw thrown;
    }
  }

  /** Returns the sessions, for their clock, their counters and single steps. */
  public SteppedSessions sessions() {
    return sessions;
  }

  /** Lets all happen that happens within a time. */
  public void runFor(Duration duration) {
    long nowNs = sessions.nanoTime();
    long durationNs = duration.toNanos();
    sessions.runUntil(durationNs > Long.MAX_VALUE - nowNs ? Long.MAX_VALUE : nowNs + durationNs);
  }

  /** Returns the time since the network was opened, in nanoseconds. */
  public long nanoTime() {
    return sessions.nanoTime();
  }

  /** Lets the calling session wait for a time. */
  public void sleep(Duration duration) throws InterruptedException {
    Suspension here = here();
    long endNs = nanoTime() + duration.toNanos();
    while (nanoTime() < endNs) {
      here.await(endNs - nanoTime());
    }
  }

  // ---- connections

  /**
   * Begins to listen, at any address.
   *
   * @param port 1 to 65,535
   * @throws BindException if somebody listens there
   */
  public ServerSocket listen(int port) throws IOException {
    address(port);
    if (listening.containsKey(port)) {
      throw new BindException("Address already in use (port " + port + ")");
    }
    SimulatedServerSocket server = new SimulatedServerSocket(this, port);
    listening.put(port, server);
    return server;
  }

  /**
   * Connects the calling session to a port.
   *
   * @throws ConnectException if nobody listens there, or too many wait for being accepted
   */
  public Socket connect(int port) throws IOException {
    Socket socket = socket();
    socket.connect(address(port));
    return socket;
  }

  /** Returns a socket that is not connected; its port counts, and any address will do. */
  public Socket socket() {
    return SimulatedSocket.unconnected(this);
  }

  /** Returns what makes sockets for libraries that ask for a factory. */
  public SocketFactory socketFactory() {
    return new SimulatedSocketFactory(this);
  }

  /**
   * Loses a connection: both ends get an exception, and what they have not read is lost.
   *
   * @param socket either end of it
   */
  public void reset(Socket socket) {
    end(socket).loseAt(nanoTime());
  }

  /**
   * Loses a connection without a word: what is on its way does not arrive, nor does anything later.
   *
   * @param socket either end of it
   */
  public void silence(Socket socket) {
    end(socket).silenceAt(nanoTime());
  }

  private static SimulatedEnd end(Socket socket) {
    if (socket instanceof SimulatedSocket simulated) {
      return simulated.end();
    }
    throw new IllegalArgumentException(socket + " is none of a simulated network");
  }

  SimulatedEnd connect(int port, int timeoutMs) throws IOException {
    long deadlineNs = timeoutMs == 0 ? FOR_EVER_NS : nanoTime() + timeoutMs * 1_000_000L;
    travel(deadlineNs);
    SimulatedEnd client = SimulatedEnd.connect(this, connections + 1);
    SimulatedServerSocket server = listening.get(port);
    boolean accepted = server != null && server.offer(client.peer());
    if (accepted) {
      connections++;
      note(Kind.CONNECTED, client, 0);
      planFault(client);
    }
    try {
      travel(deadlineNs);
    } catch (IOException gone) {
      client.abort();
      throw gone;
    }
    if (!accepted) {
      note(Kind.REFUSED, 0, "port " + port, 0);
      throw new ConnectException("Connection refused (port " + port + ")");
    }
    return client;
  }

  /** Lets the calling session wait for one way through the network. */
  private void travel(long deadlineNs) throws IOException {
    long arrivesNs = arrivalNs(0);
    Suspension here = here();
    while (nanoTime() < Math.min(arrivesNs, deadlineNs)) {
      await(here, Math.min(arrivesNs, deadlineNs) - nanoTime());
    }
    if (arrivesNs > deadlineNs) {
      throw new SocketTimeoutException("Connect timed out");
    }
  }

  private void planFault(SimulatedEnd client) {
    int chance = random.nextInt(PER_MILLE);
    long atNs = nanoTime() + 1 + random.nextLong(settings.faultWithin().toNanos());
    if (chance < settings.resetPerMille()) {
      client.loseAt(atNs);
    } else if (chance < settings.resetPerMille() + settings.silencePerMille()) {
      client.silenceAt(atNs);
    }
  }

  void stopListening(int port) {
    listening.remove(port);
  }

  static InetSocketAddress address(int port) {
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("port=" + port + " (expected: 1 to 65535)");
    }
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  // ---- for the connections

  NetworkSettings settings() {
    return settings;
  }

  /** Where the calling session can wait. */
  Suspension here() {
    return sessions.here();
  }

  static void await(Suspension here, long durationNs) throws InterruptedIOException {
    try {
      here.await(durationNs);
    } catch (InterruptedException cancelled) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the session is cancelled while it waits for the network");
    }
  }

  int random(int bound) {
    return random.nextInt(bound);
  }

  /** When something arrives that is sent now, behind what arrives at a time. */
  long arrivalNs(long afterNs) {
    long minNs = settings.minDelay().toNanos();
    long maxNs = settings.maxDelay().toNanos();
    long delayNs = minNs == maxNs ? minNs : random.nextLong(minNs, maxNs + 1);
    return Math.max(afterNs + 1, nanoTime() + delayNs);
  }

  /** In how many parts, at most, bytes are sent. */
  int parts(int bytes) {
    boolean whole = settings.readSizes().kind() != ReadSizes.Kind.RANDOM || bytes == 1;
    return whole ? 1 : 1 + random.nextInt(BytePipe.MOST_PARTS);
  }

  /** How many of the bytes that can be read are read. */
  int readSize(int most) {
    return switch (settings.readSizes().kind()) {
      case WHOLE, SPLIT -> most;
      case RANDOM -> 1 + random.nextInt(most);
      case AT_MOST -> Math.min(most, settings.readSizes().bytes());
    };
  }

  /** After how many bytes of a direction its stream is cut; 0 for nowhere. */
  int splitAfter() {
    ReadSizes sizes = settings.readSizes();
    return sizes.kind() == ReadSizes.Kind.SPLIT ? sizes.bytes() : 0;
  }

  boolean isSlowReader() {
    return random.nextInt(PER_MILLE) < settings.slowReaderPerMille();
  }

  long readPauseNs() {
    return 1 + random.nextLong(settings.maxReadPause().toNanos());
  }

  void note(Kind kind, SimulatedEnd end, long bytes) {
    note(kind, end.connection(), end.toString(), bytes);
  }

  private void note(Kind kind, int connection, String where, long bytes) {
    noteSilences();
    trace.add(new NetworkEvent(nanoTime(), kind, connection, where, bytes, 0));
  }

  void notePause(SimulatedEnd end, long pauseNs) {
    noteSilences();
    trace.add(
        new NetworkEvent(
            nanoTime(), Kind.READ_PAUSED, end.connection(), end.toString(), 0, pauseNs));
  }

  /** Lets the trace tell, from a time on, that a connection has fallen silent. */
  void noteSilence(SimulatedEnd end, long timeNs) {
    silences.add(new Silence(end, timeNs));
  }

  /** Notes what has fallen silent: nothing runs at that moment, so whatever comes next does so. */
  private void noteSilences() {
    while (!silences.isEmpty() && silences.element().timeNs <= nanoTime()) {
      Silence each = silences.remove();
      if (each.timeNs == each.end.silentNs()) {
        trace.add(
            new NetworkEvent(
                each.timeNs, Kind.FELL_SILENT, each.end.connection(), "both ends", 0, 0));
      }
    }
  }

  // ---- what has happened

  /** Returns the last events, the oldest first; {@link NetworkSettings#maxTraceEvents} at most. */
  public List<NetworkEvent> trace() {
    noteSilences();
    return trace.events();
  }

  /** Returns how many events of a kind there were so far. */
  public long count(Kind kind) {
    noteSilences();
    return trace.count(kind);
  }

  /** Returns the seed. */
  public long seed() {
    return seed;
  }

  /**
   * Cancels the sessions that are left.
   *
   * @throws IllegalStateException if the code of one goes on all the same
   */
  @Override
  public void close() {
    closing = true;
    sessions.close();
  }

  @Override
  public String toString() {
    noteSilences();
    return "simulated network, " + Seeds.replay(seed) + "\n" + trace;
  }
}
