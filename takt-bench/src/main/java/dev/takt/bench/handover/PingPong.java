package dev.takt.bench.handover;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;
import dev.takt.bench.measure.Meter;
import dev.takt.bench.micro.JmhBatch;
import java.util.List;

/**
 * The floor of every hand-over between two threads: two counters that each of them raises in turn,
 * which moves one cache line from core to core. Arguments: the hops that count, and the
 * milliseconds after which fewer will do.
 */
public final class PingPong implements ChildRun.Body {
  private static final int HOPS_OF_A_TURN = 2;

  private final PaddedLong there = new PaddedLong();
  private final PaddedLong back = new PaddedLong();
  private volatile boolean stopped;

  /** For {@link ChildRun}. */
  public PingPong() {}

  @Override
  public Measurement run(List<String> arguments) throws InterruptedException {
    int turns = Integer.parseInt(arguments.get(0)) / HOPS_OF_A_TURN;
    Meter meter = new Meter(JmhBatch.SIZE, turns / 2, turns);
    Thread answering = new Thread(this::answer);
    Thread asking = new Thread(() -> ask(meter));
    answering.start();
    asking.start();
    meter.await(Long.parseLong(arguments.get(1)));
    stopped = true;
    asking.join();
    answering.join();
    return meter.figure(HOPS_OF_A_TURN);
  }

  private void ask(Meter meter) {
    for (long turn = 1; turn <= meter.total() && !stopped; turn++) {
      there.setRelease(turn);
      while (back.getAcquire() != turn && !stopped) {
        Thread.onSpinWait();
      }
      meter.tick(turn);
    }
  }

  private void answer() {
    for (long turn = 1; !stopped; turn++) {
      while (there.getAcquire() != turn && !stopped) {
        Thread.onSpinWait();
      }
      back.setRelease(turn);
    }
  }
}
