package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.takt.client.RemoteSpace;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceTransaction;
import dev.takt.space.Template;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client's operations by shared memory allocate: nothing, once all is compiled. */
class LinkAllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** The JVM makes constants of a class when it compiles its methods, so late parts count. */
  private static final int PARTS = 60;

  private static final int PAIRS = 1_000;
  private static final int WRITES = 50;
  private static final int TRANSACTIONS = 20;

  private final Event event = new Event();
  private final Event taken = new Event();
  private final Template template = new Template();
  private final Template any = new Template();

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

  /** What a transaction has of its own is the same, however many events it writes. */
  @Test
  void shouldAllocateNothingForTheWritesOfATransactionOnEitherSide(@TempDir Path folder)
      throws Exception {
    EventSpace inside = EventSpace.create();
    try (SharedMemoryHost host =
            new SharedMemoryHost(inside, folder.resolve("host"), ClientLimits.DEFAULTS);
        RemoteSpace space = host.connect()) {
      Bytes few = leastOfTransactions(host, inside, space, 1);
      Bytes many = leastOfTransactions(host, inside, space, WRITES);
      // an object for each write would be 16 bytes or more of each; a sleep of the host makes some
      long writes = (WRITES - 1L) * TRANSACTIONS;
      assertThat(many.client - few.client).as("bytes of the client").isLessThan(writes);
      assertThat(many.host - few.host).as("bytes of the host").isLessThan(writes);
    }
  }

  private record Bytes(long client, long host) {}

  private Bytes leastOfTransactions(
      SharedMemoryHost host, EventSpace inside, RemoteSpace space, int writes) {
    Function<SpaceTransaction, Boolean> body =
        transaction -> {
          for (int i = 0; i < writes; i++) {
            transaction.write(event.clear().add("type", "quote").add("id", i).add("price", 0.5));
          }
          return true;
        };
    long client = Long.MAX_VALUE;
    long served = Long.MAX_VALUE;
    for (int part = 0; part < 2 * PARTS; part++) {
      long hostBefore = host.allocatedBytes();
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < TRANSACTIONS; i++) {
        space.transact(0, body);
      }
      client = Math.min(client, THREADS.getCurrentThreadAllocatedBytes() - before);
      served = Math.min(served, host.allocatedBytes() - hostBefore);
      for (int i = 0; i < TRANSACTIONS * writes; i++) {
        assertThat(inside.take(any, taken)).isTrue();
      }
    }
    return new Bytes(client, served);
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
