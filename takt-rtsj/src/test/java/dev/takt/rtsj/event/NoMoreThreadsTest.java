package dev.takt.rtsj.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.ThreadScheduling;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What was made before a thread is let go of when the system has no thread to give. */
class NoMoreThreadsTest {
  private static final int MANY = 50;

  /** How many more threads can be made; inherited by each that is, which is how it counts. */
  private static final class ThreadsLeft extends InheritableThreadLocal<Integer> {
    private int left;

    @Override
    protected Integer childValue(Integer parentValue) {
      if (left == 0) {
        throw new OutOfMemoryError("no more threads, on purpose");
      }
      left--;
      return parentValue;
    }
  }

  private final ThreadsLeft threads = new ThreadsLeft();

  private void leave(int count) {
    threads.left = count;
    threads.set(count);
  }

  @AfterEach
  void forget() {
    threads.remove();
  }

  private static long openDescriptors() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getOpenFileDescriptorCount()
        : 0;
  }

  @Test
  void shouldEndTheThreadsOfAPoolThatCannotHaveAllOfThem() {
    PoolSettings settings = PoolSettings.of("few", 3, ThreadScheduling.OTHER);
    leave(2);
    assertThatThrownBy(() -> HandlerPool.start(settings))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContaining("on purpose");
    assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName))
        .noneMatch(name -> name.startsWith("few-"));
  }

  @Test
  void shouldCloseTheSelectorOfAWatchThatCannotHaveItsThread() {
    leave(0);
    long before = openDescriptors();
    for (int i = 0; i < MANY; i++) {
      assertThatThrownBy(() -> ChannelWatch.start("none", ThreadScheduling.OTHER, 1))
          .isInstanceOf(OutOfMemoryError.class);
    }
    assertThat(openDescriptors() - before).isLessThan(MANY);
  }

  @Test
  void shouldCloseThePollerOfAWatchThatCannotHaveItsThread() {
    if (OperatingSystems.current().descriptors().isEmpty()) {
      return; // it has no thread there
    }
    leave(0);
    long before = openDescriptors();
    for (int i = 0; i < MANY; i++) {
      assertThatThrownBy(() -> DescriptorWatch.start("none", ThreadScheduling.OTHER, 1))
          .isInstanceOf(OutOfMemoryError.class);
    }
    assertThat(openDescriptors() - before).isLessThan(MANY);
  }
}
