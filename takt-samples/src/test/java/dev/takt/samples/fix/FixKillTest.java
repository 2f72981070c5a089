package dev.takt.samples.fix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.samples.TaktProcess;
import dev.takt.testkit.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code takt fix} in a process of its own, killed at any moment of a session. */
@Timeout(3_600)
class FixKillTest {
  private static final int KILLS = Seeds.size(3, 300);
  private static final int ORDERS = 40;
  private static final int QUANTITY = 8;
  private static final Pattern PORT = Pattern.compile("port (\\d+)");

  @TempDir private Path folder;

  private final Random random = new Random(Seeds.seed());

  private Process start() throws IOException {
    return TaktProcess.of(
            "-XX:TieredStopAtLevel=1",
            "fix",
            "--port",
            "0",
            "--price",
            "ACME=100.25",
            "--data",
            folder.resolve("data").toString())
        .redirectError(folder.resolve("errors").toFile())
        .start();
  }

  private int port(BufferedReader output) throws IOException {
    String line = output.readLine();
    Matcher port = PORT.matcher(String.valueOf(line));
    assertThat(port.find()).as("%s: %s", line, Files.readString(folder.resolve("errors"))).isTrue();
    return Integer.parseInt(port.group(1));
  }

  @Test
  void shouldHaveEachOrderOnceWhenTheProcessIsKilledAtAnyMoment() throws Exception {
    ModelPeer peer = new ModelPeer("FIX.4.4", ORDERS, QUANTITY);
    boolean done = false;
    int kills = 0;
    int cut = 0;
    while (!done) {
      Process gateway = start();
      try (BufferedReader output = gateway.inputReader()) {
        int port = port(output);
        Thread killer = null;
        if (kills == 0) {
          // one that hits a conversation for sure
          AtomicInteger left = new AtomicInteger(1 + random.nextInt(ORDERS));
          peer.onReport(
              () -> {
                if (left.decrementAndGet() == 0) {
                  gateway.toHandle().destroyForcibly();
                }
              });
          kills++;
        } else if (kills < KILLS) {
          int delayMs = random.nextInt(Seeds.size(300, 100));
          killer = Thread.ofPlatform().start(() -> kill(gateway, delayMs));
          kills++;
        }
        done = peer.converse(new Socket(InetAddress.getLoopbackAddress(), port));
        cut += done ? 0 : 1;
        if (killer != null) {
          killer.join();
        }
      } finally {
        gateway.destroyForcibly().waitFor();
      }
    }
    assertThat(cut).as("conversations that a kill has cut").isPositive();
    String what = "%s kills, %s; %s".formatted(kills, Seeds.replay(Seeds.seed()), peer);
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

  private static void kill(Process process, int delayMs) {
    try {
      process.waitFor(delayMs, TimeUnit.MILLISECONDS);
      process.toHandle().destroyForcibly();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
