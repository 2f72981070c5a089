package dev.takt.rtsj.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.Policy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/** What the tests of monitors share. */
final class MonitorFixture {
  static final Guarantee NONE = new Guarantee(Guarantee.Kind.NONE, "a test");

  private MonitorFixture() {}

  /** Time passes only by sleeping. */
  static final class ManualClock implements NanoClock {
    private volatile long nowNs = 1_000;

    @Override
    public long nanoTime() {
      return nowNs;
    }

    @Override
    public synchronized void parkNanos(long durationNs) {
      nowNs += Math.max(0, durationNs);
    }
  }

  /** Another clock than the system's, though it shows the same time: so the queue does the work. */
  static final class OtherClock implements NanoClock {
    @Override
    public long nanoTime() {
      return System.nanoTime();
    }
  }

  /** Priorities that are written down, and refused on demand. */
  static final class FakePriorities implements Priorities {
    record Level(Policy policy, int priority) {}

    private static final Level ORDINARY = new Level(Policy.OTHER, 0);

    final Map<Thread, Level> levels = new ConcurrentHashMap<>();
    volatile Errno answer = Errno.NONE;
    volatile int readCount;

    /** Of all of them, as a thread is not told apart by whose priorities it has. */
    private static final AtomicLong CHANGES = new AtomicLong();

    volatile IntConsumer onSet = _ -> {};
    volatile Runnable onRead = () -> {};
    volatile Runnable onChanges = () -> {};

    /** The highest that is granted. */
    volatile int limit = 99;

    FakePriorities() {
      CHANGES.incrementAndGet(); // what threads know of themselves is of other ones
    }

    void put(Thread thread, Policy policy, int priority) {
      levels.put(thread, new Level(policy, priority));
      CHANGES.incrementAndGet();
    }

    Level level(Thread thread) {
      return levels.getOrDefault(thread, ORDINARY);
    }

    @Override
    public Policy policy(MonitorThread thread) {
      readCount++;
      return level(thread.thread).policy();
    }

    @Override
    public int priority(MonitorThread thread) {
      readCount++;
      onRead.run();
      return level(thread.thread).priority();
    }

    @Override
    public long changes() {
      onChanges.run();
      return CHANGES.get();
    }

    @Override
    public Errno set(MonitorThread thread, Policy policy, int priority) {
      onSet.accept(priority);
      if (priority > limit) {
        return Errno.EPERM;
      }
      if (answer == Errno.NONE) {
        put(thread.thread, policy, priority);
      }
      return answer;
    }
  }

  /** A word that says what it is told to, and is taken by another thread unless it is set. */
  static final class ScriptedWord implements LockWord {
    final Queue<Errno> locks = new ArrayDeque<>();
    final Queue<Errno> unlocks = new ArrayDeque<>();
    final List<Long> deadlinesNs = new ArrayList<>();
    Runnable onLock = () -> {};
    boolean tellsWaiters;
    int word = 7;
    int unlocked;

    @Override
    public int idOf(MonitorThread thread) {
      return 8;
    }

    @Override
    public int get() {
      return word;
    }

    @Override
    public boolean compareAndSet(int expected, int value) {
      boolean same = word == expected;
      word = same ? value : word;
      return same;
    }

    @Override
    public boolean tellsWaiters() {
      return tellsWaiters;
    }

    @Override
    public Errno lock(MonitorThread self, long deadlineNs) {
      deadlinesNs.add(deadlineNs);
      onLock.run();
      return locks.remove();
    }

    @Override
    public Errno unlock(MonitorThread self) {
      unlocked++;
      return unlocks.isEmpty() ? Errno.NONE : unlocks.remove();
    }
  }

  static InheritanceMonitor queued(String name, NanoClock clock, Priorities priorities) {
    return queued(MonitorSettings.named(name).withClock(clock), priorities);
  }

  static InheritanceMonitor queued(MonitorSettings settings, Priorities priorities) {
    return new InheritanceMonitor(
        settings, new QueueWord(settings.clock(), priorities), priorities, NONE);
  }

  static CeilingMonitor ceiling(String name, int ceiling, Priorities priorities) {
    return new CeilingMonitor(
        queued(name, new OtherClock(), priorities),
        ceiling,
        new Guarantee(Guarantee.Kind.CEILING, "a test"));
  }

  /** Waits for something that is about to happen. */
  static void until(BooleanSupplier condition) {
    long giveUpNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("gave up waiting").isLessThan(giveUpNs);
      Thread.yield();
    }
  }

  /** Work for a thread. */
  @FunctionalInterface
  interface Work {
    void run() throws Exception;
  }

  /** A thread of its own that does one thing after another. */
  static final class Actor implements AutoCloseable {
    private final ExecutorService executor;
    final MonitorThread self;

    Actor(String name) {
      executor = Executors.newSingleThreadExecutor(Thread.ofPlatform().name(name).factory());
      self = get(executor.submit(MonitorThread::current));
    }

    /** Does it, and returns when it is done. */
    void does(Work work) {
      get(begins(work));
    }

    /** Begins with it. */
    Future<?> begins(Work work) {
      return executor.submit(
          () -> {
            work.run();
            return null;
          });
    }

    /** Begins with it, and returns when it waits for a monitor and has looked for circles. */
    Future<?> blocksIn(Work work) {
      Future<?> done = begins(work);
      until(() -> isQueued(self.waitsFor) || done.isDone());
      return done;
    }

    private static boolean isQueued(InheritanceMonitor monitor) {
      return monitor != null && (monitor.word.get() & LockWord.WAITERS) != 0;
    }

    static <T> T get(Future<T> future) {
      try {
        return future.get(30, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof RuntimeException cause) {
          throw cause;
        }
        throw new AssertionError(e.getCause().getMessage(), e.getCause());
      } catch (InterruptedException | TimeoutException e) {
        throw new AssertionError(e);
      }
    }

    /** Ends its thread. */
    @Override
    public void close() {
      executor.shutdown();
      until(() -> !self.thread.isAlive());
    }
  }
}
