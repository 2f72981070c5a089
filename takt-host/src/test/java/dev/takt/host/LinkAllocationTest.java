package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.takt.client.RemoteSpace;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Template;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client's single operations by shared memory allocate: nothing, once all is compiled. */
class LinkAllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** The JVM makes constants of a class when it compiles its methods, so late parts count. */
  private static final int PARTS = 60;

  private static final int PAIRS = 1_000;

  private final Event event = new Event();
  private final Event taken = new Event();
  private final Template template = new Template();

  @Test
  void shouldAllocateNothingForWritesAndTakesOnEitherSide(@TempDir Path folder) throws Exception {
    try (SharedMemoryHost host =
            new SharedMemoryHost(
                EventSpace.create(), folder.resolve("host"), ClientLimits.DEFAULTS);
        RemoteSpace space = host.connect()) {
      long client = Long.MAX_VALUE;
      long served = Long.MAX_VALUE;
      for (int part = 0; part < PARTS && (client != 0 || served != 0); part++) {
        long hostBefore = host.allocatedBytes();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        writeAndTake(space);
        client = THREADS.getCurrentThreadAllocatedBytes() - before;
        served = host.allocatedBytes() - hostBefore;
      }
      assertThat(client).as("bytes of %s writes and takes, of the client", PAIRS).isZero();
      assertThat(served).as("bytes of %s writes and takes, of the host", PAIRS).isZero();
    }
  }

  private void writeAndTake(RemoteSpace space) {
    for (long i = 0; i < PAIRS; i++) {
      event.clear().add("type", "quote").add("id", i).add("price", 0.5);
      space.write(event);
      template.clear().add("id", i);
      if (!space.take(template, taken) || taken.getLong("id") != i) {
        throw new AssertionError("event " + i + " is not there");
      }
    }
  }
}
