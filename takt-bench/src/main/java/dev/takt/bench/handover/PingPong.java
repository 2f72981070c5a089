package dev.takt.bench.handover;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;
import dev.takt.bench.measure.Meter;
import dev.takt.bench.micro.JmhBatch;

/**
 * The floor of every hand-over between two threads: a counter that they raise in turn, which moves
 * one cache line from core to core.
 *
 * @param hops how many count
 * @param limitMs after how many milliseconds fewer will do
 */
public record PingPong(int hops, long limitMs) implements ChildRun.Body<Measurement> {
  private static final int HOPS_OF_A_TURN = 2;

  @Override
  public Measurement run() throws InterruptedException {
    int turns = hops / HOPS_OF_A_TURN;
    Ball ball = new Ball();
    Meter meter = new Meter(JmhBatch.SIZE, turns / 2, turns);
    Thread answering = new Thread(ball::answer);
    Thread asking = new Thread(() -> ball.ask(meter));
    answering.start();
    asking.start();
    meter.await(limitMs);
    ball.stopped = true;
    asking.join();
    answering.join();
    return meter.figure(HOPS_OF_A_TURN);
  }

  /** The counter: odd after a hop of the asking thread, even after one of the answering one. */
  private static final class Ball {
    private final PaddedLong hops = new PaddedLong();
    private volatile boolean stopped;

    void ask(Meter meter) {
      for (long turn = 1; turn <= meter.total() && !stopped; turn++) {
        hops.setRelease(2 * turn - 1);
        await(2 * turn);
        meter.tick(turn);
      }
    }

    void answer() {
      for (long turn = 1; !stopped; turn++) {
        await(2 * turn - 1);
        hops.setRelease(2 * turn);
      }
    }

    private void await(long hop) {
      while (hops.getAcquire() != hop && !stopped) {
        Thread.onSpinWait();
      }
    }
  }
}
