package dev.takt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.client.link.LinkListener;
import dev.takt.client.link.LinkSettings;
import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.Operation;
import dev.takt.space.Event;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A space that is closed while it connects again to a host that is there and never answers. */
@Timeout(60)
class CloseWhileConnectingTest {
  private static final long DAY_NS = 86_400_000_000_000L;
  private static final ClientSettings PATIENT =
      new ClientSettings(ScriptedLink.WIRE, 0, DAY_NS, DAY_NS);

  @TempDir private Path temporary;

  /** Gives a link that works, and then tries to make others. */
  private static final class Source implements LinkSource {
    final ScriptedLink first = new ScriptedLink(0);
    final Semaphore attempts = new Semaphore(0);
    private final LinkSource silent;
    private boolean isFirst = true;

    Source(LinkSource silent) {
      this.silent = silent;
      first.welcome(CutLinks.SAME);
    }

    @Override
    public MessageLink connect(long timeoutNs) {
      throw new AssertionError("it would never be given up");
    }

    @Override
    public MessageLink connect(long timeoutNs, BooleanSupplier isGivenUp) throws IOException {
      if (isFirst) {
        isFirst = false;
        return first;
      }
      attempts.release();
      return silent.connect(timeoutNs, isGivenUp);
    }
  }

  /** Waits until an attempt has come as far as it can. */
  private interface UnderWay {
    void await() throws Exception;
  }

  private static void assertCallerEndsSoon(LinkSource silent, UnderWay underWay) throws Exception {
    Source source = new Source(silent);
    RemoteSpace space =
        RemoteSpace.connect(source, new UUID(1, 2), "", PATIENT, Thread.ofPlatform().factory());
    FutureTask<Integer> counter = new FutureTask<>(() -> space.count(new Event("x", 1)));
    Thread caller = Thread.ofPlatform().daemon().start(counter);
    source.first.next();
    assertThat(source.first.next().operation()).isEqualTo(Operation.COUNT);
    source.first.close();
    assertThat(source.attempts.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
    underWay.await();

    space.close();

    assertThatThrownBy(() -> counter.get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(LinkEndedException.class);
    caller.join();
    assertThat(source.attempts.availablePermits()).as("further attempts").isZero();
  }

  @Test
  void shouldGiveUpAnIntroductionBySharedMemory() throws Exception {
    Path folder = temporary.resolve("host");
    try (LinkListener _ = LinkListener.open(folder, LinkSettings.DEFAULTS)) { // and lets none in
      assertCallerEndsSoon(Takt.links(folder, PATIENT), () -> {});
    }
  }

  @Test
  void shouldGiveUpAnAgreementUponTls() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      InetSocketAddress address = (InetSocketAddress) server.getLocalSocketAddress();
      assertCallerEndsSoon(Takt.links(address, SSLContext.getDefault(), PATIENT), () -> {});
    }
  }

  @Test
  void shouldGiveUpAHelloThatIsNotAnswered() throws Exception {
    ScriptedLink silent = new ScriptedLink(0);
    assertCallerEndsSoon(
        _ -> silent,
        () -> {
          assertThat(silent.next().kind()).isEqualTo(MessageKind.HELLO);
          silent.awaitSleeper();
        });
  }
}
