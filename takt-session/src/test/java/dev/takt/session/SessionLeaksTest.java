package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import com.sun.management.UnixOperatingSystemMXBean;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * However sessions end, nothing of them is left: counted after a million of them in the long run
 * ({@code -Dtakt.full=true}), a thousand at once.
 */
class SessionLeaksTest {
  private static final int COUNT = Seeds.size(20_000, 1_000_000);
  private static final int AT_ONCE = 1_000;
  private static final int WARM_UP = 2_000;
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final String NAME = "leaks-nothing";

  /** How a session comes to its end. */
  private enum End {
    TIMES_OUT_IN_SPACE,
    CANCELLED_IN_SPACE,
    TAKES_ITS_EVENT,
    FAILS,
    FAILS_WITH_A_CLAIM,
    CANCELLED_WITH_A_CLAIM,
    CANCELLED_AT_A_LINE,
    STOPPED_WITH_ITS_SET,
    ABANDONED,
    CANCELLED_AT_A_SOCKET
  }

  /** A socket costs a port of the machine, which has some 28,000, for a minute: one of so many. */
  private static final int SOCKETS = 64;

  /** Before that, more of them: the JDK opens four files when a session first waits at one. */
  private static final int WARM_UP_SOCKETS = 4;

  private final EventSpace space =
      EventSpace.create(
          SpaceSettings.DEFAULTS
              .withCapacity(COUNT + WARM_UP)
              .withMaxEventBytes(32)
              .withMaxReferences(0));
  private final Random random = new Random(Seeds.seed());
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong taken = new AtomicLong();
  private final List<WeakReference<Session<?>>> started = new ArrayList<>(COUNT);
  private ServerSocket server;
  private Sessions sessions;
  private long nextId;
  private long ended;

  @TempDir Path folder;

  @Test
  void shouldLeaveNothingBehindHoweverASessionEnds() throws Exception {
    try (ServerSocket opened = new ServerSocket(0, AT_ONCE, InetAddress.getLoopbackAddress())) {
      server = opened;
      startMany(WARM_UP, WARM_UP_SOCKETS); // so that files and threads of the JDK itself are there
      long files = openFiles();
      List<String> threads = platformThreads();
      startMany(COUNT, SOCKETS);

      assertThat(openFiles()).isLessThanOrEqualTo(files);
      assertThat(platformThreads()).as("threads that were not there before").isSubsetOf(threads);
    }
    assertThat(ended).isEqualTo(COUNT + WARM_UP);
    assertThat(virtualThreads()).isZero();
    assertThat(space.dump(0)).contains("subscriptions 0, waiting 0,");
    long left = written.get() - taken.get();
    assertThat(space.count(new Event("id", null))).isEqualTo(left);
    for (long i = 0; i < left; i++) { // a claim that was not given back would hide its event
      assertThat(space.take(new Event("id", null))).as("event %s of %s", i, left).isNotNull();
    }
    assertThat(space.count(new Event("id", null))).isZero();
    started.removeIf(each -> each.refersTo(null));
    for (int i = 0; i < 10 && !started.isEmpty(); i++) {
      System.gc();
      started.removeIf(each -> each.refersTo(null));
    }
    assertThat(started.size()).as("sessions that something refers to").isZero();
  }

  /** Runs sessions, a set of them after the other, each with its own mixture. */
  private void startMany(int count, int sockets) throws Exception {
    for (int left = count; left > 0; left -= AT_ONCE) {
      int begin = Math.min(left, AT_ONCE);
      sessions = Sessions.open(SessionSettings.DEFAULTS.withMaxSessions(2 * AT_ONCE));
      List<Session<?>> toCancel = new ArrayList<>();
      for (int i = 0; i < begin; i++) {
        Session<?> session = startOne(toCancel, sockets);
        started.add(new WeakReference<>(session));
      }
      toCancel.forEach(Session::cancel);
      assertThat(sessions.drain(Duration.ofMillis(random.nextInt(3)))).isNotNull();
      assertThat(sessions.stop(LONG)).isEmpty();
      SessionStats stats = sessions.stats();
      assertThat(stats.running()).isZero();
      ended += stats.completed() + stats.failed() + stats.cancelled();
    }
  }

  private Session<?> startOne(List<Session<?>> toCancel, int sockets) throws IOException {
    long id = nextId++;
    Event own = new Event("id", id);
    End[] ends = End.values();
    End end = ends[random.nextInt(ends.length - (random.nextInt(sockets) == 0 ? 0 : 1))];
    Session<?> session =
        switch (end) {
          case TIMES_OUT_IN_SPACE ->
              sessions.start(NAME, () -> take(own, Duration.ofNanos(random(2_000_000))));
          case CANCELLED_IN_SPACE, STOPPED_WITH_ITS_SET ->
              sessions.start(NAME, () -> take(own, LONG));
          case ABANDONED -> sessions.start(NAME, () -> take(own, Duration.ofMillis(1)));
          case TAKES_ITS_EVENT -> sessions.start(NAME, () -> take(write(own), LONG));
          case FAILS -> sessions.start(NAME, SessionLeaksTest::fail);
          case FAILS_WITH_A_CLAIM -> sessions.start(NAME, () -> claim(write(own), false));
          case CANCELLED_WITH_A_CLAIM -> sessions.start(NAME, () -> claim(write(own), true));
          case CANCELLED_AT_A_LINE -> {
            InVmTransport.Pair pair = InVmTransport.pair(TransportSettings.DEFAULTS);
            yield sessions.start(NAME, () -> pair.first().readLine());
          }
          case CANCELLED_AT_A_SOCKET -> sessions.start(NAME, this::readSocket);
        };
    if (end.name().startsWith("CANCELLED")) {
      toCancel.add(session);
    }
    return session;
  }

  private long random(int bound) {
    synchronized (random) {
      return random.nextInt(bound);
    }
  }

  private Event write(Event event) {
    space.write(event);
    written.incrementAndGet();
    return event;
  }

  private Object take(Event template, Duration timeout) throws InterruptedException {
    Event event = space.take(template, timeout);
    if (event != null) {
      taken.incrementAndGet();
    }
    return timeout;
  }

  private static Object fail() {
    throw new IllegalStateException("on purpose");
  }

  /** Takes an event in a transaction that does not come to its commit. */
  private Object claim(Event template, boolean waits) {
    space.transact(
        transaction -> {
          assertThat(transaction.take(template)).isNotNull();
          try {
            if (waits) {
              Suspension.current().await(LONG.toNanos());
            }
          } catch (InterruptedException cancelled) {
            throw new IllegalStateException(cancelled);
          }
          fail();
        });
    return template;
  }

  private Object readSocket() throws IOException {
    try (Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket accepted = server.accept()) {
      client.setSoLinger(true, 0); // the port is free at once
      return client.getInputStream().read() + accepted.getPort();
    }
  }

  private static long openFiles() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getOpenFileDescriptorCount()
        : 0;
  }

  /** Returns the names of all threads but the carriers, which come and go. */
  private static List<String> platformThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> !name.startsWith("ForkJoinPool-"))
        .toList();
  }

  /** Returns how many virtual threads of this test's sessions the JVM knows. */
  private long virtualThreads() throws IOException {
    Path dump = folder.resolve("threads");
    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
        .dumpThreads(dump.toString(), ThreadDumpFormat.TEXT_PLAIN);
    try (Stream<String> lines = Files.lines(dump)) {
      return lines.filter(line -> line.contains(NAME)).count();
    }
  }
}
