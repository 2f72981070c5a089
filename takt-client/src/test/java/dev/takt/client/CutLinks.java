package dev.takt.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.ScriptedLink.Sent;
import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.Operation;
import dev.takt.space.Event;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A space whose links the test cuts, and what comes on the next one. */
@Timeout(60)
abstract class CutLinks {
  static final Event X = new Event("x", 1);
  static final long SAME = 5;
  static final long OTHER = 6;
  static final ClientSettings SETTINGS =
      new ClientSettings(ScriptedLink.WIRE, 0, 20_000_000_000L, 20_000_000_000L);

  final BlockingQueue<ScriptedLink> links = new LinkedBlockingQueue<>();
  final List<Thread> threads = new ArrayList<>();

  /** Lets attempts to connect go on. */
  final Semaphore attempt = new Semaphore(1);

  /** One for each attempt that has found no host. */
  final Semaphore vain = new Semaphore(0);

  final BlockingQueue<Throwable> uncaught = new LinkedBlockingQueue<>();
  ScriptedLink link;
  RemoteSpace space;

  @BeforeEach
  void connect() throws Exception {
    space = connect(SETTINGS);
  }

  RemoteSpace connect(ClientSettings settings) throws Exception {
    ScriptedLink first = prepare(SAME);
    RemoteSpace connected =
        RemoteSpace.connect(this::nextLink, new UUID(1, 2), "", settings, this::receiver);
    link = first;
    assertThat(link.next().kind()).isEqualTo(MessageKind.HELLO);
    return connected;
  }

  Thread receiver(Runnable body) {
    Thread thread = Thread.ofPlatform().unstarted(body);
    thread.setUncaughtExceptionHandler((_, thrown) -> uncaught.add(thrown));
    synchronized (threads) {
      threads.add(thread);
    }
    return thread;
  }

  ScriptedLink nextLink(long timeoutNs) throws IOException {
    attempt.acquireUninterruptibly();
    attempt.release();
    ScriptedLink next = links.poll();
    if (next == null) {
      vain.release();
      throw new IOException("there is no host");
    }
    return next;
  }

  ScriptedLink prepare(long outcomes) {
    ScriptedLink next = new ScriptedLink(0);
    next.welcome(outcomes);
    links.add(next);
    return next;
  }

  /** Cuts the link; there is another one. */
  void cut(long outcomes) throws Exception {
    ScriptedLink next = prepare(outcomes);
    link.close();
    link = next;
    assertThat(link.next().kind()).isEqualTo(MessageKind.HELLO);
  }

  @AfterEach
  void end() throws Exception {
    space.close();
    for (Thread thread : threads) {
      thread.join(20_000);
      assertThat(thread.isAlive()).as("%s has ended", thread).isFalse();
    }
  }

  <T> FutureTask<T> start(Callable<T> body) {
    FutureTask<T> task = new FutureTask<>(body);
    Thread thread = Thread.ofPlatform().unstarted(task);
    synchronized (threads) {
      threads.add(thread);
    }
    thread.start();
    return task;
  }

  static <T> T get(FutureTask<T> task) throws Exception {
    return task.get(20, TimeUnit.SECONDS);
  }

  FutureTask<Boolean> write() {
    return start(
        () -> {
          space.write(X);
          return true;
        });
  }

  static boolean isUnknown(FutureTask<?> caller) throws Exception {
    try {
      get(caller);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof LinkEndedException ended) {
        return ended.isUnknown();
      }
      throw e;
    }
    throw new AssertionError("it has not ended with the link");
  }

  /** Says what has become of a request on a link before. */
  void tellOutcome(Sent of, long number) throws Exception {
    Sent asked = link.next();
    assertThat(asked.operation()).isEqualTo(Operation.OUTCOME);
    assertThat(asked.number()).isEqualTo(of.request());
    answer(asked, number);
  }

  void answer(Sent to, long number, Event... events) {
    link.answer(to, number, events);
    link.flush();
  }
}
