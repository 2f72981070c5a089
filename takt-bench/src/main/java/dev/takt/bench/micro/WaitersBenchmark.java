package dev.takt.bench.micro;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Virtual threads that wait for the same kind of event, each again once it has one; and, as the
 * floor, such threads that wait in a plain queue.
 */
@State(Scope.Thread)
public class WaitersBenchmark {
  private static final Duration FOR_EVER = ChronoUnit.FOREVER.getDuration();

  /** How many threads wait. */
  @Param({"10", "100", "1000", "10000", "100000"})
  public int waiters;

  private final EventSpace space = EventSpace.create();
  private final Event event = Orders.order(0);
  private final Event template = Orders.withId(0);
  private final AtomicLong taken = new AtomicLong();
  private final Queue<Parked> queue = new ConcurrentLinkedQueue<>();
  private Thread[] threads = new Thread[0];
  private long written;

  /** Starts the threads, and waits until they wait. */
  @Setup
  public void start(BenchmarkParams run) {
    boolean isFloor = run.getBenchmark().endsWith(".floor");
    threads = new Thread[waiters];
    for (int i = 0; i < waiters; i++) {
      threads[i] =
          Thread.startVirtualThread(isFloor ? this::parkAgainAndAgain : this::takeAgainAndAgain);
    }
    for (Thread each : threads) {
      while (each.getState() != Thread.State.WAITING
          && each.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
    }
  }

  private void takeAgainAndAgain() {
    try {
      while (space.take(template, FOR_EVER) != null) {
        taken.incrementAndGet();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void parkAgainAndAgain() {
    while (!Thread.currentThread().isInterrupted()) {
      Parked self = new Parked(Thread.currentThread(), new AtomicBoolean());
      queue.add(self);
      while (!self.isWoken.get() && !self.thread.isInterrupted()) {
        LockSupport.park(this);
      }
      taken.incrementAndGet();
    }
  }

  private record Parked(Thread thread, AtomicBoolean isWoken) {}

  /** Counts the allocation, and ends the threads. */
  @TearDown
  public void close(BenchmarkParams run) throws Exception {
    String name = run.getBenchmark();
    Allocation.record(
        name.endsWith(".leave")
            ? this::leave
            : name.endsWith(".floor") ? this::floor : this::handOver,
        10);
    for (Thread each : threads) {
      each.interrupt();
    }
    for (Thread each : threads) {
      each.join();
    }
  }

  private void awaitTaken(long count) {
    while (taken.get() < count) {
      Thread.onSpinWait();
    }
  }

  /** One batch: writes an event, and waits until one of the threads has taken it. */
  @Benchmark
  public long handOver() {
    for (int i = 0; i < JmhBatch.SIZE; i++) {
      space.write(event);
      awaitTaken(++written);
    }
    return written;
  }

  /** One batch: wakes the first thread of a plain queue, and waits until it has run. */
  @Benchmark
  public long floor() {
    for (int i = 0; i < JmhBatch.SIZE; i++) {
      Parked first = queue.poll();
      while (first == null) {
        Thread.onSpinWait();
        first = queue.poll();
      }
      first.isWoken.set(true);
      LockSupport.unpark(first.thread);
      awaitTaken(++written);
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
