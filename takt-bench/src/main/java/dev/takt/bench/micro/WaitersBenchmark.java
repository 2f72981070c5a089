package dev.takt.bench.micro;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/** Virtual threads that wait for the same kind of event, each again once it has one. */
@State(Scope.Thread)
public class WaitersBenchmark {
  private static final Duration LONG = Duration.ofDays(1);

  /** How many threads wait. */
  @Param({"10", "100", "1000", "10000", "100000"})
  public int waiters;

  private final EventSpace space = EventSpace.create();
  private final Event event = Orders.order(0);
  private final Event template = Orders.withId(0);
  private final AtomicLong taken = new AtomicLong();
  private Thread[] threads = new Thread[0];
  private long written;

  /** Starts the threads, and waits until they wait. */
  @Setup
  public void start() {
    threads = new Thread[waiters];
    for (int i = 0; i < waiters; i++) {
      threads[i] = Thread.startVirtualThread(this::takeAgainAndAgain);
    }
    for (Thread each : threads) {
      while (each.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
    }
  }

  private void takeAgainAndAgain() {
    try {
      while (space.take(template, LONG) != null) {
        taken.incrementAndGet();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Counts the allocation, and ends the threads. */
  @TearDown
  public void close(BenchmarkParams run) throws Exception {
    Allocation.record(run.getBenchmark().endsWith(".leave") ? this::leave : this::handOver, 10);
    for (Thread each : threads) {
      each.interrupt();
    }
    for (Thread each : threads) {
      each.join();
    }
  }

  /** One batch: writes an event, and waits until one of the threads has taken it. */
  @Benchmark
  public long handOver() {
    for (int i = 0; i < JmhBatch.SIZE; i++) {
      space.write(event);
      written++;
      while (taken.get() < written) {
        Thread.onSpinWait();
      }
    }
    return written;
  }

  /** One batch: enters the queue, and leaves it because the time is over. */
  @Benchmark
  public Object leave() throws InterruptedException {
    for (int i = 0; i < JmhBatch.SIZE; i++) {
      if (space.take(template, Duration.ZERO) != null) {
        throw new IllegalStateException("nothing is written, and there is an event");
      }
    }
    return template;
  }
}
