package dev.takt.rtsj.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.Descriptors;
import dev.takt.realtime.os.EventFd;
import dev.takt.realtime.os.Poller;
import dev.takt.realtime.os.Shortfall;
import dev.takt.realtime.os.ThreadScheduling;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // resources are closed early on purpose, or only there to be closed
class HappeningTest {
  private final AsyncEvent event = new AsyncEvent("event");
  private final Semaphore handled = new Semaphore(0);
  private final BoundHandler handler =
      BoundHandler.start(
          HandlerSettings.of("handler", ThreadScheduling.OTHER), self -> handled.release());

  HappeningTest() {
    event.addHandler(handler);
  }

  @AfterEach
  void close() {
    handler.close();
    assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName))
        .noneMatch(name -> name.equals("handler") || name.equals("watch"));
  }

  private static void signal(String name) throws IOException, InterruptedException {
    long self = ProcessHandle.current().pid();
    assertThat(new ProcessBuilder("sh", "-c", "kill -" + name + " " + self).start().waitFor())
        .isZero();
  }

  @Test
  void shouldFireWhenTheSignalComes() throws Exception {
    try (SignalHappening happening = SignalHappening.bind("SIGUSR1", event)) {
      assertThat(happening.shortfall()).isNull();
      assertThat(happening.isBound()).isTrue();
      signal("USR1");
      handled.acquire();
      signal("USR1");
      handled.acquire();
      assertThat(happening.count()).isEqualTo(2);
      assertThat(happening).hasToString("signal USR1 -> event");
    }
  }

  @Test
  void shouldCallTheHandlerThatWasThereAndPutItBack() throws Exception {
    AsyncEvent before = new AsyncEvent("before");
    before.addHandler(handler);
    try (SignalHappening first = SignalHappening.bind("USR1", before)) {
      try (SignalHappening second = SignalHappening.bind("USR1", event)) {
        signal("USR1");
        handled.acquire(2);
        assertThat(second.count()).isOne();
      }
      signal("USR1");
      handled.acquire();
      assertThat(event.fireCount()).isOne();
      assertThat(before.fireCount()).isEqualTo(2);
      assertThat(first.isBound()).isTrue();
    }
  }

  @Test
  void shouldLetAHandlerStayThatWasInstalledLater() throws Exception {
    AsyncEvent later = new AsyncEvent("later");
    later.addHandler(handler);
    SignalHappening first = SignalHappening.bind("USR1", event);
    try (SignalHappening second = SignalHappening.bind("USR1", later)) {
      first.close();
      assertThat(first.isBound()).isFalse();
      signal("USR1");
      handled.acquire();
      assertThat(second.count()).isOne();
      assertThat(event.fireCount()).isZero();
    }
  }

  @Test
  void shouldNotPutTheSystemsDefaultInThePlaceOfALaterHandler() throws Exception {
    List<Object> there = new ArrayList<>(List.of("later"));
    SignalPort.Setter setter =
        handler -> {
          there.add(Objects.requireNonNull(handler));
          return there.get(there.size() - 2);
        };
    SignalPort.restore(setter, "own", "default");
    assertThat(there).containsExactly("later", "own", "later");
    there.add("own");
    SignalPort.restore(setter, "own", "default");
    assertThat(there).containsExactly("later", "own", "later", "own", "own", "default");
  }

  @Test
  void shouldReportSignalsThatCannotBeBoundAsValues() {
    for (String name : new String[] {"KILL", "SEGV", "INT", "TERM", "USR2", "nonsense", ""}) {
      try (SignalHappening happening = SignalHappening.bind(name, event)) {
        assertThat(happening.isBound()).isFalse();
        Shortfall shortfall = Objects.requireNonNull(happening.shortfall());
        assertThat(shortfall.asked()).isEqualTo(name);
        assertThat(shortfall.remedy()).contains("USR1");
      }
    }
  }

  @Test
  void shouldNameTheModuleThatIsMissing() {
    assertThat(SignalPort.shortfall("USR1", new ClassNotFoundException("gone")))
        .hasToString("signal USR1 not granted: gone; start with --add-modules jdk.unsupported");
  }

  @Test
  void shouldFireWhenAChannelBecomesReadableAndAgainWhenRearmed() throws Exception {
    Pipe pipe = Pipe.open();
    try (Pipe.SourceChannel source = pipe.source();
        Pipe.SinkChannel sink = pipe.sink();
        ChannelWatch watch = ChannelWatch.start("watch", ThreadScheduling.OTHER, 1)) {
      source.configureBlocking(false);
      ReadyHappening happening = watch.bind(source, SelectionKey.OP_READ, event);
      assertThat(happening.isBound()).isTrue();
      ByteBuffer one = ByteBuffer.allocate(1);
      for (int i = 1; i <= 10; i++) {
        sink.write(one.clear());
        handled.acquire();
        assertThat(source.read(one.clear())).isOne();
        assertThat(happening.count()).isEqualTo(i);
        happening.rearm();
      }
      sink.write(one.clear());
      handled.acquire();
      happening.rearm(); // without having read: it is ready still
      handled.acquire();
      happening.close();
      assertThat(happening.isBound()).isFalse();
      happening.rearm();
      assertThat(watch.grant().isComplete()).isTrue();
    }
    assertThat(handled.availablePermits()).isZero();
  }

  @Test
  void shouldRefuseChannelsThatCannotBeWatched() throws Exception {
    Pipe pipe = Pipe.open();
    Pipe other = Pipe.open();
    try (Pipe.SourceChannel source = pipe.source();
        Pipe.SinkChannel sink = pipe.sink();
        Pipe.SourceChannel second = other.source();
        Pipe.SinkChannel end = other.sink();
        ChannelWatch watch = ChannelWatch.start("watch", ThreadScheduling.OTHER, 1)) {
      assertThatThrownBy(() -> watch.bind(source, SelectionKey.OP_READ, event))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("configureBlocking(false)");
      source.configureBlocking(false);
      second.configureBlocking(false);
      watch.bind(source, SelectionKey.OP_READ, event);
      assertThatThrownBy(() -> watch.bind(source, SelectionKey.OP_READ, event))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("is bound here");
      assertThatThrownBy(() -> watch.bind(second, SelectionKey.OP_READ, event))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("maxChannels=1");
      sink.close();
      handled.acquire(); // the end of the pipe is something to read, too
      end.close();
    }
  }

  @Test
  void shouldBindAChannelAgainAtOnceWhenItsHappeningWasClosed() throws Exception {
    Pipe pipe = Pipe.open();
    try (Pipe.SourceChannel source = pipe.source();
        Pipe.SinkChannel sink = pipe.sink();
        ChannelWatch watch = ChannelWatch.start("watch", ThreadScheduling.OTHER, 1)) {
      source.configureBlocking(false);
      for (int i = 0; i < 200; i++) {
        watch.bind(source, SelectionKey.OP_READ, event).close();
      }
      ReadyHappening happening = watch.bind(source, SelectionKey.OP_READ, event);
      sink.write(ByteBuffer.allocate(1));
      handled.acquire();
      assertThat(happening.count()).isOne();
    }
  }

  @Test
  void shouldGiveThePlaceOfAClosedChannelToAnother() throws Exception {
    try (ChannelWatch watch = ChannelWatch.start("watch", ThreadScheduling.OTHER, 1)) {
      for (int i = 0; i < 200; i++) {
        Pipe pipe = Pipe.open();
        try (Pipe.SourceChannel source = pipe.source();
            Pipe.SinkChannel sink = pipe.sink()) {
          source.configureBlocking(false);
          assertThat(watch.bind(source, SelectionKey.OP_READ, event).isBound()).isTrue();
          assertThat(sink.isOpen()).isTrue();
        }
      }
    }
  }

  @Test
  void shouldReportAClosedChannelAsAValue() throws Exception {
    Pipe pipe = Pipe.open();
    pipe.sink().close();
    try (ChannelWatch watch = ChannelWatch.start("watch", ThreadScheduling.OTHER, 1)) {
      pipe.source().configureBlocking(false);
      pipe.source().close();
      ReadyHappening happening = watch.bind(pipe.source(), SelectionKey.OP_READ, event);
      assertThat(happening.isBound()).isFalse();
      assertThat(Objects.requireNonNull(happening.shortfall()).reason()).contains("closed");
      happening.rearm();
      happening.close();
    }
  }

  @Test
  void shouldReportDescriptorsAsMissingWithoutTheOperatingSystem() {
    try (DescriptorWatch watch =
        DescriptorWatch.start("watch", ThreadScheduling.OTHER, 1, OperatingSystems.portable())) {
      assertThat(watch.shortfall()).isNotNull();
      assertThat(watch.grant()).isNull();
      ReadyHappening happening = watch.bind(0, Poller.READABLE, event);
      assertThat(happening.isBound()).isFalse();
      assertThat(happening.shortfall()).isEqualTo(watch.shortfall());
      happening.rearm();
      happening.close();
    }
  }

  @Test
  void shouldFireWhenADescriptorBecomesReadableAndAgainWhenRearmed() throws Exception {
    Optional<Descriptors> descriptors = OperatingSystems.current().descriptors();
    if (descriptors.isEmpty()) {
      return; // what happens then is tested above
    }
    try (EventFd source = descriptors.get().newEventFd();
        DescriptorWatch watch = DescriptorWatch.start("watch", ThreadScheduling.OTHER, 2)) {
      ReadyHappening happening = watch.bind(source.fd(), Poller.READABLE, event);
      assertThat(happening.isBound()).isTrue();
      for (int i = 1; i <= 10; i++) {
        source.signal();
        handled.acquire();
        assertThat(happening.count()).isEqualTo(i);
        assertThat(source.drain()).isOne();
        happening.rearm();
      }
      source.signal();
      handled.acquire();
      happening.rearm();
      handled.acquire();
      assertThatThrownBy(() -> watch.bind(source.fd(), Poller.READABLE, event))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("is bound here");
      happening.close();
      happening.rearm();
      ReadyHappening again = watch.bind(source.fd(), Poller.READABLE, event);
      handled.acquire();
      assertThat(again.count()).isOne();
    }
    assertThat(handled.availablePermits()).isZero();
  }

  @Test
  void shouldAllocateNothingWhileItWatchesDescriptors() throws Exception {
    Optional<Descriptors> descriptors = OperatingSystems.current().descriptors();
    if (descriptors.isEmpty()) {
      return; // what happens then is tested above
    }
    try (EventFd source = descriptors.get().newEventFd();
        DescriptorWatch watch = DescriptorWatch.start("watch", ThreadScheduling.OTHER, 2)) {
      ReadyHappening happening = watch.bind(source.fd(), Poller.READABLE, event);
      long bytes = 0;
      for (int round = 0; round < 20; round++) {
        long before = allocatedBytes("watch");
        for (int i = 0; i < 500; i++) {
          source.signal();
          handled.acquire();
          source.drain();
          happening.rearm();
        }
        bytes = allocatedBytes("watch") - before;
        if (bytes == 0) {
          break; // what the JVM allocates while it links and compiles is gone
        }
      }
      assertThat(bytes).as("bytes of 500 happenings").isZero();
    }
  }

  private static long allocatedBytes(String name) {
    Thread found =
        Thread.getAllStackTraces().keySet().stream()
            .filter(each -> each.getName().equals(name))
            .findFirst()
            .orElseThrow();
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getThreadAllocatedBytes(found.threadId());
  }

  @Test
  void shouldNoticeThatADescriptorIsNotOpenAndLimitThem() throws Exception {
    Optional<Descriptors> descriptors = OperatingSystems.current().descriptors();
    if (descriptors.isEmpty()) {
      return; // without the operating system's descriptors there is none to be closed
    }
    try (EventFd source = descriptors.get().newEventFd();
        DescriptorWatch watch = DescriptorWatch.start("watch", ThreadScheduling.OTHER, 1)) {
      ReadyHappening gone = watch.bind(1_000_000, Poller.READABLE, event);
      while (gone.isBound()) {
        Thread.onSpinWait();
      }
      assertThat(Objects.requireNonNull(gone.shortfall()).reason()).contains("not open");
      ReadyHappening happening = watch.bind(source.fd(), Poller.READABLE, event);
      assertThatThrownBy(() -> watch.bind(source.fd() + 1, Poller.READABLE, event))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("maxDescriptors=1");
      assertThat(happening.isBound()).isTrue();
      watch.close();
      assertThat(happening.isBound()).isFalse();
      assertThatThrownBy(() -> watch.bind(source.fd(), Poller.READABLE, event))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
    }
    assertThat(event.fireCount()).isZero();
  }
}
