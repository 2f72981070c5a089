package dev.takt.samples;

import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Handle;
import java.time.Duration;

/**
 * A passive task is released by events: it has no thread of its own, and runs on a pool when its
 * subscription has a match.
 *
 * <p>You will see the answers to three questions, in their order:
 *
 * <pre>
 * 1 squared is 1
 * 2 squared is 4
 * 3 squared is 9
 * </pre>
 */
public final class Sample06PassiveTask {
  private static final int PRIORITY = 10;

  private Sample06PassiveTask() {}

  /** Takes questions and writes answers; the two happen together or not at all. */
  static final class Squarer extends ReflexTask {
    private Handle questions;

    @Override
    public void initialize() {
      questions = subscribe(new Event("question", null));
    }

    @Override
    public void execute() {
      for (Event question : questions) {
        long number = question.getLong("question");
        write(event().add("answer", number * number).add("to", number));
      }
    }
  }

  /** Runs the sample. */
  public static void main(String[] args) throws InterruptedException {
    EventSpace space = EventSpace.create();
    try (ReflexRuntime runtime = ReflexRuntime.create(space)) {
      runtime.passive("squarer", new Squarer(), PRIORITY);
      runtime.start();
      for (long number = 1; number <= 3; number++) {
        space.write(new Event("question", number));
        Event answer =
            space.take(new Event("answer", null).add("to", number), Duration.ofSeconds(10));
        IO.println(
            answer == null
                ? "no answer within 10 s"
                : number + " squared is " + answer.getLong("answer"));
      }
    }
  }
}
