package dev.takt.bench.host;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Aeron: by shared memory the driver of the answering side is for both, on a thread that sleeps
 * between its looks, since no message goes through it; by UDP each side has one, which its own
 * thread runs, so that there are no more busy threads than with the others.
 */
final class AeronLink implements Asking, Answering {
  /** What the JVM needs for it. */
  static final List<String> FLAGS =
      List.of("--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED");

  private static final int BYTES = 64;
  private static final int TO_HOST = 10;
  private static final int TO_CLIENT = 11;
  private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(10);

  private static final long ABSENT_NS = TimeUnit.MINUTES.toNanos(2);

  private final MediaDriver driver;
  private final Aeron aeron;
  private final AgentInvoker driverInvoker;
  private final Publication out;
  private final Subscription in;
  private final UnsafeBuffer message =
      new UnsafeBuffer(ByteBuffer.allocateDirect(BYTES + Long.BYTES));
  private final FragmentHandler handler;
  private final Spin spin = new Spin();
  private long received;

  private AeronLink(Path folder, boolean isUdp, boolean isHost) {
    boolean hasDriver = isUdp || isHost;
    String name = folder.resolve(isUdp && !isHost ? "aeron-client" : "aeron").toString();
    driver = hasDriver ? driver(name, isUdp) : null;
    driverInvoker = isUdp ? driver.sharedAgentInvoker() : null;
    aeron = Aeron.connect(context(name));
    out = aeron.addPublication(channel(isUdp, isHost), isHost ? TO_CLIENT : TO_HOST);
    in = aeron.addSubscription(channel(isUdp, !isHost), isHost ? TO_HOST : TO_CLIENT);
    handler = (buffer, offset, length, header) -> received = buffer.getLong(offset);
  }

  private static MediaDriver driver(String name, boolean isUdp) {
    MediaDriver.Context context =
        new MediaDriver.Context()
            .aeronDirectoryName(name)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            // While other links have their turns nobody runs what keeps this one alive.
            .clientLivenessTimeoutNs(ABSENT_NS)
            .imageLivenessTimeoutNs(ABSENT_NS)
            .publicationUnblockTimeoutNs(2 * ABSENT_NS)
            .threadingMode(isUdp ? ThreadingMode.INVOKER : ThreadingMode.SHARED)
            .sharedIdleStrategy(new SleepingMillisIdleStrategy(1));
    return MediaDriver.launch(context);
  }

  private Aeron.Context context(String name) {
    Aeron.Context context =
        new Aeron.Context()
            .aeronDirectoryName(name)
            .idleStrategy(new SleepingMillisIdleStrategy(1))
            .keepAliveIntervalNs(TimeUnit.MILLISECONDS.toNanos(500));
    return driverInvoker == null
        ? context
        : context.driverAgentInvoker(driverInvoker).useConductorAgentInvoker(true);
  }

  private static String channel(boolean isUdp, boolean toClient) {
    return isUdp
        ? "aeron:udp?endpoint=127.0.0.1:" + (toClient ? 40_127 : 40_126)
        : CommonContext.IPC_CHANNEL;
  }

  /** Makes the asking side. */
  static AeronLink asking(Path folder, boolean isUdp) throws IOException {
    AeronLink link = new AeronLink(folder, isUdp, false);
    try {
      long beginNs = System.nanoTime();
      while (!link.out.isConnected() || !link.in.isConnected()) {
        link.invoke();
        Thread.onSpinWait();
        if (System.nanoTime() - beginNs > LIMIT_NS) {
          throw new IOException("Aeron has not connected");
        }
      }
      return link;
    } catch (Throwable failure) {
      link.close();
      throw failure;
    }
  }

  /** Makes the answering side. */
  static AeronLink answering(Path folder, boolean isUdp) {
    return new AeronLink(folder, isUdp, true);
  }

  private void invoke() {
    if (driverInvoker != null) {
      driverInvoker.invoke();
      aeron.conductorAgentInvoker().invoke();
    }
  }

  @Override
  public void ask(int part, long number) throws IOException {
    send(number);
    long beginNs = 0;
    for (int looks = 1; received != number; looks++) {
      in.poll(handler, 1);
      if (received != number) {
        invoke();
        Thread.onSpinWait();
      }
      if (looks % (1 << 20) == 0) {
        long nowNs = System.nanoTime();
        beginNs = beginNs == 0 ? nowNs : beginNs;
        if (nowNs - beginNs > LIMIT_NS) {
          throw new IOException("Aeron has lost message " + number);
        }
      }
    }
  }

  private void send(long number) {
    message.putLong(0, number);
    while (out.offer(message, 0, BYTES) < 0) {
      invoke();
      Thread.onSpinWait();
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
    }
    invoke(); // the driver sends it
  }

  @Override
  public boolean serve() {
    int fragments = in.poll(handler, 1);
    if (fragments > 0) {
      send(received);
      spin.reset();
    }
    return fragments > 0;
  }

  @Override
  public void rest() {
    invoke();
    spin.pause();
  }

  @Override
  public void close() {
    aeron.close();
    if (driver != null) {
      driver.close();
    }
  }
}
