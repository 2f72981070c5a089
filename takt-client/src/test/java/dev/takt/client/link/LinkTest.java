package dev.takt.client.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.takt.space.WaitClock;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Host and client exchange records, sleep and are woken, see each other's end, leave nothing. */
class LinkTest {
  static final LinkSettings SMALL = LinkSettings.DEFAULTS.withSizes(1024, 256);
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int ROUNDS = Seeds.size(2_000, 1_000_000);

  @TempDir private Path temporary;
  private Path folder;

  @BeforeEach
  void setFolder() {
    folder = temporary.resolve("host");
  }

  /** Makes both ends of a link. */
  LinkPair newPair() throws Exception {
    LinkPair pair = new LinkPair(folder, SMALL);
    assertThat(pair.client.isFutex()).as("sleeps at a futex").isTrue();
    return pair;
  }

  /** Makes one more client. */
  Link connect() throws IOException {
    return Link.connect(folder, LinkPair.LONG_NS);
  }

  Path folder() {
    return folder;
  }

  @Test
  void shouldCarryRecordsBothWays() throws Exception {
    try (LinkPair pair = newPair()) {
      assertThat(pair.client.maxRecordBytes()).isEqualTo(256);
      assertThat(pair.send(pair.client, 1)).isTrue();
      assertThat(pair.send(pair.client, 2)).isTrue();
      assertThat(LinkPair.receive(pair.host, pair.hostWaiter, pair.bytes)).isEqualTo(1);
      assertThat(LinkPair.receive(pair.host, pair.hostWaiter, pair.bytes)).isEqualTo(2);
      assertThat(pair.host.poll(pair.bytes)).isEqualTo(Link.NONE);
      assertThat(pair.send(pair.host, 3)).isTrue();
      assertThat(LinkPair.receive(pair.client, pair.clientWaiter, pair.bytes)).isEqualTo(3);
    }
  }

  /** Both sides sleep at once each time: a wake-up that is lost would last for a minute. */
  @Test
  void shouldWakeWhoSleepsForARecord() throws Exception {
    try (LinkPair pair = newPair()) {
      FutureTask<Void> echo =
          LinkPair.inBackground(
              () -> {
                MemorySegment own = Arena.ofAuto().allocate(256, 64);
                for (int i = 0; i < ROUNDS; i++) {
                  LinkPair.send(
                      pair.host, own, LinkPair.receive(pair.host, pair.hostWaiter, own) + 1);
                }
                return null;
              });
      for (int i = 0; i < ROUNDS; i++) {
        LinkPair.send(pair.client, pair.bytes, i);
        assertThat(LinkPair.receive(pair.client, pair.clientWaiter, pair.bytes)).isEqualTo(i + 1);
      }
      echo.get();
    }
  }

  @Test
  void shouldWakeWhoSleepsForRoom() throws Exception {
    try (LinkPair pair = newPair()) {
      FutureTask<Void> writing =
          LinkPair.inBackground(
              () -> {
                for (int i = 0; i < ROUNDS; i++) {
                  MemorySegment own = Arena.ofAuto().allocate(256, 64);
                  while (!pair.client.offer(own, 0, i % 257)) {
                    assertThat(LinkPair.await(pair.clientWaiter)).isTrue();
                  }
                }
                return null;
              });
      for (int i = 0; i < ROUNDS; i++) {
        int length = pair.host.poll(pair.bytes);
        while (length == Link.NONE) {
          assertThat(LinkPair.await(pair.hostWaiter)).isTrue();
          length = pair.host.poll(pair.bytes);
        }
        assertThat(length).isEqualTo(i % 257);
      }
      writing.get();
    }
  }

