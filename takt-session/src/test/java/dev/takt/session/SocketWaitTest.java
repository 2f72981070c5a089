package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A wait for a connection ends when its condition holds, however close both come. */
class SocketWaitTest {
  /** Whose condition becomes true just after the wait has looked at it for the n-th time. */
  private static final class TrueAfterALook extends SocketWait {
    private int looks;

    TrueAfterALook(int looks) {
      this.looks = looks;
    }

    @Override
    boolean isOver() {
      boolean isSo = looks <= 0;
      looks--;
      if (!isSo) {
        signal();
      }
      return isSo;
    }
  }

  private static boolean await(SocketWait wait, long durationNs) throws Exception {
    FutureTask<Boolean> waiting = new FutureTask<>(() -> wait.await(durationNs));
    Thread.ofVirtual().start(waiting);
    return waiting.get(20, TimeUnit.SECONDS);
  }

  @Test
  void shouldNotMissASignalBetweenItsLookAndItsSleep() throws Exception {
    for (int looks = 0; looks < 10; looks++) {
      assertThat(await(new TrueAfterALook(looks), Suspension.FOR_EVER_NS)).isTrue();
    }
  }

  @Test
  void shouldTellThatTheTimeIsOver() throws Exception {
    SocketWait never =
        new SocketWait() {
          @Override
          boolean isOver() {
            return false;
          }
        };
    never.signal(); // nobody waits
    assertThat(await(never, 1_000_000)).isFalse();
    assertThat(await(never, 0)).isFalse();
  }
}
