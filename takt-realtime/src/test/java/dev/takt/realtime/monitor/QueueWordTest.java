package dev.takt.realtime.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.monitor.MonitorFixture.Actor;
import dev.takt.realtime.monitor.MonitorFixture.FakePriorities;
import dev.takt.realtime.monitor.MonitorFixture.OtherClock;
import dev.takt.realtime.os.Errno;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class QueueWordTest {
  private final MonitorThread self = MonitorThread.current();
  private final QueueWord word = new QueueWord(new OtherClock(), new FakePriorities());

  @Test
  void shouldBeTheCallersOrNobodys() {
    assertThat(word.get()).isZero();
    assertThat(word.lock(self, 0)).as("free").isEqualTo(Errno.NONE);
    assertThat(word.get()).isEqualTo(word.idOf(self));
    assertThat(word.lock(self, System.nanoTime())).isEqualTo(Errno.ETIMEDOUT);
    assertThat(word.unlock(self)).isEqualTo(Errno.NONE);
    assertThat(word.get()).isZero();
  }

  @Test
  void shouldSayWhetherThereAreWaiters() {
    word.lock(self, 0);
    try (Actor other = new Actor("waiter")) {
      Future<?> waiting = other.begins(() -> word.lock(other.self, System.nanoTime() + (1L << 40)));
      MonitorFixture.until(() -> word.get() == (word.idOf(self) | LockWord.WAITERS));
      word.unlock(self);
      Actor.get(waiting);
      assertThat(word.get()).as("handed over").isEqualTo(word.idOf(other.self));
      word.unlock(other.self);
      assertThat(word.get()).isZero();
    }
  }
}
