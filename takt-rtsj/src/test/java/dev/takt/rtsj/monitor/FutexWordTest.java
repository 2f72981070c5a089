package dev.takt.rtsj.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.PiFutex;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a futex is asked for, one that answers without a kernel. */
class FutexWordTest {
  private final MonitorThread self = MonitorThread.current();
  private final List<String> asked = new ArrayList<>();
  private final MemorySegment memory = Arena.ofAuto().allocate(128, 64);
  private final FutexWord word =
      new FutexWord(
          new PiFutex() {
            @Override
            public MemorySegment word() {
              return memory;
            }

            @Override
            public Errno lock() {
              asked.add("lock");
              return Errno.EAGAIN;
            }

            @Override
            public Errno lockUntil(long deadlineNs) {
              asked.add("lock until " + deadlineNs);
              return Errno.ETIMEDOUT;
            }

            @Override
            public Errno tryLock() {
              throw new AssertionError("nobody asks for it");
            }

            @Override
            public Errno unlock() {
              asked.add("unlock");
              return Errno.EINTR;
            }
          });

  @Test
  void shouldBeWhatIsInTheMemory() {
    assertThat(word.get()).isZero();
    assertThat(word.compareAndSet(1, 4_711)).isFalse();
    assertThat(word.compareAndSet(0, 4_711)).isTrue();
    assertThat(word.get()).isEqualTo(4_711);
  }

  @Test
  void shouldPassOnWhatTheFutexAnswers() {
    assertThat(word.lock(self, LockWord.NEVER_NS)).isEqualTo(Errno.EAGAIN);
    assertThat(word.lock(self, LockWord.NEVER_NS - 1)).isEqualTo(Errno.ETIMEDOUT);
    assertThat(word.unlock(self)).isEqualTo(Errno.EINTR);
    assertThat(asked).containsExactly("lock", "lock until " + (Long.MAX_VALUE - 1), "unlock");
  }

  @Test
  void shouldTellWaitersUnlessSomeThreadMayLinger() {
    assertThat(word.tellsWaiters()).isEqualTo(!MonitorThread.anyLingers());
  }

  @Test
  void shouldRefuseAVirtualThread() throws InterruptedException {
    MonitorThread[] virtual = {null};
    Thread.ofVirtual().name("light").start(() -> virtual[0] = MonitorThread.current()).join();
    assertThatThrownBy(() -> word.idOf(virtual[0]))
        .isInstanceOf(IllegalMonitorStateException.class)
        .hasMessageContaining("light");
    if (self.threadId != 0) {
      assertThat(word.idOf(self)).isEqualTo(self.threadId);
    }
  }
}
