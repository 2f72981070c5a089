package dev.takt.rtsj.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.os.Descriptors;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Poller;
import dev.takt.realtime.os.ThreadScheduling;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Watches whose threads are disturbed at the worst moment. */
class WatchRaceTest {
  private static final int FD = 5;
  private static final int OTHER_FD = 6;

  private final AsyncEvent event = new AsyncEvent("event");

  /** Waits by a semaphore; the test says what is ready. */
  private static final class ManualPoller implements Poller {
    private final Set<Integer> fds = ConcurrentHashMap.newKeySet();
    private final Semaphore wakes = new Semaphore(0);
    private final CountDownLatch removed = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile int capacity = Integer.MAX_VALUE;
    private volatile Runnable onRemoveOther = () -> {};
    private volatile Runnable onAwait = () -> {};
    private volatile boolean signalled;

    @Override
    public void add(int fd, int events) {
      fds.add(fd);
      if (fds.size() > capacity) {
        throw new IllegalStateException("fd=" + fd + " is one too many"); // as the system's does
      }
    }

    @Override
    public void remove(int fd) {
      fds.remove(fd);
      if (fd == FD) {
        removed.countDown();
      } else {
        onRemoveOther.run();
      }
    }

    @Override
    public int await() {
      wakes.acquireUninterruptibly();
      onAwait.run();
      return signalled && fds.contains(FD) ? 1 : 0;
    }

    @Override
    public int await(long deadlineNs) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int readyFd(int index) {
      return FD;
    }

    @Override
    public int readyEvents(int index) {
      return READABLE;
    }

    @Override
    public void wake() {
      wakes.release();
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }

  private static OperatingSystem systemWith(ManualPoller poller) {
    Descriptors descriptors =
        (Descriptors)
            Proxy.newProxyInstance(
                Descriptors.class.getClassLoader(),
                new Class<?>[] {Descriptors.class},
                (proxy, method, arguments) -> {
                  poller.capacity = (int) arguments[0];
                  return poller;
                });
    return (OperatingSystem)
        Proxy.newProxyInstance(
            OperatingSystem.class.getClassLoader(),
            new Class<?>[] {OperatingSystem.class},
            (proxy, method, arguments) ->
                method.getName().equals("descriptors") ? Optional.of(descriptors) : null);
  }

  @Test
  void shouldWatchDescriptorThatIsBoundAnewWhileTheOldOneIsTakenOut() throws Exception {
    Semaphore handled = new Semaphore(0);
    ManualPoller poller = new ManualPoller();
    try (BoundHandler handler =
            BoundHandler.start(
                HandlerSettings.of("handler", ThreadScheduling.OTHER), self -> handled.release());
        DescriptorWatch watch =
            DescriptorWatch.start("watch", ThreadScheduling.OTHER, 2, systemWith(poller))) {
      event.addHandler(handler);
      // From here on the places are fixed: the last free one is given, the first is looked at first
      ReadyHappening other = watch.bind(OTHER_FD, Poller.READABLE, event);
      ReadyHappening old = watch.bind(FD, Poller.READABLE, event);
      while (!poller.fds.contains(FD) || !poller.fds.contains(OTHER_FD)) {
        Thread.onSpinWait();
      }
      poller.onRemoveOther =
          () -> { // the thread has passed the old one, and has not come to the new one
            old.close();
            watch.bind(FD, Poller.READABLE, event);
          };
      other.close();
      assertThat(poller.removed.await(10, TimeUnit.SECONDS)).isTrue();
      poller.signalled = true;
      poller.wake();
      assertThat(handled.tryAcquire(10, TimeUnit.SECONDS)).as("it is not deaf").isTrue();
      poller.signalled = false;
    }
  }

  @Test
  void shouldHaveRoomForNewDescriptorsWhileClosedOnesAreStillPolled() {
    ManualPoller poller = new ManualPoller();
    try (DescriptorWatch watch =
        DescriptorWatch.start("watch", ThreadScheduling.OTHER, 2, systemWith(poller))) {
      ReadyHappening other = watch.bind(OTHER_FD, Poller.READABLE, event);
      ReadyHappening old = watch.bind(FD, Poller.READABLE, event);
      while (!poller.fds.contains(FD) || !poller.fds.contains(OTHER_FD)) {
        Thread.onSpinWait();
      }
      poller.onRemoveOther =
          () -> { // the thread has passed the old one, and will add the new ones next
            old.close();
            watch.bind(OTHER_FD + 1, Poller.READABLE, event);
            watch.bind(OTHER_FD + 2, Poller.READABLE, event);
          };
      other.close();
      while (poller.fds.contains(FD) && poller.closed.getCount() > 0) {
        Thread.onSpinWait();
      }
      assertThat(poller.fds).containsExactlyInAnyOrder(OTHER_FD + 1, OTHER_FD + 2);
      assertThat(poller.closed.getCount()).as("it still watches").isOne();
    }
  }

