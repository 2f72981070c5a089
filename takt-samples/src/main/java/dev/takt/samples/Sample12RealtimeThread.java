package dev.takt.samples;

import dev.takt.realtime.Periodic;
import dev.takt.realtime.QueuePolicy;
import dev.takt.realtime.Sporadic;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.rtsj.RealtimeThread;
import dev.takt.rtsj.ReleaseCounts;
import java.util.concurrent.CountDownLatch;

/**
 * Real-time threads without tasks and event space: one released by time, one by arrivals.
 *
 * <p>The control loop runs 100 times, once each millisecond, and rings an alarm in every tenth
 * release. The alarm must not go off more than once an hour: what comes sooner is ignored. Each
 * thread asks for real-time scheduling, and reports what it was granted ({@code grant()}).
 *
 * <p>You will see:
 *
 * <pre>
 * control: 100 releases
 * alarm: 1 release, 9 rings ignored
 * </pre>
 */
public final class Sample12RealtimeThread {
  private static final int RELEASES = 100;
  private static final long HOUR_NS = 3_600_000_000_000L;

  private Sample12RealtimeThread() {}

  /** Runs the sample. */
  public static void main(String[] args) throws InterruptedException {
    CountDownLatch rung = new CountDownLatch(1);
    RealtimeThread alarm =
        RealtimeThread.builder("alarm")
            .scheduling(ThreadScheduling.fifo(20))
            .release(Sporadic.ofNs(HOUR_NS).withTooSoon(QueuePolicy.IGNORE))
            .body(thread -> rung.countDown())
            .start();
    RealtimeThread control =
        RealtimeThread.builder("control")
            .scheduling(ThreadScheduling.fifo(40))
            .release(Periodic.ofNs(1_000_000).withDeadlineNs(500_000))
            .program(
                thread -> {
                  while (thread.releaseNumber() < RELEASES && thread.waitForNextPeriod()) {
                    if (thread.releaseNumber() % 10 == 0) {
                      alarm.release();
                    }
                  }
                })
            .start();
    control.join();
    rung.await();
    alarm.close();
    ReleaseCounts rings = alarm.counts();
    IO.println("control: " + control.counts().releases() + " releases");
    IO.println("alarm: " + rings.releases() + " release, " + rings.ignored() + " rings ignored");
  }
}
