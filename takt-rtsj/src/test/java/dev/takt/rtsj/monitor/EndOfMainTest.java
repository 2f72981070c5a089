package dev.takt.rtsj.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testsupport.OtherJvm;
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
    assertThat(OtherJvm.run(EndsInside.class, "--enable-native-access=ALL-UNNAMED"))
        .contains("main", "has died inside");
  }
}
