package dev.takt.bench.host;

import com.sun.management.ThreadMXBean;
import dev.takt.bench.measure.Helper;
import dev.takt.bench.measure.Measurement;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;

/**
 * The process of the answering side. It knows the commands {@code state}, and {@code clear}, which
 * forgets the times that were kept so far.
 *
 * @param link which
 * @param folder where both sides meet
 */
public record AnsweringRole(HostLink link, String folder) implements Helper.Role {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /**
   * How it is.
   *
   * @param allocatedBytes what the answering thread has allocated so far
   * @param wayNs how long messages were on their way
   */
  public record State(long allocatedBytes, Histogram wayNs) {}

  @Override
  public Helper.Running open() throws Exception {
    return new Server(link, Path.of(folder));
  }

  private static final class Server implements Helper.Running {
    private final Histogram wayNs = Measurement.histogram();
    private final Answering answering;
    private final Thread thread;
    private volatile boolean isClosed;
    private volatile boolean isCleared;
    private volatile Exception failure;

    Server(HostLink link, Path folder) throws Exception {
      answering = link.answering(folder, wayNs);
      thread = Thread.ofPlatform().daemon().name("answers").start(this::run);
    }

    private void run() {
      try (answering) {
        serve();
        Thread.interrupted(); // it was for a wait, and not for what closes
      } catch (Exception e) {
        failure = isClosed ? null : e;
      }
    }

    private void serve() throws IOException {
      while (!isClosed) {
        if (!answering.serve()) {
          answering.rest();
        }
        if (isCleared) {
          wayNs.reset();
          isCleared = false;
        }
      }
    }

    @Override
    public Object ask(String command) throws IOException, InterruptedException {
      if (command.equals("clear")) {
        isCleared = true;
        while (isCleared && thread.isAlive()) {
          Thread.sleep(1);
        }
      }
      if (failure != null) {
        throw new IOException("the answering side has failed", failure);
      }
      return new State(THREADS.getThreadAllocatedBytes(thread.threadId()), wayNs.copy());
    }

    @Override
    public void close() {
      isClosed = true;
      thread.interrupt();
      boolean isInterrupted = Thread.interrupted();
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          isInterrupted = true;
        }
      }
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
