package dev.takt.samples.fix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.space.Abort;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The gateway goes down at any step of its journal and at any write to its peer; the next one has
 * each order once, and the peer gets each report once.
 */
@Timeout(600)
class FixRestartTest {
  private static final int ORDERS = Seeds.size(3, 6);
  private static final int QUANTITY = 4;
  private static final FixSettings SETTINGS = FixSettings.DEFAULTS.withLimits(1, 4, 100, 20);

  private final Random random = new Random(Seeds.seed());
  private CrashStorage storage;

  /** What is left of writes until the machine goes down; guarded by this. */
  private int writes;

  /** A wire whose machine goes down in a write: none, a part, or all of it has been sent. */
  private final class CrashWire implements FixWire {
    private final SocketWire wire;
    private final int part;

    CrashWire(SocketWire wire, int part) {
      this.wire = wire;
      this.part = part;
    }

    @Override
    public int read(byte[] into, int from, int length, long timeoutNs) throws IOException {
      return wire.read(into, from, length, timeoutNs);
    }

    @Override
    public void write(byte[] bytes) throws IOException {
      synchronized (FixRestartTest.this) {
        if (--writes == 0) {
          storage.down();
          wire.write(Arrays.copyOf(bytes, bytes.length * part / 2));
          wire.close();
          throw new IOException("the machine is down");
        }
      }
      wire.write(bytes);
    }

    @Override
    public void endOutput() throws IOException {
      wire.endOutput();
    }

    @Override
    public long nanoTime() {
      return wire.nanoTime();
    }

    @Override
    public String address() {
      return wire.address();
    }

    @Override
    public void close() {
      wire.close();
    }
  }

  /** Returns whether the peer was done before the machine went down. */
  private boolean run(ModelPeer peer, int part) throws IOException {
    try (FixGateway gateway = FixGateway.open(SETTINGS, storage, _ -> {});
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      gateway.trade("ACME", FixText.price("100.25"));
      Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
      gateway.start(new CrashWire(new SocketWire(server.accept()), part));
      return peer.converse(client);
    } catch (SocketTimeoutException hung) {
      throw new AssertionError(hung);
    } catch (IOException | Abort down) {
      if (!storage.isDown()) {
        throw down;
      }
      return false;
    }
  }

  private void restart() {
    storage = storage.restarted(random);
    synchronized (this) {
      writes = Integer.MAX_VALUE;
    }
  }

  private void requireEachOrderOnce(ModelPeer peer, String where) {
    String what = where + ", " + Seeds.replay(Seeds.seed()) + "; " + peer;
    assertThat(peer.wrong()).as(what).isEmpty();
    assertThat(peer.progress()).as(what).hasSize(ORDERS);
    peer.progress()
        .values()
        .forEach(
            each -> {
              assertThat(each.taken).as(what).isEqualTo(1);
              assertThat(each.filled).as(what).isEqualTo(QUANTITY);
            });
  }

  @Test
  void shouldLoseNoOrderAndDoubleNoneWhateverStepOfTheJournalIsTheLast() throws IOException {
    boolean done = false;
    int step = 1;
    for (; !done; step++) {
      String version = step % 2 == 0 ? "FIX.4.2" : "FIX.4.4";
      ModelPeer peer = new ModelPeer(version, ORDERS, QUANTITY);
      storage = new CrashStorage();
      storage.downAt(step);
      writes = Integer.MAX_VALUE;
      done = run(peer, 0);
      if (!done) {
        restart();
        assertThat(run(peer, 0)).as("step " + step + ": " + peer).isTrue();
      }
      requireEachOrderOnce(peer, "journal step " + step);
    }
    assertThat(step).isGreaterThan(10 * ORDERS);
  }

  @Test
  void shouldLoseNoOrderAndDoubleNoneWhateverWriteToThePeerIsTheLast() throws IOException {
    int crashes = 0;
    for (int part = 0; part <= 2; part++) {
      boolean done = false;
      for (int write = 1; !done; write++) {
        ModelPeer peer = new ModelPeer("FIX.4.4", ORDERS, QUANTITY);
        storage = new CrashStorage();
        writes = write;
        done = run(peer, part);
        if (!done) {
          crashes++;
          restart();
          assertThat(run(peer, part)).as("write " + write + ": " + peer).isTrue();
        }
        requireEachOrderOnce(peer, "write %s, part %s".formatted(write, part));
      }
    }
    assertThat(crashes).isGreaterThan(3 * ORDERS);
  }

  @Test
  void shouldLoseNoOrderAndDoubleNoneWhenItGoesDownAgainAndAgain() throws IOException {
    for (int round = Seeds.size(3, 500); round > 0; round--) {
      ModelPeer peer = new ModelPeer("FIX.4.2", ORDERS, QUANTITY);
      storage = new CrashStorage();
      boolean done = false;
      for (int life = 0; !done; life++) {
        storage.downAt(life > 20 ? Integer.MAX_VALUE : 10 + random.nextInt(30));
        synchronized (this) {
          writes = life > 20 || random.nextBoolean() ? Integer.MAX_VALUE : 1 + random.nextInt(6);
        }
        done = run(peer, random.nextInt(3));
        if (!done) {
          restart();
        }
      }
      requireEachOrderOnce(peer, "round " + round);
    }
  }
}