  /** After its last look, and before it has said that it sleeps. */
  @Test
  void shouldSeeARecordThatComesJustBeforeItSleeps() throws Exception {
    try (LinkPair pair = newPair()) {
      int[] looks = {0};
      WaitClock clock =
          new WaitClock() {
            @Override
            public long nanoTime() {
              if (looks[0]++ == 1) {
                try {
                  pair.send(pair.client, 1);
                } catch (LinkException e) {
                  throw new AssertionError(e);
                }
              }
              return looks[0];
            }

            @Override
            public void parkNanos(long durationNs) {
              throw new AssertionError("a waiter does not park");
            }
          };
      pair.hostWaiter.remove(pair.host);
      try (LinkWaiter waiter = LinkWaiter.open(0, clock, LinkPair.LONG_NS)) {
        waiter.add(pair.host);
        FutureTask<Boolean> waiting = LinkPair.inBackground(() -> waiter.await(LinkPair.LONG_NS));
        assertThat(waiting.get(20, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  @Test
  void shouldReturnFromAWaitWhenItsTimeIsOver() throws Exception {
    try (LinkPair pair = newPair()) {
      assertThat(pair.hostWaiter.await(2_000_000)).isFalse();
      assertThat(pair.hostWaiter.await(0)).isFalse();
      pair.send(pair.client, 1);
      assertThat(pair.hostWaiter.await(0)).isTrue();
    }
  }

  @Test
  void shouldGiveWhatWasSentThenTheEndWhenTheOtherSideCloses() throws Exception {
    try (LinkPair pair = newPair()) {
      pair.send(pair.client, 7);
      pair.client.close();
      assertThat(pair.hostWaiter.await(0)).isTrue();
      assertThat(pair.host.hasEnded()).isTrue();
      assertThat(LinkPair.receive(pair.host, pair.hostWaiter, pair.bytes)).isEqualTo(7);
      assertThat(LinkPair.await(pair.hostWaiter)).isTrue();
      assertThat(pair.host.poll(pair.bytes)).isEqualTo(Link.ENDED);
      assertThat(pair.send(pair.host, 1)).isFalse();
      assertThat(LinkPair.await(pair.hostWaiter)).as("the end stays").isTrue();
      assertThatThrownBy(() -> pair.client.poll(pair.bytes))
          .isInstanceOf(LinkException.class)
          .hasMessageContaining("closed");
      assertThatThrownBy(() -> pair.send(pair.client, 1)).isInstanceOf(LinkException.class);
    }
  }

  /** One thread has found the ring empty; what another one sees of the end then comes later. */
  @Test
  void shouldGiveARecordThatComesWithTheEndBeforeItTellsTheEnd() throws Exception {
    try (LinkPair pair = newPair()) {
      FutureTask<Integer> look;
      FutureTask<Boolean> sending;
      Link.faultLooks = Integer.MAX_VALUE;
      try {
        look = startAndHoldUp(() -> pair.host.poll(pair.bytes));
        sending = startAndHoldUp(() -> pair.send(pair.client, 7));
        pair.client.channel().close();
        while (!pair.host.hasEnded()) {
          pair.host.readWakeUps(); // as a thread in the waiter
        }
      } finally {
        Link.faultLooks = Link.FAULT_LOOKS;
      }
      assertThat(look.get()).isEqualTo(Link.NONE);
      assertThat(sending.get()).isTrue();
      assertThat(LinkPair.receive(pair.host, pair.hostWaiter, pair.bytes)).isEqualTo(7);
      assertThat(pair.host.poll(pair.bytes)).isEqualTo(Link.ENDED);
    }
  }

  /** Returns when the thread has looked at the memory, or written into it, and is held up. */
  private static <T> FutureTask<T> startAndHoldUp(Callable<T> what) {
    FutureTask<T> task = new FutureTask<>(what);
    Thread thread = new Thread(task, "test-held-up");
    thread.start();
    while (!task.isDone()
        && Stream.of(thread.getStackTrace())
            .noneMatch(frame -> frame.getMethodName().equals("meetFaults"))) {
      Thread.onSpinWait();
    }
    return task;
  }

  @Test
  void shouldEndAWaitWhenTheOtherSideCloses() throws Exception {
    try (LinkPair pair = newPair()) {
      FutureTask<Boolean> waiting = LinkPair.inBackground(() -> LinkPair.await(pair.clientWaiter));
      pair.host.close();
      assertThat(waiting.get()).isTrue();
      assertThat(pair.client.poll(pair.bytes)).isEqualTo(Link.ENDED);
    }
  }

  @Test
  void shouldLeaveNeitherFileNorMappingNorDescriptorNorThread() throws Exception {
    try (LinkPair warm = newPair()) {
      assertThat(warm.listener.links()).isEqualTo(1);
    }
    long before = LinkPair.descriptorsAndMappings();
    for (int i = 0; i < 20; i++) {
      try (LinkPair pair = newPair()) {
        assertThat(files())
            .as("files while a link is open")
            .containsExactlyInAnyOrder("host", "lock");
        if (i % 2 == 0) {
          pair.host.close();
          assertThat(pair.listener.links()).isZero();
        }
      }
    }
    assertThat(folder).doesNotExist();
    assertThat(LinkPair.descriptorsAndMappings()).isEqualTo(before);
  }

  private Stream<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(each -> each.getFileName().toString()).toList().stream();
    }
  }

  @Test
  void shouldKeepOtherLinksWhenOneIsTakenOut() throws Exception {
    try (LinkPair pair = newPair()) {
      long before = LinkPair.descriptorsAndMappings();
      FutureTask<Link> second = LinkPair.inBackground(this::connect);
      Link other = pair.listener.accept(LinkPair.LONG_NS);
      pair.hostWaiter.add(other);
      second.get().close();
      assertThat(LinkPair.await(pair.hostWaiter)).isTrue();
      assertThat(other.poll(pair.bytes)).isEqualTo(Link.ENDED);
      other.close();
      pair.hostWaiter.remove(other);
      assertThat(LinkPair.descriptorsAndMappings()).as("descriptors, mappings").isEqualTo(before);
      assertThat(pair.hostWaiter.await(1)).isFalse();
      pair.send(pair.client, 5);
      assertThat(LinkPair.receive(pair.host, pair.hostWaiter, pair.bytes)).isEqualTo(5);
    }
  }

  @Test
  void shouldWakeWhoSleepsForSeveralLinks() throws Exception {
    try (LinkPair pair = newPair()) {
      FutureTask<Link> second = LinkPair.inBackground(this::connect);
      try (Link other = pair.listener.accept(LinkPair.LONG_NS);
          Link client = second.get();
          LinkWaiter clientWaiter = LinkPair.waiter()) {
        pair.hostWaiter.add(other);
        clientWaiter.add(client);
        FutureTask<Void> echo = LinkPair.inBackground(() -> echo(pair, other));
        for (int i = 0; i < ROUNDS; i++) {
          boolean isFirst = i % 3 == 0;
          Link link = isFirst ? pair.client : client;
          LinkPair.send(link, pair.bytes, i);
          long back =
              LinkPair.receive(link, isFirst ? pair.clientWaiter : clientWaiter, pair.bytes);
          assertThat(back).isEqualTo(i + 1);
        }
        echo.get();
        pair.hostWaiter.remove(other);
      }
    }
  }

  private static Void echo(LinkPair pair, Link other) throws IOException {
    MemorySegment own = Arena.ofAuto().allocate(256, 64);
    for (int i = 0; i < ROUNDS; i++) {
      Link link = pair.host;
      while (link.poll(own) == Link.NONE) {
        link = link == other ? pair.host : other;
        if (link == pair.host) {
          assertThat(LinkPair.await(pair.hostWaiter)).as("request %s", i).isTrue();
        }
      }
      LinkPair.send(link, own, own.get(ValueLayout.JAVA_LONG, 0) + 1);
    }
    return null;
  }

  @Test
  void shouldEndAWaitThatAnotherThreadEnds() throws Exception {
    try (LinkPair pair = newPair()) {
      for (int i = 0; i < 50; i++) {
        FutureTask<Boolean> waiting =
            LinkPair.inBackground(() -> pair.hostWaiter.await(LinkPair.LONG_NS));
        if (i % 2 == 0) {
          pair.awaitSleepOfHost();
        }
        pair.hostWaiter.wakeUp();
        assertThat(waiting.get(20, TimeUnit.SECONDS)).isFalse();
      }
    }
  }

  @Test
  void shouldEndAWaitWhenItsThreadIsInterrupted() throws Exception {
    try (LinkPair pair = newPair()) {
      for (int i = 0; i < 50; i++) {
        FutureTask<Boolean> waiting =
            new FutureTask<>(() -> pair.hostWaiter.await(LinkPair.LONG_NS));
        Thread thread = new Thread(waiting, "test-interrupted");
        thread.start();
        if (i % 2 == 0) {
          pair.awaitSleepOfHost();
        }
        thread.interrupt();
        assertThat(waiting.get(20, TimeUnit.SECONDS)).isFalse();
      }
    }
  }

  /** Neither side spins, so each round trip has sleeps and wake-ups. */
  @Test
  void shouldAllocateNothingInSteadyState() throws Exception {
    int turns = 40;
    int rounds = 100;
    long least = Long.MAX_VALUE;
    try (LinkPair pair = newPair()) {
      FutureTask<Long> echo =
          LinkPair.inBackground(
              () -> {
                MemorySegment own = Arena.ofAuto().allocate(256, 64);
                long leastOfEcho = Long.MAX_VALUE;
                for (int turn = 0; turn < turns; turn++) {
                  long before = THREADS.getCurrentThreadAllocatedBytes();
                  for (int i = 0; i < rounds; i++) {
                    long number = LinkPair.receive(pair.host, pair.hostWaiter, own);
                    LinkPair.send(pair.host, own, number);
                  }
                  leastOfEcho =
                      Math.min(leastOfEcho, THREADS.getCurrentThreadAllocatedBytes() - before);
                }
                return leastOfEcho;
              });
      for (int turn = 0; turn < turns; turn++) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < rounds; i++) {
          LinkPair.send(pair.client, pair.bytes, i);
          LinkPair.receive(pair.client, pair.clientWaiter, pair.bytes);
        }
        least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
      }
      assertThat(echo.get()).as("bytes in %d answers", rounds).isZero();
    }
    assertThat(least).as("bytes in %d requests", rounds).isZero();
  }

  /** Only a collection would free it, and in a host that stops the tasks. */
  @Test
  void shouldTakeNoDirectMemoryForALink() throws Exception {
    long grown = 0;
    try (LinkListener listener = LinkListener.open(folder, SMALL);
        ExecutorService client = Executors.newSingleThreadExecutor()) {
      for (int i = 0; i <= 20; i++) {
        long before = directBuffers().getCount();
        Future<Link> connecting = client.submit(() -> Link.connect(folder, LinkPair.LONG_NS));
        listener.accept(LinkPair.LONG_NS).close();
        connecting.get().close();
        if (i > 0) { // threads keep buffers of their first use
          grown += Math.max(0, directBuffers().getCount() - before);
        }
      }
    }
    assertThat(grown).as("direct buffers of 20 links").isLessThan(20);
  }

  private static BufferPoolMXBean directBuffers() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .findFirst()
        .orElseThrow();
  }
}
