package dev.takt.rtsj;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.takt.realtime.Periodic;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class NoHeapThreadTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Each has one constant, which nothing has used before it is asked. */
  private interface Speaker {
    String say();
  }

  private static final class First implements Speaker {
    @Override
    public String say() {
      return "said first, so that all but the constant is there";
    }
  }

  private static final class Mentioned implements Speaker {
    @Override
    public String say() {
      return "said by the one that the body of a thread mentions";
    }
  }

  @Test
  void shouldMakeTheStringConstantsOfItsBodyWhenItIsBuilt() {
    bytesToSay(new First());
    Mentioned speaker = new Mentioned();

    RealtimeThread.builder("prepared")
        .kind(ThreadKind.NO_HEAP)
        .release(Periodic.ofNs(1_000_000))
        .body(Making.body(speaker))
        .build();

    assertThat(bytesToSay(speaker)).isZero();
  }

  /** Apart, because what the test class mentions is made with it. */
  private static final class Making {
    static ThreadBody body(Speaker speaker) {
      return thread -> ((Mentioned) speaker).say();
    }
  }

  private static long bytesToSay(Speaker speaker) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    speaker.say();
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}
