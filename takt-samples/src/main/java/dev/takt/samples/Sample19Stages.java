package dev.takt.samples;

import dev.takt.session.SessionSettings;
import dev.takt.session.Sessions;
import dev.takt.session.stage.Stage;
import dev.takt.session.stage.StageAnswer;
import dev.takt.session.stage.StageGraph;
import dev.takt.session.stage.StageSettings;
import dev.takt.session.stage.StageStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * A stage is a bounded queue with its handler: what it cannot do in time it refuses at once.
 *
 * <p>Orders are checked by a callback and then stored by blocking code, on a session. The queue of
 * the first stage has four places, so while one order is checked, two of six others are refused;
 * the second stage has two, so the first one waits for it. When the graph is stopped, the stage
 * upstream ends first, and nothing is lost. The last stage has a target for how long an item may
 * take, and sheds what is too much for that.
 *
 * <p>You will see:
 *
 * <pre>
 * order 2: ACCEPTED
 * order 3: ACCEPTED
 * order 4: ACCEPTED
 * order 5: ACCEPTED
 * order 6: FULL
 * order 7: FULL
 * stored: [order 1, order 2, order 3, order 4, order 5], left: {}
 * check: 5 accepted, 2 full, 5 handled
 * store: 5 accepted, 0 full, 5 handled
 * too much for its target: shed
 * </pre>
 */
public final class Sample19Stages {
  private static final Duration LONG = Duration.ofSeconds(10);

  private Sample19Stages() {}

  /** Runs the sample. */
  public static void main(String[] args) throws InterruptedException {
    List<String> stored = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch gate = new CountDownLatch(1);
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
        StageGraph graph = new StageGraph()) {
      // downstream first: a stage is added after those that it feeds
      Stage<String> store =
          graph.add(
              Stage.open(StageSettings.named("store").withCapacity(2), sessions, stored::addAll));
      Stage<String> check =
          graph.add(
              Stage.open(
                  StageSettings.named("check").withCapacity(4),
                  orders -> {
                    begun.countDown();
                    gate.await(); // so that orders come faster than they are checked
                    for (String each : orders) {
                      StageAnswer answer = store.put(each, LONG); // for room: back-pressure
                      if (!answer.isAccepted()) {
                        throw new IllegalStateException(each + " is not stored: " + answer);
                      }
                    }
                  }),
              store);

      check.offer("order 1");
      begun.await();
      for (int i = 2; i <= 7; i++) {
        IO.println("order " + i + ": " + check.offer("order " + i)); // the caller's answer
      }
      gate.countDown();
      var left = graph.stop(LONG);
      IO.println("stored: " + stored + ", left: " + left);
      for (StageStats each : graph.stats()) {
        IO.println(
            "%s: %d accepted, %d full, %d handled"
                .formatted(each.name(), each.accepted(), each.full(), each.handled()));
      }
    }
    overload();
  }

  /** Offers much more than can be handled within the target. */
  private static void overload() throws InterruptedException {
    StageSettings settings = StageSettings.named("busy").withTargetP90(Duration.ofMillis(5));
    try (Stage<Integer> busy = Stage.open(settings, _ -> LockSupport.parkNanos(1_000_000))) {
      StageAnswer answer;
      do {
        answer = busy.offer(1);
      } while (answer != StageAnswer.SHED);
      IO.println("too much for its target: shed");
      busy.stop(Duration.ZERO); // gives back what no handler has got
    }
  }
}
