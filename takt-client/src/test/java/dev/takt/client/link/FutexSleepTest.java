package dev.takt.client.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A sleep that another thread closes: what the kernel reads is freed, and not before its end. */
@Timeout(60)
class FutexSleepTest {
  private static final int ROUNDS = Seeds.size(500, 100_000);

  @TempDir private Path temporary;

  private LinkPair newPair() throws Exception {
    return new LinkPair(temporary.resolve("host"), LinkTest.SMALL);
  }

  @Test
  void shouldFreeItsMemoryWhenItIsClosedWhileNobodySleeps() throws IOException {
    FutexSleep sleep = new FutexSleep();
    assertThat(sleep.isAlive()).isTrue();
    sleep.close();
    sleep.close();
    assertThat(sleep.isAlive()).isFalse();
    assertThatThrownBy(() -> sleep.announce(List.of())).isInstanceOf(ClosedSelectorException.class);
  }

  @Test
  void shouldFreeItsMemoryAtTheEndOfTheSleepInWhichItIsClosed() throws Exception {
    try (LinkPair pair = newPair()) {
      List<Link> links = List.of(pair.host);
      FutexSleep sleep = new FutexSleep();
      sleep.announce(links);
      sleep.close();
      assertThat(sleep.isAlive()).as("the kernel may read it").isTrue();
      pair.host.announceSleep(true); // as a thread does that was not quick enough to be woken
      FutureTask<Void> sleeping =
          LinkPair.inBackground(
              () -> {
                sleep.await(1, LinkPair.LONG_NS);
                sleep.clear(links);
                return null;
              });
      sleeping.get(20, TimeUnit.SECONDS);
      assertThat(sleep.isAlive()).isFalse();
    }
  }

  @Test
  void shouldKeepItsMemoryFromOneSleepToTheNext() throws Exception {
    try (LinkPair pair = newPair()) {
      List<Link> links = List.of(pair.host);
      FutexSleep sleep = new FutexSleep();
      for (int i = 0; i < 2; i++) {
        sleep.announce(links);
        sleep.clear(links);
        assertThat(sleep.isAlive()).isTrue();
      }
      sleep.close();
      assertThat(sleep.isAlive()).isFalse();
    }
  }

  /** Nothing but the close ends these waits. */
  @Test
  void shouldEndAWaitThatIsClosedAtAnyMoment() throws Exception {
    try (LinkPair pair = newPair()) {
      pair.hostWaiter.remove(pair.host);
      for (int i = 0; i < ROUNDS; i++) {
        LinkWaiter waiter = LinkPair.waiter();
        waiter.add(pair.host);
        FutureTask<Boolean> waiting = LinkPair.inBackground(() -> waiter.await(LinkPair.LONG_NS));
        if (i % 2 == 0) {
          pair.awaitSleepOfHost();
        }
        waiter.close();
        assertThatThrownBy(() -> waiting.get(20, TimeUnit.SECONDS))
            .as("wait %s", i)
            .hasCauseInstanceOf(LinkException.class)
            .hasMessageContaining("the waiter is closed");
      }
    }
  }
}
