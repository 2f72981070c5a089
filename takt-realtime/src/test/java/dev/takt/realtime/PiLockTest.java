package dev.takt.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.ThreadScheduling;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PiLockTest {
  private static final int THREADS = 4;
  private static final int TURNS = 20_000;

  private long counter;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldLetOneThreadInAtATime(boolean isNative) throws InterruptedException {
    OperatingSystem system = isNative ? OperatingSystems.current() : OperatingSystems.portable();
    PiLock lock = new PiLock(system);
    CyclicBarrier begin = new CyclicBarrier(2 * THREADS);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2 * THREADS; i++) {
      Thread.Builder builder = i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
      // Platform threads of different priorities, where that is granted, and ordinary ones.
      ThreadScheduling scheduling =
          i % 4 == 0 ? ThreadScheduling.fifo(1 + i) : ThreadScheduling.OTHER;
      threads.add(
          builder.start(
              () -> {
                if (!Thread.currentThread().isVirtual()) {
                  system.schedule(scheduling);
                }
                count(lock, begin);
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(counter).isEqualTo(2L * THREADS * TURNS);
  }

  private void count(PiLock lock, CyclicBarrier begin) {
    try {
      begin.await();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    for (int i = 0; i < TURNS; i++) {
      lock.lock();
      try {
        counter++;
      } finally {
        lock.unlock();
      }
    }
  }

  @Test
  void shouldAllocateNothingWhenNobodyWaits() {
    PiLock lock = new PiLock(OperatingSystems.current());
    long least = Long.MAX_VALUE;
    for (int block = 0; block < 10; block++) {
      long before = ThreadMeter.system().allocatedBytes();
      for (int i = 0; i < 1_000; i++) {
        lock.lock();
        lock.unlock();
      }
      least = Math.min(least, ThreadMeter.system().allocatedBytes() - before);
    }
    assertThat(least).isZero();
  }
}
