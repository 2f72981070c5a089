package dev.takt.host.text;

import dev.takt.session.Transport;
import dev.takt.session.TransportException;
import java.lang.ref.WeakReference;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/** The host's end of a connection to a client that reads as many answers as it is let. */
final class HeldTransport implements Transport {
  private final BlockingQueue<Supplier<String>> requests = new LinkedBlockingQueue<>();
  private final Semaphore answers = new Semaphore(0);
  private final BlockingQueue<String> read = new LinkedBlockingQueue<>();
  private volatile boolean isClosed;

  /** The last line that was read or written; nobody else is to keep them. */
  final AtomicReference<WeakReference<String>> lastRequest = new AtomicReference<>();

  final AtomicReference<WeakReference<String>> lastAnswer = new AtomicReference<>();

  /** Whether answers are not kept here. */
  volatile boolean isForgetful;

  /** Sends a request that is made when the host reads it. */
  void ask(Supplier<String> request) {
    requests.add(request);
  }

  void ask(String request) {
    ask(() -> request);
  }

  /** Reads the next answer, which the host may write only now. */
  String answer() throws InterruptedException {
    answers.release();
    return read.take();
  }

  @Override
  public String readLine() throws TransportException {
    Supplier<String> next = take(requests);
    if (isClosed) {
      throw new TransportException("this end is closed");
    }
    String line = next.get();
    lastRequest.set(new WeakReference<>(line));
    return line;
  }

  @Override
  public void writeLine(String line) throws TransportException {
    lastAnswer.set(new WeakReference<>(line));
    answers.acquireUninterruptibly();
    if (isClosed) {
      throw new TransportException("this end is closed");
    }
    read.add(isForgetful ? "" : line);
  }

  private static <T> T take(BlockingQueue<T> from) throws TransportException {
    try {
      return from.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransportException("cancelled");
    }
  }

  @Override
  public void excuseIdle(LongUnaryOperator moreNs) {}

  @Override
  public void close() {
    isClosed = true;
    requests.add(() -> "");
    answers.release();
  }
}
