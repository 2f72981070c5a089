package dev.takt.bench.cpu;

import dev.takt.cpu.ManagedTask;
import dev.takt.cpu.ManagerEvent;
import dev.takt.cpu.Profile;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.ThreadScheduling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plain Java: threads that sleep until absolute times, and catch up with what they have missed.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class PlainBench implements Workbench {
  private static final Duration JOIN = Duration.ofSeconds(2);

  private final Contestant contestant;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  PlainBench(Contestant contestant) {
    this.contestant = contestant;
  }

  @Override
  public void start(Profile profile, Work work) {
    Runnable loop = () -> loop(profile.periodNs(), work);
    threads.add(Thread.ofPlatform().name(profile.name()).daemon().start(loop));
  }

  private void loop(long periodNs, Work work) {
    if (contestant == Contestant.RT) {
      OperatingSystems.current()
          .schedule(ThreadScheduling.fifo(PRIORITY).withCpus(Workbench.processor()));
    }
    long dueNs = System.nanoTime() + periodNs;
    while (sleepUntil(dueNs)) {
      work.release(dueNs);
      dueNs += periodNs;
    }
  }

  private boolean sleepUntil(long dueNs) {
    try {
      long leftNs = dueNs - System.nanoTime();
      while (!stopped && leftNs > 0) {
        Thread.sleep(Duration.ofNanos(leftNs));
        leftNs = dueNs - System.nanoTime();
      }
      return !stopped;
    } catch (InterruptedException e) {
      return false;
    }
  }

  @Override
  public Optional<ManagedTask> task(String name) {
    return Optional.empty();
  }

  @Override
  public List<ManagerEvent> events() {
    return List.of();
  }

  @Override
  public void close() {
    stopped = true;
    threads.forEach(Thread::interrupt);
    try {
      for (Thread each : threads) {
        each.join(JOIN);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
