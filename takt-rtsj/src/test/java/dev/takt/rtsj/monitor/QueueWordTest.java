package dev.takt.rtsj.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.os.Errno;
import dev.takt.rtsj.monitor.MonitorFixture.Actor;
import dev.takt.rtsj.monitor.MonitorFixture.FakePriorities;
import dev.takt.rtsj.monitor.MonitorFixture.OtherClock;
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
  void shouldBeTheCallersWhenItIsGivenToItAsItsTimeIsOver() {
    MonitorThread[] owner = {null};
    QueueWord[] given = {null};
    long[] nowNs = {0};
    given[0] =
        new QueueWord(
            () -> {
              if (++nowNs[0] == 3) {
                given[0].unlock(owner[0]);
              }
              return nowNs[0];
            },
            new FakePriorities());
    try (Actor actor = new Actor("owner")) {
      owner[0] = actor.self;
      assertThat(given[0].lock(actor.self, 0)).isEqualTo(Errno.NONE);
      nowNs[0] = 2;
      assertThat(given[0].lock(self, 3)).isEqualTo(Errno.NONE);
      assertThat(given[0].get()).isEqualTo(given[0].idOf(self));
      given[0].unlock(self);
      assertThat(given[0].get()).isZero();
    }
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