  @Test
  void shouldUnbindAllAndSayWhyWhenItsThreadFails() throws Exception {
    ManualPoller poller = new ManualPoller();
    CompletableFuture<Throwable> reported = new CompletableFuture<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> reported.complete(failure));
    try (DescriptorWatch watch =
        DescriptorWatch.start("watch", ThreadScheduling.OTHER, 2, systemWith(poller))) {
      ReadyHappening happening = watch.bind(FD, Poller.READABLE, event);
      poller.onAwait =
          () -> {
            throw new IllegalStateException("on purpose");
          };
      poller.wake();
      assertThat(poller.closed.await(10, TimeUnit.SECONDS)).as("the poller is closed").isTrue();
      assertThat(reported.get(10, TimeUnit.SECONDS)).hasMessage("on purpose");
      assertThat(happening.isBound()).isFalse();
      assertThat(Objects.requireNonNull(happening.shortfall()).reason()).contains("on purpose");
      assertThatThrownBy(() -> watch.bind(FD, Poller.READABLE, event))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the watch watch has ended")
          .hasMessageContaining("on purpose");
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  void shouldRefuseEventsThatNobodyCanWaitFor() {
    ManualPoller poller = new ManualPoller();
    try (DescriptorWatch watch =
        DescriptorWatch.start("watch", ThreadScheduling.OTHER, 2, systemWith(poller))) {
      for (int events : new int[] {0, 2, Poller.ERROR, Poller.READABLE | Poller.HANGUP, -1}) {
        assertThatThrownBy(() -> watch.bind(FD, events, event))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("events=" + events + " (expected: READABLE=1, WRITABLE=4 or their sum)");
      }
      assertThat(watch.bind(FD, Poller.READABLE | Poller.WRITABLE, event).isBound()).isTrue();
    }
  }

  @Test
  void shouldArmChannelThatFiresBeforeItsBindHasReturned() throws Exception {
    Pipe pipe = Pipe.open();
    try (Pipe.SinkChannel sink = pipe.sink();
        Pipe.SourceChannel source = pipe.source();
        Selector selector = Selector.open()) {
      source.configureBlocking(false);
      assertThat(sink.isOpen()).isTrue();
      ChannelWatch.Watched happening =
          new ChannelWatch.Watched(source, SelectionKey.OP_READ, event);
      SelectionKey key = source.register(selector, SelectionKey.OP_READ, happening);
      ChannelWatch.ready(key);
      assertThat(key.interestOps()).isZero();
      happening.rearm();
      assertThat(key.interestOps()).isEqualTo(SelectionKey.OP_READ);
      assertThat(happening.count()).isOne();
    }
  }

  @Test
  void shouldSayWhyItsChannelsAreNotWatchedAnyMoreWhenItsThreadFails() throws Exception {
    Pipe pipe = Pipe.open();
    Pipe poisoned = Pipe.open();
    Selector selector = Selector.open();
    CompletableFuture<Throwable> reported = new CompletableFuture<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> reported.complete(failure));
    try (Pipe.SinkChannel _ = pipe.sink();
        Pipe.SourceChannel source = pipe.source();
        Pipe.SinkChannel poison = poisoned.sink();
        Pipe.SourceChannel poisonedSource = poisoned.source();
        ChannelWatch watch = new ChannelWatch("watch", ThreadScheduling.OTHER, 3, selector)) {
      source.configureBlocking(false);
      poisonedSource.configureBlocking(false);
      ReadyHappening happening = watch.bind(source, SelectionKey.OP_READ, event);
      // What happens to this one fires nothing, and that is a fault of the watch's own.
      poisonedSource.register(
          selector,
          SelectionKey.OP_READ,
          new ChannelWatch.Watched(poisonedSource, SelectionKey.OP_READ, null));
      selector.wakeup();

      poison.write(ByteBuffer.allocate(1));
      join("watch");

      assertThat(happening.isBound()).isFalse();
      assertThat(happening.shortfall().toString())
          .contains("the thread of the watch watch failed: java.lang.NullPointerException")
          .contains("bind it to another watch");
      assertThat(selector.isOpen()).isFalse();
      assertThatThrownBy(() -> watch.bind(source, SelectionKey.OP_READ, event))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith(
              "the watch watch has ended, because its thread failed: java.lang");
      assertThat(reported.get(10, TimeUnit.SECONDS)).isInstanceOf(NullPointerException.class);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  private static void join(String name) throws InterruptedException {
    for (Thread each : Thread.getAllStackTraces().keySet()) {
      if (each.getName().equals(name)) {
        assertThat(each.join(Duration.ofSeconds(10))).isTrue();
      }
    }
  }

  @Test
  void shouldCloseItsSelectorAlsoWhenCloseIsInterrupted() throws Exception {
    Pipe pipe = Pipe.open();
    try (Pipe.SinkChannel sink = pipe.sink();
        Pipe.SourceChannel source = pipe.source()) {
      source.configureBlocking(false);
      assertThat(sink.isOpen()).isTrue();
      ChannelWatch watch = ChannelWatch.start("watch", ThreadScheduling.OTHER, 1);
      ReadyHappening happening = watch.bind(source, SelectionKey.OP_READ, event);
      Thread.currentThread().interrupt();
      watch.close();
      assertThat(Thread.interrupted()).isTrue();
      join("watch");
      assertThat(happening.isBound()).isFalse();
    }
  }
}
