package dev.takt.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LeakCheckTest {
  @Test
  void shouldNameThreadThatIsLeftBehind() throws InterruptedException {
    Set<Thread> before = Set.copyOf(Thread.getAllStackTraces().keySet());
    CountDownLatch end = new CountDownLatch(1);
    Thread leak =
        Thread.ofPlatform()
            .name("a leak")
            .daemon()
            .start(
                () -> {
                  try {
                    end.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    assertThat(LeakCheck.leaked(before, 1)).singleElement().asString().startsWith("a leak (");
    end.countDown();
    leak.join();
    assertThat(LeakCheck.leaked(before, 1)).isEmpty();
  }
}
