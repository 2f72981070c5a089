package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.reflex.woven.TaskMemory;
import dev.takt.scripted.Scripted;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Template;
import dev.takt.space.Transaction;
import dev.takt.space.TransactionToken;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Code of others that runs on the thread of a release is no part of it. */
class OthersMemoryTest {
  private final EventSpace space = EventSpace.create();
  private final ReflexRuntime runtime = ReflexRuntime.create(space, Settings.FOR_TESTS);
  private final List<Boolean> inMemory = new CopyOnWriteArrayList<>();

  @AfterEach
  void stop() {
    runtime.close();
    Thread.setDefaultUncaughtExceptionHandler(null);
  }

  /** What is kept by a subscriber that takes objects from the release's pools is overwritten. */
  private void subscribe() {
    space.subscribe(new Event("a", null), handle -> inMemory.add(TaskMemory.current() != null));
  }

  @Test
  void shouldTellSubscribersOutsideOfTheMemoryOfTheTaskThatCommits() {
    subscribe();
    runtime.active(
        "writer", new Scripted(task -> task.doWrite(new Event("a", 1))), Schedule.continuous());
    runtime.start();
    Await.until("two notices", () -> inMemory.size() >= 2);
    assertThat(inMemory).containsOnly(false);
  }

  @Test
  void shouldTellSubscribersOutsideOfTheMemoryInTheMiddleOfARelease() {
    subscribe();
    List<Boolean> after = new CopyOnWriteArrayList<>();
    runtime.active(
        "writer",
        new Scripted(
            task -> {
              task.doWriteNow(new Event("a", 1));
              after.add(TaskMemory.current() != null);
            }),
        Schedule.continuous());
    runtime.start();
    Await.until("two releases", () -> after.size() >= 2);
    assertThat(inMemory).isNotEmpty().containsOnly(false);
    assertThat(after).containsOnly(true);
  }

  /** While it looks for a match, the task ends a transaction that has claimed another event. */
  @Test
  void shouldTellOfWhatIsGivenBackOutsideOfTheMemoryAndAskPredicatesInside() {
    space.write(new Event("a", 1));
    space.write(new Event("b", 1));
    subscribe();
    List<Boolean> inside = new CopyOnWriteArrayList<>();
    try (Transaction claiming = space.newTransaction()) {
      claiming.begin();
      assertThat(claiming.take(new Event("a", 1))).isNotNull();
      TransactionToken token = claiming.token();
      Template template =
          new Template()
              .matchingLong(
                  "b",
                  b -> {
                    inside.add(TaskMemory.current() != null);
                    token.end();
                    inside.add(TaskMemory.current() != null);
                    return true;
                  });
      runtime.active(
          "taker", new Scripted(task -> task.doTakeNow(template)), Schedule.continuous());
      runtime.start();
      Await.until("a notice", () -> !inMemory.isEmpty());
      runtime.close();
    }
    assertThat(inMemory).containsOnly(false);
    assertThat(inside).isNotEmpty().containsOnly(true);
  }

  @Test
  void shouldRunEachAttemptInTheMemoryOfItsTask() {
    List<Boolean> inside = new CopyOnWriteArrayList<>();
    runtime.active(
        "loser",
        new Scripted(
            task -> {
              inside.add(TaskMemory.current() != null);
              Event value = task.doTake(new Event("value", null));
              space.transact(other -> other.write(new Event("value", inside.size())));
              if (value == null) {
                task.doTake(new Event("value", null));
              }
            }),
        Schedule.continuous());
    runtime.start();
    Await.until("several attempts", () -> inside.size() >= 8);
    assertThat(inside).containsOnly(true);
  }

  static final class Counter extends ReflexTask {
    private int count;

    @Override
    public void execute() {
      if (count < 20) {
        count++;
        write(new Event("a", count));
      }
    }
  }

  @Test
  void shouldKeepTheFieldsOfACommittedReleaseWhenSubscriberAndHandlerThrow() {
    AtomicBoolean handled = new AtomicBoolean();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, thrown) -> {
          handled.set(true);
          throw new IllegalStateException("handler");
        });
    space.subscribe(
        new Event("a", null),
        handle -> {
          throw new IllegalStateException("subscriber");
        });
    TaskControl counter = runtime.active("counter", new Counter(), Schedule.continuous());
    runtime.start();
    Await.until("releases", () -> counter.stats().releases() > 30 || counter.isStopped());
    runtime.close();
    List<Long> counted = new ArrayList<>();
    Event event = new Event();
    while (space.poll(new Event("a", null), event)) {
      counted.add(event.getLong("a"));
    }
    assertThat(handled).isTrue();
    assertThat(counted).doesNotHaveDuplicates().hasSize(20);
    assertThat(counter.stats().commits()).isEqualTo(counter.stats().releases());
  }
}
