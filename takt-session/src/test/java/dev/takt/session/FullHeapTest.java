package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A session fails in a JVM whose heap is full: it has ended all the same. */
@Timeout(120)
class FullHeapTest {
  private static final class Node {
    final Node before;

    Node(Node before) {
      this.before = before;
    }
  }

  private static volatile boolean mayFill;
  private static volatile boolean isFull;
  private static volatile Node held;

  /** The other JVM; its heap stays full for a moment after the session has failed. */
  public static void main(String[] arguments) throws InterruptedException {
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
      Session<Object> session = sessions.start("fills the heap", FullHeapTest::fill);
      spin(1_000);
      mayFill = true;
      while (!isFull) {
        Thread.onSpinWait();
      }
      spin(300_000_000);
      held = null;
      SessionOutcome<Object> outcome = session.await();
      System.out.println(outcome.getClass().getSimpleName() + " " + sessions.stats());
    }
  }

  private static Object fill() {
    while (!mayFill) {
      Thread.onSpinWait();
    }
    Node last = null;
    try {
      while (true) {
        last = new Node(last);
        held = last;
      }
    } catch (OutOfMemoryError full) {
      isFull = true;
      throw full;
    }
  }

  private static void spin(long ns) {
    long endNs = System.nanoTime() + ns;
    while (System.nanoTime() < endNs) {
      Thread.onSpinWait();
    }
  }

  @Test
  void shouldTellHowASessionHasEndedThatFailedForWantOfMemory() throws Exception {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx48m",
                "-cp",
                System.getProperty("java.class.path")
                    + File.pathSeparator
                    + System.getProperty("jdk.module.path", ""),
                FullHeapTest.class.getName())
            .redirectErrorStream(true)
            .start();
    try {
      String said =
          new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      assertThat(said).endsWith("Failed " + new SessionStats(0, 0, 1, 0, 0));
    } finally {
      other.destroyForcibly();
    }
  }
}
