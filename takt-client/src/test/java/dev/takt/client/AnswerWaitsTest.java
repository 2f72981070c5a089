package dev.takt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.client.ScriptedLink.Sent;
import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.Operation;
import dev.takt.space.Event;
import dev.takt.space.WaitClock;
import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever waits is woken, whoever has received the answer, and in whatever order. */
@Timeout(60)
class AnswerWaitsTest {
  private static final Event X = new Event("x", 1);
  private static final long LONG_NS = 20_000_000_000L;

  private ScriptedLink link = new ScriptedLink(0);
  private final List<Thread> threads = new ArrayList<>();
  private volatile Thread held;
  private final CountDownLatch release = new CountDownLatch(1);
  private volatile Runnable onNotice = () -> {};
  private final BlockingQueue<Throwable> uncaught = new LinkedBlockingQueue<>();

  /** The machine's, but one thread comes late out of its wait. */
  private final WaitClock clock =
      new WaitClock() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public void parkNanos(long durationNs) {
          LockSupport.parkNanos(durationNs);
          if (Thread.currentThread() == held) {
            awaitUninterruptibly(release);
          }
        }
      };

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private final RequestExchange.Notices notices =
      new RequestExchange.Notices() {
        @Override
        public void add(long subscription) {}

        @Override
        public void run() {
          onNotice.run();
        }
      };

  private RequestExchange exchange;

  private void begin(long spinNs) throws Exception {
    link = new ScriptedLink(spinNs);
    exchange = new RequestExchange(link, ScriptedLink.WIRE, clock, notices, this::receiver);
    link.welcome();
    exchange.hello(ReconnectingLink.NOBODY, "", new Deadline(clock, LONG_NS, "of the test"));
    assertThat(link.next().kind()).isEqualTo(MessageKind.HELLO);
  }

  private Thread receiver(Runnable body) {
    Thread thread = Thread.ofPlatform().name("receiver").unstarted(body);
    thread.setUncaughtExceptionHandler((_, thrown) -> uncaught.add(thrown));
    threads.add(thread);
    return thread;
  }

  @AfterEach
  void end() throws Exception {
    release.countDown();
    exchange.end(new IllegalStateException("the test is over"));
    for (Thread thread : threads) {
      thread.join(20_000);
      assertThat(thread.isAlive()).as("%s has ended", thread).isFalse();
    }
  }

  private FutureTask<Long> ask(Thread.Builder builder) {
    FutureTask<Long> task = new FutureTask<>(() -> exchange.ask(Operation.COUNT, 0, 0, X, null));
    threads.add(builder.start(task));
    return task;
  }

  /** Begins a request on a thread and returns when the thread waits. */
  private Sent askAndPark(List<FutureTask<Long>> tasks) throws Exception {
    tasks.add(ask(Thread.ofPlatform()));
    Sent sent = link.next();
    Thread thread = threads.getLast();
    while (thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    return sent;
  }

  private static long get(FutureTask<Long> task) throws Exception {
    return task.get(20, TimeUnit.SECONDS);
  }

  @Test
  void shouldWakeAThirdCallerWhenTheSleeperAndTheSecondOneAreAnsweredTogether() throws Exception {
    begin(0);
    List<FutureTask<Long>> tasks = new ArrayList<>();
    Sent first = askAndPark(tasks);
    link.awaitSleeper();
    Sent second = askAndPark(tasks);
    held = threads.getLast(); // its place is passed on to, although it has its answer
    Sent third = askAndPark(tasks);
    link.answer(second, 2);
    link.answer(first, 1);
    link.flush();
    assertThat(get(tasks.get(0))).isEqualTo(1);
    release.countDown();
    assertThat(get(tasks.get(1))).isEqualTo(2);
    link.answer(third, 3);
    link.flush();
    assertThat(get(tasks.get(2))).isEqualTo(3);
  }

  @Test
  void shouldEndCallersWhenTheReceiverEndsByAFault() throws Exception {
    begin(0);
    FutureTask<Long> task = ask(Thread.ofVirtual());
    link.next();
    link.awaitSleeper();
    link.fault = new InternalError("of the test");
    link.wakeUp();
    assertThatThrownBy(() -> get(task))
        .cause()
        .isInstanceOf(LinkEndedException.class)
        .hasRootCause(link.fault);
    assertThat(uncaught.poll(20, TimeUnit.SECONDS)).isSameAs(link.fault);
  }

  @Test
  void shouldWakeTheSleeperWhoseAnswerAnotherCallerHasReceived() throws Exception {
    begin(100_000_000);
    List<FutureTask<Long>> tasks = new ArrayList<>();
    Sent first = askAndPark(tasks); // has polled, and sleeps
    link.awaitSleeper();
    tasks.add(ask(Thread.ofPlatform())); // polls
    Sent second = link.next();
    link.answer(first, 1);
    link.answer(second, 2);
    assertThat(get(tasks.get(1))).isEqualTo(2);
    assertThat(get(tasks.get(0))).isEqualTo(1);
  }

  /** Whoever polls has the lock without which nobody can send. */
  @Test
  void shouldLetAnotherCallerAskWhileOnePolls() throws Exception {
    begin(60_000_000_000L);
    FutureTask<Long> first = ask(Thread.ofPlatform());
    Sent one = link.next();
    for (Thread.Builder builder : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
      FutureTask<Long> second = ask(builder);
      link.answer(link.next(), 2);
      link.flush();
      assertThat(get(second)).isEqualTo(2);
    }
    link.answer(one, 1);
    assertThat(get(first)).isEqualTo(1);
  }

  @Test
  void shouldEndACallerThatPollsWhenTheLinkEnds() throws Exception {
    begin(60_000_000_000L);
    FutureTask<Long> caller = ask(Thread.ofPlatform());
    link.next();
    exchange.end(new IllegalStateException("cut"));
    assertThatThrownBy(() -> get(caller))
        .hasCauseInstanceOf(LinkEndedException.class)
        .hasMessageContaining("cut");
  }

  @Test
  void shouldRunSubscribersWhileACallerSleeps() throws Exception {
    begin(0);
    List<FutureTask<Long>> tasks = new ArrayList<>();
    Sent first = askAndPark(tasks);
    link.awaitSleeper();
    CountDownLatch ran = new CountDownLatch(1);
    onNotice = ran::countDown;
    exchange.startReceiver();
    link.notice(7);
    link.flush();
    awaitUninterruptibly(ran);
    link.answer(first, 1);
    link.flush();
    assertThat(get(tasks.get(0))).isEqualTo(1);
  }

  /** As one that catches an interrupt and keeps it for its caller, which is the usual way. */
  @Test
  void shouldWaitAfterASubscriberHasLeftItsThreadInterrupted() throws Exception {
    begin(0);
    BlockingQueue<Integer> waitsAtRuns = new LinkedBlockingQueue<>();
    onNotice =
        () -> {
          Thread.currentThread().interrupt();
          waitsAtRuns.add(link.waits.get());
        };
    exchange.startReceiver();
    for (int i = 0; i < 2; i++) {
      link.notice(7);
      link.flush();
      Integer before = waitsAtRuns.poll(20, TimeUnit.SECONDS);
      assertThat(before).as("subscribers have run").isNotNull();
      awaitAnotherWait(before);
    }
    assertThat(link.vainWaits.get()).as("waits that do not wait").isZero();
  }

  @Test
  void shouldSleepOnWhenTheReceiverIsInterrupted() throws Exception {
    begin(0);
    CountDownLatch ran = new CountDownLatch(1);
    onNotice = ran::countDown;
    exchange.startReceiver();
    link.awaitSleeper();
    int before = link.waits.get();
    threads.getLast().interrupt();
    awaitAnotherWait(before);
    link.notice(7);
    link.flush();
    awaitUninterruptibly(ran);
    assertThat(link.vainWaits.get()).as("waits that do not wait").isZero();
  }

  private void awaitAnotherWait(int before) {
    while (link.waits.get() == before) {
      Thread.onSpinWait();
    }
  }

  @Test
  void shouldRunSubscribersAgainWhenANoticeComesWithTheAnswerToOneOfThem() throws Exception {
    begin(0);
    CountDownLatch ran = new CountDownLatch(2);
    onNotice =
        () -> {
          ran.countDown();
          if (ran.getCount() == 1) {
            exchange.ask(Operation.COUNT, 0, 0, X, null);
          }
        };
    exchange.startReceiver();
    link.awaitSleeper();
    link.notice(7);
    link.flush();
    Sent asked = link.next();
    link.notice(7);
    link.answer(asked, 0);
    link.flush();
    awaitUninterruptibly(ran);
  }

  @Test
  void shouldAnswerCallersOfAllKindsWhileASubscriberRuns() throws Exception {
    begin(0);
    CountDownLatch isRunning = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    onNotice =
        () -> {
          isRunning.countDown();
          awaitUninterruptibly(answered);
        };
    exchange.startReceiver();
    link.awaitSleeper();
    List<FutureTask<Long>> tasks = new ArrayList<>();
    tasks.add(ask(Thread.ofVirtual()));
    Sent waiting = link.next();
    link.notice(7);
    link.flush();
    awaitUninterruptibly(isRunning);
    for (Thread.Builder builder : List.of(Thread.ofVirtual(), Thread.ofPlatform())) {
      FutureTask<Long> task = ask(builder);
      link.answer(link.next(), 1);
      link.flush();
      assertThat(get(task)).isEqualTo(1);
    }
    link.answer(waiting, 5);
    link.flush();
    assertThat(get(tasks.get(0))).isEqualTo(5);
    answered.countDown();
  }

  /** Many callers, answers in random order and batches: each gets its own. */
  @Test
  void shouldAnswerEveryCallerInRandomOrder() throws Exception {
    for (long spinNs : new long[] {0, 20_000}) {
      begin(spinNs);
      List<FutureTask<Long>> tasks = new ArrayList<>();
      int each = Seeds.size(2_000, 200_000);
      for (int i = 0; i < 6; i++) {
        FutureTask<Long> task = new FutureTask<>(() -> askMany(each));
        threads.add((i % 3 == 2 ? Thread.ofVirtual() : Thread.ofPlatform()).start(task));
        tasks.add(task);
      }
      answerInRandomOrder(6L * each, new Random(Seeds.seed()));
      for (FutureTask<Long> task : tasks) {
        assertThat(get(task)).as("wrong answers, %s", Seeds.replay(Seeds.seed())).isZero();
      }
      if (spinNs == 0) {
        exchange.end(new IllegalStateException("the next one"));
      }
    }
  }

  private long askMany(int count) {
    long wrong = 0;
    for (int i = 0; i < count; i++) {
      wrong += exchange.ask(Operation.HAS_NEXT, 0, i, null, null) == i ? 0 : 1;
    }
    return wrong;
  }

  private void answerInRandomOrder(long count, Random random) throws Exception {
    List<Sent> open = new ArrayList<>();
    for (long left = count; left > 0; ) {
      if (open.isEmpty() || (!link.hasSentNothing() && random.nextInt(4) > 0)) {
        open.add(link.next());
      } else {
        for (int i = random.nextInt(open.size()); i >= 0; i--, left--) {
          Sent one = open.remove(random.nextInt(open.size()));
          link.answer(one, one.number());
        }
        link.flush();
      }
    }
  }
}
