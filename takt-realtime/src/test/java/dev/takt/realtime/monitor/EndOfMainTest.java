package dev.takt.realtime.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The thread of {@code main} is special: the system's goes on when Java's has ended. */
class EndOfMainTest {
  /** What the other JVM runs. */
  static final class EndsInside {
    public static void main(String[] arguments) {
      InheritanceMonitor monitor = (InheritanceMonitor) Monitor.inheritance("monitor");
      monitor.enter();
      Thread.ofPlatform().start(() -> enter(monitor));
      while ((monitor.word.get() & LockWord.WAITERS) == 0) {
        Thread.yield();
      }
      // and ends inside
    }

    private static void enter(Monitor monitor) {
      try {
        monitor.enter();
      } catch (OwnerDiedException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  @Test
  void shouldTellWhoWaitsForTheThreadOfMainThatItHasEnded() throws Exception {
    String classes = origin(EndsInside.class) + File.pathSeparator + origin(Monitor.class);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-cp",
                classes,
                EndsInside.class.getName())
            .redirectErrorStream(true)
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the JVM has ended").isTrue();
      assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .contains("main", "has died inside");
    } finally {
      process.destroyForcibly();
    }
  }

  private static Path origin(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
